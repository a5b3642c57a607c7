import { createMetrics, type MetricsServer } from './metrics.ts'

let server: MetricsServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('serves counters and the metrics of the process as Prometheus text', async () => {
  const metrics = createMetrics()
  const count = metrics.counter('subtext_things_total', 'Things.', ['kind'])
  const took = metrics.duration('subtext_thing_seconds', 'Time of things.', ['kind'])
  server = await metrics.serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  count({ kind: 'a' })
  count({ kind: 'a' })
  took({ kind: 'b' }, 0.02)

  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  expect(text).toContain('subtext_things_total{kind="a"} 2')
  expect(text).toContain('subtext_thing_seconds_bucket{le="0.025",kind="b"} 1')
  expect(text).toContain('subtext_thing_seconds_count{kind="b"} 1')
  expect(text).toMatch(/^process_cpu_seconds_total /m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
})

test('adds amounts to counters and reads gauges when metrics are requested', async () => {
  const metrics = createMetrics()
  const add = metrics.counter('subtext_tokens_total', 'Tokens.', ['kind'])
  let value = 7
  metrics.gauge('subtext_places', 'Places.', ['state'], async () => [[{ state: 'taken' }, value]])
  metrics.gauge('subtext_limit', 'Limit.', [], async () => [[{}, value]])
  metrics.gauge('subtext_lost', 'Lost.', [], () => Promise.reject(new Error('away')))
  server = await metrics.serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  add({ kind: 'a' }, 20)
  add({ kind: 'a' }, 0)
  add({ kind: 'a' })
  const read = async () => (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text()
  const text = await read()
  expect(text).toContain('subtext_tokens_total{kind="a"} 21')
  expect(text).toContain('subtext_places{state="taken"} 7')
  expect(text).toContain('subtext_limit 7')
  expect(text).not.toMatch(/^subtext_lost \d/m)
  value = 8
  expect(await read()).toContain('subtext_places{state="taken"} 8')
})

test('serves the health checks beside the metrics', async () => {
  const health = {
    live: () => ({ ok: true, body: { status: 'ok' } }),
    ready: async () => ({ ok: false, body: { status: 'unavailable', away: ['postgres'] } }),
  }
  server = await createMetrics().serve({ METRICS_PORT: 0, HOST: '127.0.0.1' }, health)
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server?.port}${path}`)
    return [response.status, response.headers.get('content-type'), await response.json()]
  }
  expect(await read('/health/live')).toEqual([200, 'application/json', { status: 'ok' }])
  expect(await read('/health/ready')).toEqual([503, 'application/json', { status: 'unavailable', away: ['postgres'] }])
})

test('answers no other path and no other method', async () => {
  server = await createMetrics().serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  const origin = `http://127.0.0.1:${server.port}`
  for (const path of ['', '/health/live', '/constructor', '/__proto__']) {
    expect((await fetch(`${origin}${path}`)).status).toBe(404)
  }
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405)
})

test('rejects a port that is in use, and serves nothing without a port', async () => {
  server = await createMetrics().serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  await expect(createMetrics().serve({ METRICS_PORT: server.port, HOST: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  const none = await createMetrics().serve({ HOST: '127.0.0.1' })
  expect(none.port).toBeUndefined()
  await none.close()
})
