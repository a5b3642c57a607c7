import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, type TestSystem, useClient, watchUrl } from '@subtext/testbed'
import { describeWithRedis, useOutageSystem } from './use-outage-system.ts'

describeWithRedis('apps that are told to stop during an outage (needs redis-server)', () => {
  const system = useOutageSystem()
  const client = useClient(system, { scopes: ['admin'] })
  afterEach(() => system.platform.forgetFaults())

  /**
   * Returns the exit code: 0 if the app ended by itself. One that exceeds its SHUTDOWN_GRACE_SECONDS by five seconds exits
   * with 1.
   */
  async function terminate(app: TestSystem['api'] | undefined): Promise<number | null> {
    app?.kill('SIGTERM')
    return (await app?.exited) ?? null
  }
  const terminateAll = () => Promise.all([system.workers.at(-1), system.webhooks, system.api].map(terminate))
  async function startAll(): Promise<void> {
    await system.startApi()
    system.startWebhooks()
    system.startWorker()
  }
  /** Submits a video whose captions never arrive, and returns the job when it waits for them. */
  async function submitHanging(): Promise<string> {
    const { id } = system.addCopy(SAMPLE_TALKS.spanish)
    system.platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang', times: Number.POSITIVE_INFINITY })
    const jobId = await client.submit({ url: watchUrl(id) })
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
    return jobId
  }

  const attemptsOf = async (jobId: string) =>
    (await system.rows<{ attempts: number }>('SELECT attempts FROM jobs WHERE id = $1', [jobId]))[0]?.attempts

  test('include a worker that hands its job back without Redis, and the next worker does the job', async () => {
    const jobId = await submitHanging()
    await system.redis.crash()
    expect(await terminate(system.workers.at(-1))).toBe(0)
    expect(await attemptsOf(jobId)).toBe(0)
    system.platform.forgetFaults()
    await system.redis.start()
    system.startWorker()
    expect((await client.follow(jobId)).status).toBe('completed')
    expect(await attemptsOf(jobId)).toBe(1)
    expect(await findViolations(system)).toEqual({})
  })

  test('all end while Redis is away', async () => {
    await system.redis.crash()
    expect(await terminateAll()).toEqual([0, 0, 0])
    await system.redis.start()
    await startAll()
  })

  const untilPostgresIsBack = () => waitUntil('Postgres is back', () => system.rows('SELECT 1').catch(() => null))

  test('all end while Postgres is away, and the job is done in the end', async () => {
    const jobId = await submitHanging()
    await system.postgres.crash()
    expect(await terminateAll()).toEqual([0, 0, 0])
    system.platform.forgetFaults()
    await system.postgres.start()
    await untilPostgresIsBack()
    await system.expireLeases()
    await startAll()
    expect((await client.follow(jobId)).status).toBe('completed')
    expect(await findViolations(system)).toEqual({})
  })

  test('all end while both are away', async () => {
    await submitHanging()
    await Promise.all([system.postgres.crash(), system.redis.crash()])
    expect(await terminateAll()).toEqual([0, 0, 0])
    await Promise.all([system.postgres.start(), system.redis.start()])
    await untilPostgresIsBack()
  })
})
