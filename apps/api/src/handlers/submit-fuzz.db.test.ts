import { Agent, request as httpRequest } from 'node:http'
import { ErrorEnvelope, Meta, SubmittedJob, SubmitVideo } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import type { RunningServer } from '../server.ts'
import { useTestApi } from '../testing/api.ts'
import { mutatedBody, rawBody, validBody } from '../testing/arbitraries.ts'

/** A fixed seed, so that every run sends the same requests. */
const SEED = 20_261_121
const RUNS = fuzzRuns()

const REFUSALS = [400, 413]

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let server: RunningServer
let key: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const acceptedIds: string[] = []

beforeAll(async () => {
  // Generated host names are not resolved: this file does not test webhook addresses.
  server = await api.serve()
  // An admin has no quota and every feature, so that every valid request reaches the database.
  key = await api.createKey({ scopes: ['admin'] })
})
afterAll(() => agent.destroy())

interface RawResponse {
  status: number
  type: string | undefined
  requestId: unknown
  body: unknown
}

const send = (body: Buffer): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': body.length }
    const path = '/api/v1/videos/process'
    const sent = httpRequest(
      { port: server.port, host: '127.0.0.1', path, method: 'POST', headers, agent },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            requestId: response.headers['x-request-id'],
            body: JSON.parse(Buffer.concat(pieces).toString()),
          }),
        )
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })

/** Checks what is true of every response, whatever was sent. Returns the ID of an accepted job, or null. */
function check({ status, type, requestId, body }: RawResponse): string | null {
  expect(type).toBe('application/json; charset=utf-8')
  const { meta } = body as { meta: unknown }
  expect(Meta.parse(meta).request_id).toBe(requestId)
  if (status === 202) {
    const { job_id } = SubmittedJob.strict().parse((body as { data: unknown }).data)
    acceptedIds.push(job_id)
    return job_id
  }
  expect(REFUSALS).toContain(status)
  const { error } = ErrorEnvelope.strict().parse(body)
  expect(['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL', 'PAYLOAD_TOO_LARGE']).toContain(error.code)
  if (error.code === 'VALIDATION_ERROR') {
    expect(error.details?.issues).toEqual(
      expect.arrayContaining([{ path: expect.any(String), message: expect.any(String), code: expect.any(String) }]),
    )
  }
  return null
}

const toBytes = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

const findStored = async (jobId: string) => {
  const { rows } = await api.context.db.query<Record<string, unknown>>(
    `SELECT video_id, options - 'pinned_templates' AS options, custom_instructions, use_proxy, force_refresh, webhook_url, priority, service_name,
       agent_name, client_reference FROM jobs WHERE id = $1`,
    [jobId],
  )
  return rows[0]
}

test('accepts every valid body and stores it as it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(validBody, async (body) => {
      const received = await send(toBytes(body))
      expect([received.status, received.body]).toEqual([202, expect.anything()])
      const { url, ...sent } = SubmitVideo.parse(body)
      const { video_id, ...stored } = (await findStored(check(received) ?? '')) ?? {}
      expect(url).toContain(video_id)
      expect(stored).toEqual({
        custom_instructions: null,
        use_proxy: null,
        webhook_url: null,
        service_name: null,
        agent_name: null,
        client_reference: null,
        ...sent,
      })
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 1_800_000)

test('accepts or refuses a body with anything in any field, and never fails', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedBody, async (body) => {
      check(await send(toBytes(body)))
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 1_800_000)

test('accepts or refuses any bytes, and never fails', async () => {
  await fc.assert(
    fc.asyncProperty(rawBody, async (bytes) => {
      check(await send(bytes))
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 1_800_000)

test('has stored exactly the accepted jobs', async () => {
  const { rows } = await api.context.db.query<{ id: string }>('SELECT id FROM jobs')
  expect(rows.map(({ id }) => id).sort()).toEqual([...acceptedIds].sort())
  expect(acceptedIds.length).toBeGreaterThan(RUNS)
})

test('has not changed the prototype of objects', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('url' in {}).toBe(false)
})
