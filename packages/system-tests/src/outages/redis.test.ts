import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { describeWithRedis, useOutageSystem } from './use-outage-system.ts'

const TALKS = [SAMPLE_TALKS.english, SAMPLE_TALKS.french, SAMPLE_TALKS.hindi]
const SUBMIT_INTERVAL_MS = 250

describeWithRedis('an outage of Redis (needs redis-server)', () => {
  const system = useOutageSystem()
  /** Runs `work` while Redis is away. Redis also returns when `work` fails: later tests need it. */
  const withoutRedis = async <T>(work: () => Promise<T>): Promise<T> => {
    await system.redis.crash()
    try {
      return await work()
    } finally {
      await system.redis.start()
    }
  }

  const client = useClient(system, { scopes: ['admin'] })
  const submit = (videoId: string) =>
    client.submit({ url: watchUrl(videoId), webhook_url: `${system.receiver.origin}/hook` })
  const submitAll = () => Promise.all(TALKS.map(({ id }) => submit(id)))
  const expectAllDone = async (jobIds: string[]) => {
    for (const jobId of jobIds) expect((await client.follow(jobId)).status).toBe('completed')
    for (const jobId of jobIds) await system.receiver.waitFor(({ body }) => body.includes(jobId))
    expect(await findViolations(system)).toEqual({})
  }

  test('loses no job, when Redis is killed and emptied between acceptance and work', async () => {
    const worker = system.workers.at(-1)
    worker?.kill('SIGTERM')
    await worker?.exited
    const jobIds = await submitAll()
    await withoutRedis(async () => {})
    system.startWorker()
    await expectAllDone(jobIds)
  })

  test('lets jobs be accepted meanwhile, and the same worker does them when Redis is back', async () => {
    const readHealth = async () => {
      const response = await fetch(`${system.baseUrl}/health/ready`)
      return { status: response.status, body: await response.json() }
    }
    const jobIds = await withoutRedis(async () => {
      const accepted = await submitAll()
      await waitUntil('the API names Redis', async () => (await readHealth()).body.away.includes('redis'))
      expect(await readHealth()).toEqual({ status: 200, body: { status: 'degraded', away: ['redis'] } })
      return accepted
    })
    await expectAllDone(jobIds)
  })

  test('does not keep a running job from its end', async () => {
    const { id } = system.addCopy(SAMPLE_TALKS.korean)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    const jobId = await submit(id)
    await system.platform.waitForRequest({ kind: 'timedtext', videoId: id })
    await withoutRedis(async () => {
      release()
      await expectAllDone([jobId])
    })
    await expectAllDone(await submitAll())
  })

  test.each([1, 8])('of %i s ends with the worker doing all that was accepted meanwhile', async (seconds) => {
    await client.follow(await submit(SAMPLE_TALKS.english.id))
    const jobIds: string[] = []
    await withoutRedis(async () => {
      for (const end = performance.now() + seconds * 1_000; performance.now() < end; await sleep(SUBMIT_INTERVAL_MS)) {
        jobIds.push(await submit(SAMPLE_TALKS.english.id))
      }
    })
    await expectAllDone(jobIds)
  })

  test('lifts request limits, and they are held again when Redis is back', async () => {
    const limited = await system.createClient({ plan: 'free' })
    const request = async () => {
      const response = await limited.fetch('/usage/current')
      await response.arrayBuffer()
      return { status: response.status, used: response.headers.get('x-ratelimit-used') }
    }
    const requestTimes = async (count: number) => {
      const seen = []
      for (let round = 0; round < count; round++) seen.push(await request())
      return seen
    }
    const countFallbacks = async () =>
      Number((await system.readMetrics('api')).match(/^subtext_request_limit_fallbacks_total (\d+)$/m)?.[1])
    const logged = (await system.readLogs()).length
    const fallbacks = await countFallbacks()

    expect((await requestTimes(4)).map(({ status }) => status)).toEqual([200, 200, 200, 429])
    await withoutRedis(async () => {
      const away = await requestTimes(10)
      expect(away.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(away.map(({ used }) => used)).toEqual(['1', '2', ...Array.from({ length: 8 }, () => '3')])
      expect((await countFallbacks()) - fallbacks).toBe(10)
    })
    await waitUntil('limits are held again', async () => (await request()).status === 429)
    const lines = (await system.readLogs()).slice(logged).split('\n')
    const states = lines.filter((line) => line.includes('"request limits"')).map((line) => JSON.parse(line).state)
    expect(states).toEqual(['suspended', 'held'])
  })
})
