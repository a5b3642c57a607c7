import { createHealth, type HealthOptions, watchLoops } from './health.ts'

type Line = [level: string, message: string, fields?: unknown]

function openHealth(options: Partial<HealthOptions> = {}) {
  const lines: Line[] = []
  const add = (level: string) => (message: string, fields?: unknown) => void lines.push([level, message, fields])
  const log = { info: add('info'), warn: add('warn'), error: add('error') }
  const up = { postgres: true, redis: true }
  const draining = new AbortController()
  const health = createHealth({
    log,
    required: { postgres: async () => (up.postgres ? [] : Promise.reject(new Error('refused'))) },
    optional: { redis: () => up.redis },
    draining: draining.signal,
    ...options,
  })
  return { health, up, lines, draining }
}

test('is ready while every service is up, and says nothing in the log', async () => {
  const { health, lines } = openHealth()
  expect(await health.ready()).toEqual({ ok: true, body: { status: 'ready', away: [] } })
  expect(health.live()).toEqual({ ok: true, body: { status: 'ok' } })
  expect(lines).toEqual([])
})

test('is not ready without a required service, and names all that are away', async () => {
  const { health, up } = openHealth()
  Object.assign(up, { postgres: false, redis: false })
  expect(await health.ready()).toEqual({ ok: false, body: { status: 'unavailable', away: ['postgres', 'redis'] } })
})

test('stays ready without an optional service, and names it', async () => {
  const { health, up } = openHealth()
  up.redis = false
  expect(await health.ready()).toEqual({ ok: true, body: { status: 'degraded', away: ['redis'] } })
})

test('is alive while every service is away, which a restart would not bring back', async () => {
  const { health, up } = openHealth()
  Object.assign(up, { postgres: false, redis: false })
  await health.ready()
  expect(health.live().ok).toBe(true)
})

test('logs each change of what is away once, however often it is asked', async () => {
  const { health, up, lines } = openHealth()
  const ask = () => Promise.all([health.ready(), health.ready(), health.ready()])
  up.redis = false
  await ask()
  up.postgres = false
  await ask()
  Object.assign(up, { postgres: true, redis: true })
  await ask()
  expect(lines).toEqual([
    ['warn', 'working without a service', { away: ['redis'] }],
    ['warn', 'not ready', { away: ['postgres', 'redis'] }],
    ['info', 'ready again', undefined],
  ])
})

test('counts a service that does not respond as away', async () => {
  const { health } = openHealth({ required: { postgres: () => new Promise(() => {}) } })
  expect(await health.ready()).toMatchObject({ ok: false, body: { away: ['postgres'] } })
})

test('is alive but not ready while it stops', async () => {
  let time = 0
  const loops = watchLoops(['sweep'], () => time)
  const { health, draining, lines } = openHealth({ loops })
  draining.abort()
  time += 600_000
  expect(health.live().ok).toBe(true)
  expect(await health.ready()).toEqual({ ok: false, body: { status: 'draining', away: [] } })
  expect(lines).toEqual([])
})

test('is not alive when a loop has not completed a round for a minute, names it and logs it once', () => {
  let time = 0
  const loops = watchLoops(['wake', 'sweep'], () => time)
  const { health, lines } = openHealth({ loops })
  time = 60_000
  expect(health.live().ok).toBe(true)
  loops.completed('wake')
  time = 60_001
  expect(health.live()).toEqual({ ok: false, body: { status: 'stuck', loops: ['sweep'] } })
  expect(health.live().ok).toBe(false)
  expect(lines).toEqual([['error', 'stuck', { loops: ['sweep'] }]])
  loops.completed('sweep')
  expect(health.live().ok).toBe(true)
})

test('a loop that is not watched keeps nothing alive', () => {
  let time = 0
  const loops = watchLoops(['sweep'], () => time)
  time = 60_001
  loops.completed('purge')
  expect(loops.stuck()).toEqual(['sweep'])
})
