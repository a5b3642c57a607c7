import { findRedisServer } from '@subtext/embedded'
import { findMetricsPort, waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

let system: TestSystem
afterEach(() => system.close())

const scrape = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

test('every app tells its numbers, and nobody’s key, id or address', async () => {
  const port = await findMetricsPort()
  system = await startTestSystem({ settings: { METRICS_PORT: String(port) } })
  const client = await system.createClient()
  const jobId = await client.submit({
    url: watchUrl(SAMPLE_TALKS.english.id),
    webhook_url: `${system.receiver.origin}/hook-of-mine`,
  })
  await client.follow(jobId)
  await system.receiver.waitFor(({ body }) => body.includes(jobId))
  await fetch(`${system.baseUrl}/nowhere/${client.key}`)
  const [api, worker, webhooks] = (await Promise.all([port, port + 1, port + 2].map(scrape))) as [
    string,
    string,
    string,
  ]

  expect(api).toMatch(
    /subtext_http_request_seconds_count\{method="POST",route="\/api\/v1\/videos\/process",status="202"\} 1/,
  )
  expect(api).toMatch(/subtext_http_request_seconds_count\{method="GET",route="unknown",status="404"\} 1/)
  expect(api).toContain('subtext_request_limit_fallbacks_total 0')
  expect(worker).toContain('subtext_jobs_total{outcome="completed"} 1')
  expect(webhooks).toContain('subtext_webhook_attempts_total{result="2xx"} 1')
  for (const text of [api, worker, webhooks]) {
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    for (const secret of [client.key, client.userId, jobId, 'hook-of-mine', SAMPLE_TALKS.english.id]) {
      expect(text).not.toContain(secret)
    }
  }
})

const describeWithRedis = findRedisServer() ? describe : describe.skip

describeWithRedis('request limits while Redis is away (needs redis-server)', () => {
  let client: Client
  let metricsPort: number
  beforeAll(async () => {
    metricsPort = await findMetricsPort()
    system = await startTestSystem({
      workers: 0,
      ownRedis: true,
      settings: { RATE_LIMIT_PRO: '3', METRICS_PORT: String(metricsPort) },
    })
    client = await system.createClient()
  })

  const request = async () => {
    const began = performance.now()
    const response = await client.fetch('/usage/current')
    await response.arrayBuffer()
    return { status: response.status, used: response.headers.get('x-ratelimit-used'), ms: performance.now() - began }
  }
  const statuses = async (count: number) => {
    const seen: number[] = []
    for (let round = 0; round < count; round++) seen.push((await request()).status)
    return seen
  }

  test('are lifted without delay, and held again when it is back', async () => {
    expect(await statuses(4)).toEqual([200, 200, 200, 429])
    await system.redis.crash()
    const away = []
    for (let round = 0; round < 10; round++) away.push(await request())
    expect(away.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(away.map(({ used }) => used)).toEqual(['1', '2', ...Array.from({ length: 8 }, () => '3')])
    expect(Math.max(...away.map(({ ms }) => ms))).toBeLessThan(1_500)
    expect(await scrape(metricsPort)).toContain('subtext_request_limit_fallbacks_total 10')

    await system.redis.start()
    await waitUntil('limits are held again', async () => (await request()).status === 429, 10_000)
    const log = (await system.readLogs()).split('\n').filter((line) => line.includes('"request limits"'))
    expect(log.map((line) => JSON.parse(line).state)).toEqual(['suspended', 'held'])
  })
})
