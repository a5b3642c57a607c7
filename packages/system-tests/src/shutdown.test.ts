import type { Job } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

/** Far longer than the test: who waits for a lease to run out fails. */
const LONG_LEASE = { JOB_LEASE_SECONDS: '120' }
const IN_TIME_MS = 8_000
let system: TestSystem

beforeEach(async () => {
  system = await startTestSystem({ settings: LONG_LEASE })
}, 60_000)
afterEach(() => system.close())

const attemptsOf = async (jobId: string) =>
  (await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId]))[0]?.attempts

/** Milliseconds and exit code. */
async function terminate(app: TestSystem['api']): Promise<{ took: number; code: number | null }> {
  const began = performance.now()
  app.kill('SIGTERM')
  const code = await app.exited
  return { took: performance.now() - began, code }
}

test('a worker told to stop hands its job back at once, and the attempt is not spent', async () => {
  const client = await system.createClient()
  const { id } = SAMPLE_TALKS.spanish
  system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await client.submit({ url: watchUrl(id) })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id }, 15_000)
  const { took, code } = await terminate(system.workers[0] as TestSystem['api'])
  expect(code).toBe(0)
  expect(took).toBeLessThan(IN_TIME_MS)
  expect(await attemptsOf(jobId)).toBe(0)
  system.startWorker()
  expect((await client.follow(jobId, 40_000)).status).toBe('completed')
  expect(await attemptsOf(jobId)).toBe(1)
  expect(await findViolations(system)).toEqual({})
})

test('a worker told to stop finishes what it can finish in time', async () => {
  const client = await system.createClient()
  const { id } = SAMPLE_TALKS.hindi
  system.platform.delay({ kind: 'timedtext', videoId: id, ms: 400 })
  const jobId = await client.submit({ url: watchUrl(id) })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id }, 15_000)
  expect((await terminate(system.workers[0] as TestSystem['api'])).code).toBe(0)
  expect((await client.get<Job>(`/videos/status/${jobId}`)).data.status).toBe('completed')
})

test('the API told to stop answers who waits, and ends', async () => {
  const client = await system.createClient()
  const { id } = SAMPLE_TALKS.spanish
  system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await client.submit({ url: watchUrl(id) })
  await system.platform.waitForRequest({ kind: 'timedtext', videoId: id }, 15_000)
  const waiting = client.get<Job>(`/videos/status/${jobId}?wait=60`)
  await waitUntil('the request is being served', async () => {
    const [row] = await system.rows<{ looks: number }>(
      "SELECT count(*)::int AS looks FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%FROM jobs WHERE id = $1 AND user_id%' AND pid <> pg_backend_pid()",
    )
    return (row?.looks ?? 0) > 0
  })
  const { took, code } = await terminate(system.api)
  expect(code).toBe(0)
  expect(took).toBeLessThan(IN_TIME_MS)
  const { status, data } = await waiting
  expect([status, data.status]).toEqual([200, 'processing'])
})
