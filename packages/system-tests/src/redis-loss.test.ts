import { findRedisServer } from '@subtext/embedded'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip
const TALKS = [SAMPLE_TALKS.english, SAMPLE_TALKS.french, SAMPLE_TALKS.hindi]

describeWithRedis('Redis is lost (needs redis-server)', () => {
  let system: TestSystem
  let client: Client

  beforeAll(async () => {
    system = await startTestSystem({ workers: 0, ownRedis: true, settings: { JOB_LEASE_SECONDS: '15' } })
    client = await system.createClient()
  })
  afterAll(() => system.close())

  const submitAll = () =>
    Promise.all(
      TALKS.map(({ id }) => client.submit({ url: watchUrl(id), webhook_url: `${system.receiver.origin}/hook` })),
    )
  const expectAllDone = async (jobIds: string[]) => {
    for (const jobId of jobIds) expect((await client.follow(jobId)).status).toBe('completed')
    for (const jobId of jobIds) await system.receiver.waitFor(({ body }) => body.includes(jobId))
    expect(await findViolations(system)).toEqual({})
  }

  test('killed and emptied between acceptance and work: every job is done', async () => {
    const jobIds = await submitAll()
    await system.redis.crash()
    await system.redis.start()
    system.startWorker()
    await expectAllDone(jobIds)
  })

  test('away when jobs are submitted: accepted at once, done when it is back, by the same worker', async () => {
    await system.redis.crash()
    const began = performance.now()
    const jobIds = await submitAll()
    expect(performance.now() - began).toBeLessThan(3_000)
    const health = await fetch(`${system.baseUrl}/health/ready`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'degraded', away: ['redis'] }])
    await system.redis.start()
    await expectAllDone(jobIds)
  })

  test('lost in the middle of a job: the job ends without it', async () => {
    const { id } = SAMPLE_TALKS.korean
    system.platform.delay({ kind: 'timedtext', videoId: id, ms: 1_500 })
    const jobId = await client.submit({ url: watchUrl(id), webhook_url: `${system.receiver.origin}/hook` })
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
    await system.redis.crash()
    await expectAllDone([jobId])
    await system.redis.start()
    await expectAllDone(await submitAll())
  })

  test('apps stop while it is away', async () => {
    await system.redis.crash()
    // `close` fails where an app does not stop in time.
  })
})
