import { Agent, request as httpRequest } from 'node:http'
import { ErrorEnvelope, Meta, SubmittedJob, SubmitVideo } from '@subtext/contracts'
import fc from 'fast-check'
import { listen, type RunningServer } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { mutatedBody, rawBody, validBody } from '../testing/arbitraries.ts'

/** The same requests in every run. */
const SEED = 20_261_121
const RUNS = 900

const REFUSALS = [400, 413]

let api: TestApi
let server: RunningServer
let key: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const acceptedIds: string[] = []

beforeAll(async () => {
  // Generated names are not looked up: what they stand for is not what is tested here.
  api = await openTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  server = await listen(api.app, 0, '127.0.0.1')
  // An admin has no quota and passes every gate, so that every request reaches the store that may.
  key = await api.createKey({ scopes: ['admin'] })
})
afterAll(async () => {
  agent.destroy()
  await server.drain(0)
  await api.close()
})

interface Answer {
  status: number
  type: string | undefined
  requestId: unknown
  body: unknown
}

const send = (body: Buffer): Promise<Answer> =>
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

/** What holds for every answer, whatever was sent; returns the job's id when there is one. */
function check({ status, type, requestId, body }: Answer): string | null {
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
    `SELECT video_id, options, custom_instructions, use_proxy, force_refresh, webhook_url, priority, service_name,
       agent_name, client_reference FROM jobs WHERE id = $1`,
    [jobId],
  )
  return rows[0]
}

test('every body of the contract is accepted and stored as it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(validBody, async (body) => {
      const answer = await send(toBytes(body))
      expect([answer.status, answer.body]).toEqual([202, expect.anything()])
      const { url, ...sent } = SubmitVideo.parse(body)
      const { video_id, ...stored } = (await findStored(check(answer) ?? '')) ?? {}
      expect(url).toContain(video_id)
      expect(stored).toEqual({
        ...{ custom_instructions: null, use_proxy: null, webhook_url: null },
        ...{ service_name: null, agent_name: null, client_reference: null },
        ...sent,
      })
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 240_000)

test('a body with anything in any field is accepted or refused, never an accident', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedBody, async (body) => {
      check(await send(toBytes(body)))
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 240_000)

test('bytes of any kind are accepted or refused, never an accident', async () => {
  await fc.assert(
    fc.asyncProperty(rawBody, async (bytes) => {
      check(await send(bytes))
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 240_000)

test('what was accepted is in the store, and nothing else', async () => {
  const { rows } = await api.context.db.query<{ id: string }>('SELECT id FROM jobs')
  expect(rows.map(({ id }) => id).sort()).toEqual([...acceptedIds].sort())
  expect(acceptedIds.length).toBeGreaterThan(RUNS)
})

test('nothing of it changed what objects inherit', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('url' in {}).toBe(false)
})
