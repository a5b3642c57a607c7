import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { createReserver, recordCharged } from './reserve.ts'
import {
  chargeReservation,
  chargeShared,
  deleteOldSpending,
  findSpending,
  releaseReservation,
  reserveSpending,
  type SpendingCounter,
} from './spending-sql.ts'

const { db, pools } = useTestDatabase({ maxConnections: 8, pools: 3, per: 'test' })

const NOW = new Date('2026-11-21T12:00:00Z')
const PERIODS = { day: '2026-11-21', month: '2026-11-01' }
const EVERYONE = '00000000-0000-0000-0000-000000000000'
const userId = randomUUID()
const jobId = randomUUID()

const month = (): SpendingCounter => ({ scope: 'month', id: userId, startsOn: PERIODS.month, limitUsd: null })
const day = (limitUsd: number | null = null): SpendingCounter => ({
  scope: 'day',
  id: EVERYONE,
  startsOn: PERIODS.day,
  limitUsd,
})
const ofJob = (limitUsd: number | null): SpendingCounter => ({
  scope: 'job',
  id: jobId,
  startsOn: PERIODS.day,
  limitUsd,
})

beforeEach(async () => {
  await db.prisma.user.create({ data: { id: userId, email: 'spender@example.org', plan: 'pro' } })
})

const reserve = (amountUsd: number | null, counters: SpendingCounter[], id = randomUUID(), sql = db) =>
  reserveSpending(sql, { id, userId, counters, amountUsd, now: NOW })

const limitMonth = (monthlyLimitUsd: number | null) =>
  db.prisma.user.update({ where: { id: userId }, data: { monthlyLimitUsd } })

const readCounter = async (scope: string) => {
  const row = await db.prisma.spendingCounter.findFirst({ where: { scope } })
  return row && [Number(row.usedUsd), Number(row.reservedUsd)]
}

test('reserves against every counter, charges a part and releases the rest', async () => {
  const id = randomUUID()
  expect(await reserve(0.5, [month(), day(2), ofJob(1)], id)).toEqual({ outcome: 'reserved' })
  expect(await readCounter('job')).toEqual([0, 0.5])
  await chargeReservation(db, id, 0.2)
  for (const scope of ['month', 'day', 'job']) expect(await readCounter(scope)).toEqual([0.2, 0.3])
  await releaseReservation(db, id)
  await releaseReservation(db, id)
  for (const scope of ['month', 'day', 'job']) expect(await readCounter(scope)).toEqual([0.2, 0])
})

test('reserves against no counter if one of them has too little left', async () => {
  await limitMonth(10)
  await reserve(0.5, [month(), ofJob(0.9)])
  const refused = await reserve(0.5, [month(), ofJob(0.9)])
  expect(refused).toEqual({ outcome: 'waits', limit: { scope: 'job', limitUsd: 0.9, usedUsd: 0, reservedUsd: 0.5 } })
  expect(await readCounter('month')).toEqual([0, 0.5])
  expect(await reserve(0.91, [month(), ofJob(0.9)])).toMatchObject({ outcome: 'refused', limit: { scope: 'job' } })
})

test('counts a reservation once, however often it is repeated', async () => {
  const id = randomUUID()
  for (let nth = 0; nth < 3; nth++) expect(await reserve(1, [ofJob(1)], id)).toEqual({ outcome: 'reserved' })
  expect(await readCounter('job')).toEqual([0, 1])
})

test('takes 0 as a limit, and no limit as none', async () => {
  expect(await reserve(0.000001, [ofJob(0)])).toMatchObject({ outcome: 'refused' })
  await limitMonth(0)
  expect(await reserve(0.000001, [month()])).toMatchObject({
    outcome: 'refused',
    limit: { scope: 'month', limitUsd: 0 },
  })
  await limitMonth(null)
  expect(await reserve(1_000, [month()])).toEqual({ outcome: 'reserved' })
})

test('refuses a call of unknown price where there is a limit, and lets it pass where there is none', async () => {
  expect(await reserve(null, [month(), ofJob(null)])).toEqual({ outcome: 'reserved' })
  expect(await reserve(null, [month(), ofJob(1_000)])).toMatchObject({ outcome: 'refused' })
  expect(await db.prisma.spendingReservation.count()).toBe(0)
})

test('reads the limit of a batch from the batch', async () => {
  const id = randomUUID()
  const counter: SpendingCounter = { scope: 'batch', id, startsOn: PERIODS.day, limitUsd: null }
  await db.prisma.batch.create({ data: { id, userId, total: 2, pending: 2, maxCostUsd: 1, createdAt: NOW } })
  expect(await reserve(0.7, [counter])).toEqual({ outcome: 'reserved' })
  expect(await reserve(0.7, [counter])).toMatchObject({ outcome: 'waits', limit: { scope: 'batch', limitUsd: 1 } })
})

test('counts shared work only where it fits', async () => {
  const shared = { userId, counters: [month(), ofJob(1)] }
  expect(await chargeShared(db, { ...shared, amountUsd: 0.8 })).toEqual({ outcome: 'reserved' })
  expect(await chargeShared(db, { ...shared, amountUsd: 0.3 })).toMatchObject({ outcome: 'refused' })
  expect(await readCounter('month')).toEqual([0.8, 0])
})

test('never charges more than was reserved', async () => {
  const id = randomUUID()
  await reserve(0.1, [ofJob(0.1)], id)
  await chargeReservation(db, id, 5)
  expect(await readCounter('job')).toEqual([0.1, 0])
})

