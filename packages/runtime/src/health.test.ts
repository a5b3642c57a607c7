import { createHealth, type HealthOptions, watchLoops } from './health.ts'

type Line = [level: string, message: string, fields?: unknown]

function openHealth(options: Partial<HealthOptions> = {}) {
  const lines: Line[] = []
  const add = (level: string) => (message: string, fields?: unknown) => void lines.push([level, message, fields])
  const log = { info: add('info'), warn: add('warn'), error: add('error') }
  const up = { postgres: true, redis: true }
  const draining = new AbortController()
  const checks = { postgres: 0 }
  const clock = { time: 0 }
  const health = createHealth({
    log,
    required: {
      postgres: async () => {
        checks.postgres++
        if (!up.postgres) throw new Error('refused')
      },
    },
    optional: { redis: () => up.redis },
    draining: draining.signal,
    now: () => clock.time,
    ...options,
  })
  return { health, up, lines, draining, checks, clock }
}

test('is ready while every service is up, and logs nothing', async () => {
  const { health, lines } = openHealth()
  expect(await health.ready()).toEqual({ ok: true, body: { status: 'ready', away: [] } })
  expect(health.live()).toEqual({ ok: true, body: { status: 'ok' } })
  expect(lines).toEqual([])
})

test('is not ready without a required service, and names all unavailable ones', async () => {
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

test('asks the services at most once a second, for all callers together', async () => {
  const { health, up, checks, clock } = openHealth()
  const ask = () => Promise.all(Array.from({ length: 100 }, () => health.ready()))
  expect((await ask()).every(({ ok }) => ok)).toBe(true)
  up.postgres = false
  clock.time = 999
  expect((await ask()).every(({ ok }) => ok)).toBe(true)
  expect(checks.postgres).toBe(1)
  clock.time = 1_000
  expect((await ask()).some(({ ok }) => ok)).toBe(false)
  expect(checks.postgres).toBe(2)
})

test('does not ask a service again while it has not responded', async () => {
  let asked = 0
  let respond = (): void => {}
  const required = {
    postgres: () => {
      asked++
      return new Promise<void>((resolve) => {
        respond = resolve
      })
    },
  }
  const { health, clock } = openHealth({ required })
  const first = health.ready()
  clock.time = 5_000
  const second = health.ready()
  expect(asked).toBe(1)
  respond()
  expect(await Promise.all([first, second])).toEqual(Array(2).fill({ ok: true, body: { status: 'ready', away: [] } }))
  void health.ready()
  expect(asked).toBe(2)
})

test('reports at once that it is stopping, whatever was found before', async () => {
  const { health, draining, checks } = openHealth()
  await health.ready()
  draining.abort()
  expect(await health.ready()).toMatchObject({ ok: false, body: { status: 'draining' } })
  expect(checks.postgres).toBe(1)
})

test('logs each change of unavailable services once, however often it is asked', async () => {
  const { health, up, lines, clock } = openHealth()
  const ask = async () => {
    clock.time += 1_000
    await Promise.all([health.ready(), health.ready(), health.ready()])
  }
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

test('counts a service that does not respond as unavailable', async () => {
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
