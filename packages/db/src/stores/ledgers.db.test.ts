import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@subtext/testing'
import { type Db, openDb } from '../client.ts'
import { recordUsage, releaseQuota } from './ledgers.ts'
import { acceptJobs, type NewJob, openQuotaPeriods } from './submissions.ts'
import { NOW, newJob, PERIODS } from './test-store.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 10 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const QUOTA = { daily: 3, monthly: 3 }

async function accept(userId: string, periods = PERIODS, quota: NewJob['quota'] = QUOTA): Promise<string> {
  const job = newJob({ userId, quota })
  await openQuotaPeriods(db, [userId], periods)
  expect(await acceptJobs(db, [job], periods, NOW, 3)).toMatchObject([{ accepted: true }])
  return job.id
}
async function used(userId: string): Promise<Record<string, number>> {
  const { rows } = await db.query<{ starts: string; used: number }>(
    `SELECT period || ' ' || starts_on AS starts, used FROM quota_usage WHERE user_id = $1`,
    [userId],
  )
  return Object.fromEntries(rows.map((row) => [row.starts, row.used]))
}

describe('releaseQuota', () => {
  test('gives a reservation back once, however often it is asked', async () => {
    const userId = randomUUID()
    const [job] = [await accept(userId), await accept(userId)]
    for (let time = 0; time < 3; time++) await releaseQuota(db, job)
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    await Promise.all(Array.from({ length: 10 }, () => releaseQuota(db, job)))
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    expect(await db.prisma.quotaEntry.count({ where: { jobId: job } })).toBe(2)
  })

  test('to the very periods it came from, also after midnight of the last day of a month', async () => {
    const userId = randomUUID()
    const job = await accept(userId, { day: '2026-11-30', month: '2026-11-01' })
    await accept(userId, { day: '2026-12-01', month: '2026-12-01' })
    await releaseQuota(db, job)
    expect(await used(userId)).toEqual({
      'day 2026-11-30': 0,
      'month 2026-11-01': 0,
      'day 2026-12-01': 1,
      'month 2026-12-01': 1,
    })
  })

  test('makes room for another job and never falls below nothing', async () => {
    const userId = randomUUID()
    const jobs = [await accept(userId), await accept(userId), await accept(userId)]
    expect((await acceptJobs(db, [newJob({ userId, quota: QUOTA })], PERIODS, NOW, 3))[0]?.accepted).toBe(false)
    await Promise.all([...jobs, ...jobs].map((job) => releaseQuota(db, job)))
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 0, 'month 2026-11-01': 0 })
    await accept(userId)
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
  })

  test('does nothing for a job without a quota, nor for one that is not there', async () => {
    const userId = randomUUID()
    await accept(userId)
    const free = await accept(userId, PERIODS, null)
    await releaseQuota(db, free)
    await releaseQuota(db, randomUUID())
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    expect(await db.prisma.quotaEntry.count({ where: { jobId: free } })).toBe(0)
  })
})

test('what a job cost is written once', async () => {
  const entry = {
    jobId: randomUUID(),
    userId: randomUUID(),
    apiKeyId: null,
    outcome: 'completed' as const,
    inputTokens: 10,
    outputTokens: 20,
    cachedInputTokens: 30,
    costUsd: 0.000_123,
  }
  await recordUsage(db, entry)
  await expect(recordUsage(db, entry)).rejects.toThrow('usage_entries_pkey')
  const stored = await db.prisma.usageEntry.findMany({ where: { userId: entry.userId } })
  expect(stored.map(({ costUsd, ...rest }) => ({ ...rest, costUsd: costUsd.toNumber() }))).toEqual([
    { ...entry, createdAt: expect.any(Date) },
  ])
})