test('keeps a limit however many sessions reserve, charge, release and crash at the same time', async () => {
  await limitMonth(1)
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, async (_, nth) => {
      const sql = pools[nth % pools.length] ?? db
      const id = randomUUID()
      const { outcome } = await reserveSpending(sql, {
        id,
        userId,
        counters: nth % 2 ? [day(3), month()] : [month(), day(3)],
        amountUsd: 0.03,
        now: NOW,
      })
      // Every fifth session dies with its reservation.
      if (outcome !== 'reserved' || nth % 5 === 0) return outcome
      await chargeReservation(sql, id, 0.02)
      await releaseReservation(sql, id)
      return outcome
    }),
  )
  const reserved = outcomes.filter((outcome) => outcome === 'reserved').length
  expect(reserved).toBeGreaterThanOrEqual(33)
  const [used = 0, held = 0] = (await readCounter('month')) ?? []
  expect(used + held).toBeLessThanOrEqual(1)
  const left = await db.prisma.spendingReservation.aggregate({ _sum: { amountUsd: true } })
  expect(held).toBeCloseTo(Number(left._sum.amountUsd), 9)
  expect(await readCounter('day')).toEqual([used, held])
})

test('begins anew with each UTC day and month', async () => {
  await limitMonth(1)
  const settings = { dailyLimitUsd: 0.5, patienceMs: 0, countRefused: () => {} }
  let now = new Date('2026-11-29T23:59:59.999Z')
  const ctx = { db, clock: () => now, log: console, spending: settings }
  const call = createReserver(ctx, { userId, job: null }, { signal: new AbortController().signal })
  const pay = async () => {
    const reservation = await call(0.5)
    await recordCharged(db, { costUsd: 0.5, reservation }, async () => ({ costUsd: 0.5 }))
    await reservation.release()
  }
  await pay()
  await expect(call(0.01)).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { quota: 'spend', limit: 0.5, used: 0.5, reset_at: '2026-11-30T00:00:00.000Z' },
    retryAfterSeconds: 1,
  })
  now = new Date('2026-11-30T00:00:00Z')
  await pay()
  await expect(call(0.01)).rejects.toMatchObject({
    details: { limit: 1, used: 1, reset_at: '2026-12-01T00:00:00.000Z' },
  })
  now = new Date('2026-12-01T00:00:00Z')
  await pay()
  const spent = await findSpending(db, userId, { day: '2026-12-01', month: '2026-12-01' })
  expect(spent).toEqual({ monthLimitUsd: 1, monthUsedUsd: 0.5, monthReservedUsd: 0, dayUsedUsd: 0.5 })
})

test('waits for a running call whose reservation leaves too little', async () => {
  const settings = { dailyLimitUsd: 1, patienceMs: 5_000, countRefused: () => {} }
  const ctx = { db, clock: () => NOW, log: console, spending: settings }
  const call = createReserver(ctx, { userId, job: null }, { signal: new AbortController().signal })
  const running = await call(0.7)
  const waiting = call(0.7)
  await running.release()
  expect((await waiting).maxCostUsd).toBe(0.7)
})

test('waits for no call of the same job that a killed process has left', async () => {
  const settings = { dailyLimitUsd: null, patienceMs: 600_000, countRefused: () => {} }
  const ctx = { db, clock: () => NOW, log: console, spending: settings }
  const subject = { userId, job: { id: randomUUID(), createdAt: NOW, batchId: null, maxCostUsd: 1 } }
  const { signal } = new AbortController()
  await createReserver(ctx, subject, { signal })(0.4)
  const call = createReserver(ctx, subject, { signal: AbortSignal.timeout(20_000) })
  await expect(call(0.7)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  const running = await call(0.5)
  const waiting = call(0.6)
  await running.release()
  expect((await waiting).maxCostUsd).toBe(0.6)
})

test('keeps the reservation of a call whose cost is on no receipt', async () => {
  const settings = { dailyLimitUsd: 1, patienceMs: 0, countRefused: () => {} }
  const ctx = { db, clock: () => NOW, log: console, spending: settings }
  const reservation = await createReserver(ctx, { userId, job: null }, { signal: new AbortController().signal })(0.4)
  expect(await recordCharged(db, { costUsd: 0.1, reservation }, async () => null)).toBeNull()
  await reservation.release()
  expect(await readCounter('day')).toEqual([0, 0.4])
})

test('charges what the receipt says, also where it is the cost of a summary that another job wrote at the same time', async () => {
  const settings = { dailyLimitUsd: 1, patienceMs: 0, countRefused: () => {} }
  const ctx = { db, clock: () => NOW, log: console, spending: settings }
  const reservation = await createReserver(ctx, { userId, job: null }, { signal: new AbortController().signal })(0.4)
  await recordCharged(db, { costUsd: 0.1, reservation }, async () => ({ costUsd: 0.2 }))
  expect(await readCounter('day')).toEqual([0.2, 0.2])
  await reservation.release()
  expect(await readCounter('day')).toEqual([0.2, 0])
})

test('deletes what belongs to earlier periods', async () => {
  await reserve(1, [month(), day(2), ofJob(1)])
  expect(await deleteOldSpending(db, { before: new Date('2026-11-01'), limit: 10 })).toBe(0)
  expect(await deleteOldSpending(db, { before: new Date('2026-11-22'), limit: 10 })).toBe(4)
})
