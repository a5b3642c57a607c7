import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { createRequestCounter } from '../usage/index.ts'
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts'

const DAY_MS = 86_400_000
const { db } = useTestDatabase()
let aheadMs = DAY_MS
const differences: number[] = []
let clock: DatabaseClock
beforeEach(async () => {
  aheadMs = DAY_MS
  differences.length = 0
  clock = createDatabaseClock(db, {
    systemNow: () => Date.now() + aheadMs,
    onDifference: (ms) => void differences.push(Math.round(ms / DAY_MS)),
  })
  await clock.measure()
})
afterEach(() => clock.close())

const differenceToDatabase = async (): Promise<number> => {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return Math.abs(clock.now().getTime() - (rows[0]?.now.getTime() ?? 0))
}

test('agrees with the database on a machine whose clock is a day ahead, or a day behind', async () => {
  expect(await differenceToDatabase()).toBeLessThan(10_000)
  aheadMs = -DAY_MS
  await clock.measure()
  expect(await differenceToDatabase()).toBeLessThan(10_000)
  expect(differences).toEqual([1, -1])
})

test('leaves a machine alone whose clock is right', async () => {
  aheadMs = 0
  await clock.measure()
  differences.length = 0
  const before = Date.now()
  const now = clock.now().getTime()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
  await clock.measure()
  expect(differences).toEqual([])
})

test.each([DAY_MS, -DAY_MS])(
  'ignores a measurement during which the clock of the machine is set (by %i ms)',
  async (ms) => {
    const before = await differenceToDatabase()
    expect(before).toBeLessThan(10_000)
    const measuring = clock.measure()
    aheadMs += ms
    await measuring
    aheadMs -= ms
    expect(await differenceToDatabase()).toBeLessThan(10_000)
  },
)

test('keeps the last known difference while the database is unavailable', async () => {
  const query = db.query
  db.query = () => Promise.reject(new Error('away'))
  await expect(clock.measure()).rejects.toThrow('away')
  db.query = query
  expect(await differenceToDatabase()).toBeLessThan(10_000)
})

test('books requests to the hour of the database', async () => {
  const log = { info() {}, warn() {}, error() {} }
  const counter = createRequestCounter({ db, clock: clock.now, log })
  const actor = { userId: randomUUID(), apiKeyId: randomUUID(), plan: 'pro' as const, scopes: ['read' as const] }
  counter.count(actor, 'GET /usage/current', true)
  await counter.close()
  const { rows } = await db.query<{ isNow: boolean }>(
    `SELECT starts_at BETWEEN now() - interval '2 hours' AND now() AS "isNow" FROM usage_rollups
     WHERE user_id = $1 AND span = 'hour'`,
    [actor.userId],
  )
  expect(rows).toEqual([{ isNow: true }])
})
