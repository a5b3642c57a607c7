import { MAX_BATCH_BYTES } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { VIDEO_URL } from '../testing/jobs.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false' })
let key: string
let admin: string

beforeAll(async () => {
  admin = await api.createKey({ scopes: ['admin'] })
  key = await api.createKey()
})

const send = (path: string, body: string, apiKey = key) =>
  supertest(api.app).post(`/api/v1${path}`).set({ 'X-API-Key': apiKey, 'Content-Type': 'application/json' }).send(body)

test('accepts the largest batch that the limits of its fields allow, even with every character escaped', async () => {
  const entry = {
    video_url: VIDEO_URL.padEnd(2_048, '#'),
    webhook_url: 'https://93.184.216.34/'.padEnd(2_048, 'h'),
    custom_instructions: '\u{1f988}'.repeat(2_000),
  }
  const json = JSON.stringify({ jobs: Array.from({ length: 100 }, () => entry) })
  const escaped = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  expect(escaped.length).toBeGreaterThan(2_000_000)
  const { status, body } = await send('/batch/process', escaped, admin)
  expect([status, body.error]).toEqual([202, undefined])
})

test('accepts batches of up to 20 MB, and other requests of up to 64 KB', async () => {
  const fill = (bytes: number) => {
    const body = JSON.stringify({ videos: [{ url: VIDEO_URL }], client_reference: '' })
    return body.replace(/}$/, `${' '.repeat(bytes - body.length)}}`)
  }
  expect((await send('/batch/process', fill(MAX_BATCH_BYTES))).status).toBe(202)
  const refused = await send('/batch/process', fill(MAX_BATCH_BYTES + 1))
  expect(refused).toBeRefused(413, 'PAYLOAD_TOO_LARGE')
  expect(refused.body.error.message).toBe('The request body is too large. Send at most 20 MB.')
  expect(refused.body.error.details).toEqual({ limit_bytes: MAX_BATCH_BYTES })
  expect((await send('/videos/process', fill(64 * 1024 + 1))).body.error.details).toEqual({ limit_bytes: 64 * 1024 })
  const deep = await send('/batch/process', `{"videos":${'['.repeat(25)}${']'.repeat(25)}}`)
  expect(deep).toBeRefused(400, 'INVALID_JSON')
})

test('limits the size of the response to a body full of errors', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, 0]))
  for (const body of [{ videos: Array.from({ length: 80_000 }, () => 1) }, { videos: [unknown] }, unknown]) {
    const { status, text } = await send('/batch/process', JSON.stringify(body))
    expect([status, text.length < 64 * 1024]).toEqual([400, true])
  }
})
