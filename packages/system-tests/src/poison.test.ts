import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

let system: TestSystem
let client: Client

beforeAll(async () => {
  system = await startTestSystem({ settings: { JOB_LEASE_SECONDS: '2' } })
  client = await system.createClient({ plan: 'pro' })
}, 60_000)
afterAll(() => system.close())

const poison = { kind: 'timedtext', videoId: SAMPLE_TALKS.korean.id } as const
const attemptsOf = async (jobId: string) =>
  (await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId]))[0]?.attempts
const used = async () =>
  (
    await system.rows<{ used: number }>("SELECT used FROM quota_usage WHERE user_id = $1 AND period = 'day'", [
      client.userId,
    ])
  )[0]?.used

/** Ends the worker as soon as it has asked for the captions of the video for the `nth` time, which are never answered. */
async function endWorker(signal: 'SIGKILL' | 'SIGTERM', nth: number): Promise<void> {
  await waitUntil(`request ${nth}`, () => system.platform.count(poison) === nth)
  const worker = system.workers.at(-1)
  worker?.kill(signal)
  expect(await worker?.exited).toBe(signal === 'SIGKILL' ? null : 0)
}

const ENDS = ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGKILL'] as const
const ATTEMPTS_AFTER = [0, 1, 2, 2, 3, 4, 5]

test('a job that kills its worker every time ends after five deaths; workers that leave do not count', async () => {
  for (const _ of ENDS) system.platform.failNext({ ...poison, outcome: 'hang' })
  const hook = `${system.receiver.origin}/hook`
  const jobId = await client.submit({ url: watchUrl(poison.videoId), webhook_url: hook })
  for (const [nth, signal] of ENDS.entries()) {
    await endWorker(signal, nth + 1)
    expect(await attemptsOf(jobId)).toBe(ATTEMPTS_AFTER[nth])
    system.startWorker()
  }
  const healthy = await client.submit({ url: watchUrl(SAMPLE_TALKS.french.id), webhook_url: hook })

  const job = await client.follow(jobId)
  expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', retryable: false } })
  expect((await client.follow(healthy)).status).toBe('completed')
  expect(system.platform.count(poison)).toBe(ENDS.length)
  const webhook = await system.receiver.waitFor(({ body }) => body.includes(jobId), 10_000)
  expect(JSON.parse(webhook.body.toString())).toMatchObject({
    event: 'job.failed',
    data: { job_id: jobId, error: { code: 'INTERNAL_ERROR', retryable: false } },
  })
  expect(await used()).toBe(1)
  await system.receiver.waitFor(({ body }) => body.includes(healthy), 10_000)
  expect(await findViolations(system)).toEqual({})
}, 120_000)
