import { findRedisServer } from '@subtext/embedded'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const describeWithRedis = findRedisServer() ? describe : describe.skip
const SUBMIT_EVERY_MS = 250
/** A worker is to be back within three seconds; the rest is for a loaded machine. */
const BACK_WITHIN_MS = 6_000

describeWithRedis('Redis is away for a while (needs redis-server)', () => {
  let system: TestSystem
  let client: Client

  beforeAll(async () => {
    system = await startTestSystem({ ownRedis: true, settings: { JOB_LEASE_SECONDS: '15' } })
    client = await system.createClient({ scopes: ['admin'] })
  })
  afterAll(() => system.close())

  test.each([1, 8])('%i s: everything is accepted meanwhile, and the worker is soon at work again', async (seconds) => {
    await client.follow(await client.submit({ url: watchUrl(SAMPLE_TALKS.english.id) }))
    await system.redis.crash()
    const until = performance.now() + seconds * 1_000
    const jobIds: string[] = []
    await waitUntil(
      'the outage is over',
      async () => {
        const began = performance.now()
        jobIds.push(await client.submit({ url: watchUrl(SAMPLE_TALKS.english.id) }))
        expect(performance.now() - began).toBeLessThan(2_000)
        await new Promise((resolve) => setTimeout(resolve, SUBMIT_EVERY_MS))
        return performance.now() > until
      },
      seconds * 1_000 + 10_000,
    )
    await system.redis.start()
    const back = new Date()
    for (const jobId of jobIds) expect((await client.follow(jobId)).status).toBe('completed')
    const [first] = await system.rows<{ startedAt: Date }>(
      'SELECT min(started_at) AS "startedAt" FROM jobs WHERE id = ANY ($1::uuid[])',
      [jobIds],
    )
    expect((first?.startedAt.getTime() ?? 0) - back.getTime()).toBeLessThan(BACK_WITHIN_MS)
    expect(await findViolations(system)).toEqual({})
  })
})
