import { createMetrics } from './metrics.ts'
import type { MetricsServer } from './metrics-server.ts'
import { createProcessMetrics } from './process-metrics.ts'

let server: MetricsServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('serves counters and the metrics of the process as Prometheus text', async () => {
  const metrics = createMetrics()
  const count = metrics.counter('subtext_things_total', 'Things.', { kind: ['a', 'b'] })
  const took = metrics.duration('subtext_thing_seconds', 'Time of things.', { kind: 'any' })
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
  const add = metrics.counter('subtext_tokens_total', 'Tokens.', { kind: ['a'] })
  let value = 7
  metrics.gauge('subtext_places', 'Places.', { state: ['taken'] })(async () => [[{ state: 'taken' }, value]])
  metrics.gauge('subtext_limit', 'Limit.', {})(async () => [[{}, value]])
  metrics.gauge('subtext_lost', 'Lost.', {})(() => Promise.reject(new Error('away')))
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
    services: async () => ({}),
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
  const refused = await fetch(`${origin}/metrics`, { method: 'POST' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('answers HEAD like GET, without the text', async () => {
  server = await createMetrics().serve({ METRICS_PORT: 0, HOST: '127.0.0.1' })
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await response.text()).toBe('')
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

describe('the series of a metric', () => {
  const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith(name))

  test('start at zero if all values of the labels are known, so that the first event is an increase', async () => {
    const metrics = createMetrics()
    metrics.counter('subtext_a_total', 'A.', { lane: ['high', 'normal'], kind: ['x'] })
    metrics.duration('subtext_b_seconds', 'B.', { lane: ['high'] }, [1])
    metrics.counter('subtext_c_total', 'C.', { route: 'the path of a route' })
    metrics.counter('subtext_d_total', 'D.', {})
    expect(await linesOf(metrics, 'subtext_')).toEqual([
      'subtext_a_total{lane="high",kind="x"} 0',
      'subtext_a_total{lane="normal",kind="x"} 0',
      'subtext_b_seconds_bucket{le="1",lane="high"} 0',
      'subtext_b_seconds_bucket{le="+Inf",lane="high"} 0',
      'subtext_b_seconds_sum{lane="high"} 0',
      'subtext_b_seconds_count{lane="high"} 0',
      'subtext_d_total 0',
    ])
  })

  test('have no values other than the known ones', async () => {
    const metrics = createMetrics()
    const count = metrics.counter('subtext_a_total', 'A.', { kind: ['x'] })
    count({ kind: 'somebody@example.org' as 'x' })
    expect(await linesOf(metrics, 'subtext_')).toEqual([
      'subtext_a_total{kind="x"} 0',
      'subtext_a_total{kind="other"} 1',
    ])
  })

  test('are at most a thousand, whatever the labels are', async () => {
    const metrics = createMetrics()
    const count = metrics.counter('subtext_a_total', 'A.', { id: 'unlimited by mistake' })
    for (let id = 0; id < 1_500; id++) count({ id: `${id}` })
    count({ id: '7' })
    const lines = await linesOf(metrics, 'subtext_')
    expect(lines).toHaveLength(1_001)
    expect(lines).toContain('subtext_a_total{id="7"} 2')
    expect(lines).toContain('subtext_a_total{id="other"} 500')
  })
})

test('a gauge that nothing responds to keeps no other metric from being read', async () => {
  const metrics = createMetrics()
  metrics.gauge('subtext_hanging', 'Hangs.', {})(() => new Promise(() => {}))
  metrics.gauge('subtext_unread', 'Has no reader.', {})
  metrics.gauge('subtext_fine', 'Fine.', {})(async () => [[{}, 1]])
  const lines = (await metrics.render()).split('\n').filter((line) => !line.startsWith('#') && line !== '')
  expect(lines).toEqual(['subtext_fine 1'])
})

test('lists what it has without any value', () => {
  const metrics = createMetrics()
  metrics.counter('subtext_a_total', 'A.', { kind: ['x'] })
  metrics.gauge('subtext_b', 'B.', {})
  metrics.duration('subtext_c_seconds', 'C.', { route: 'the path of a route' })
  expect(metrics.list()).toEqual([
    { name: 'subtext_a_total', type: 'counter', help: 'A.', labels: { kind: ['x'] } },
    { name: 'subtext_b', type: 'gauge', help: 'B.', labels: {} },
    { name: 'subtext_c_seconds', type: 'histogram', help: 'C.', labels: { route: 'the path of a route' } },
  ])
})

test('reports the version of the process and the services that it can reach', async () => {
  const metrics = createMetrics()
  createProcessMetrics(metrics).observe('1.2.3', { services: async () => ({ postgres: true, redis: false }) })
  const text = await metrics.render()
  expect(text).toContain('subtext_build_info{version="1.2.3"} 1')
  expect(text).toContain('subtext_dependency_up{dependency="postgres"} 1')
  expect(text).toContain('subtext_dependency_up{dependency="redis"} 0')
})
