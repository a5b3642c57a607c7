import { findRedisServer } from '@subtext/embedded'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip
/** The grace of these apps, what they need to close everything, and a loaded machine. */
const IN_TIME_MS = 8_000

describeWithRedis('told to stop while a server is away (needs redis-server)', () => {
  let system: TestSystem
  let client: Client

  beforeEach(async () => {
    // Far longer than the test: who waits for a lease to run out fails.
    system = await startTestSystem({ ownRedis: true, ownPostgres: true, settings: { JOB_LEASE_SECONDS: '120' } })
    client = await system.createClient()
  })
  afterEach(() => system.close())

  async function terminate(app: TestSystem['api']): Promise<number | null> {
    const began = performance.now()
    app.kill('SIGTERM')
    const code = await app.exited
    expect(performance.now() - began).toBeLessThan(IN_TIME_MS)
    return code
  }
  /** A job whose captions never come. */
  async function submitHanging(): Promise<string> {
    const { id } = SAMPLE_TALKS.spanish
    system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
    const jobId = await client.submit({ url: watchUrl(id) })
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
    return jobId
  }
  const attemptsOf = async (jobId: string) =>
    (await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId]))[0]?.attempts

  test('Redis: a worker hands its job back all the same, and the next one does it', async () => {
    const jobId = await submitHanging()
    await system.redis.crash()
    expect(await terminate(system.workers[0] as TestSystem['api'])).toBe(0)
    expect(await attemptsOf(jobId)).toBe(0)
    await system.redis.start()
    system.startWorker()
    expect((await client.follow(jobId)).status).toBe('completed')
    expect(await attemptsOf(jobId)).toBe(1)
    expect(await findViolations(system)).toEqual({})
  })

  test('Postgres: every app ends, and the job is done after all', async () => {
    const jobId = await submitHanging()
    await system.postgres.crash()
    const codes = await Promise.all(
      [system.workers[0] as TestSystem['api'], system.webhooks, system.api].map(terminate),
    )
    expect(codes).toEqual([0, 0, 0])
    await system.postgres.start()
    await waitUntil('Postgres is back', () => system.rows('SELECT 1').catch(() => null))
    // The leases that could not be given back, run out before their time.
    await system.rows('UPDATE jobs SET wake_at = now()')
    await system.rows('DELETE FROM leases')
    system.startWorker()
    await waitUntil('the job is done', async () => {
      const [job] = await system.rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [jobId])
      return job?.status === 'completed'
    })
    expect(await findViolations(system)).toEqual({})
  })

  test('both: every app ends', async () => {
    await submitHanging()
    await Promise.all([system.postgres.crash(), system.redis.crash()])
    const codes = await Promise.all(
      [system.workers[0] as TestSystem['api'], system.webhooks, system.api].map(terminate),
    )
    expect(codes).toEqual([0, 0, 0])
    await system.postgres.start()
  })
})
