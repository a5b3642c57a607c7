import { listMissingForSentinel, waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, useClient, useTestSystem, watchUrl } from '@subtext/testbed'

const isInstalled = listMissingForSentinel().length === 0
const testWithSentinel = isInstalled ? test : test.skip

const system = useTestSystem(isInstalled ? { sentinel: true, workers: 2 } : null)
const client = isInstalled ? useClient(system) : undefined

testWithSentinel(
  'a failover of Redis by Sentinel loses no job and no webhook (needs redis-server, redis-sentinel, haproxy)',
  async () => {
    if (!client) return
    const submit = () =>
      client.submit({
        url: watchUrl(system.addCopy(SAMPLE_TALKS.english).id),
        webhook_url: `${system.receiver.origin}/hook`,
      })
    const before = await Promise.all(Array.from({ length: 10 }, submit))
    const failingOver = system.sentinel.failOver()
    const during = await Promise.all(Array.from({ length: 10 }, submit))
    await failingOver
    const after = await Promise.all(Array.from({ length: 5 }, submit))
    const jobs = await Promise.all([...before, ...during, ...after].map((id) => client.follow(id)))
    expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'))
    const receivedIds = () => system.receiver.received.map(({ body }) => JSON.parse(body.toString()).data.job_id)
    await waitUntil('every job has a webhook', () => new Set(receivedIds()).size === jobs.length)
    expect(receivedIds().sort()).toEqual(jobs.map(({ job_id }) => job_id).sort())
    expect(await findViolations(system)).toEqual({})
  },
)
