import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { acceptJobs } from '../jobs/accept-sql.ts'
import { endJob } from '../jobs/end-sql.ts'
import type { NewJob } from '../jobs/job-row.ts'
import { openQuotaPeriods } from '../plans/quota-sql.ts'
import { addJobSpending, addJobSummary, saveSummary } from '../summaries/summaries-sql.ts'
import { claimStoredJob, NOW, newJob, PERIODS } from '../testing/index.ts'
import { foldUsageAdditions } from './additions-sql.ts'
import { type ChatUsage, recordChatUsage, recordUsage, releaseQuota } from './ledgers-sql.ts'

const { db } = useTestDatabase()

const NIL_ID = '00000000-0000-0000-0000-000000000000'
const QUOTA = { daily: 3, monthly: 3 }

async function accept(userId: string, periods = PERIODS, quota: NewJob['quota'] = QUOTA): Promise<string> {
  const job = newJob({ userId, quota })
  await openQuotaPeriods(db, [userId], periods)
  expect(await acceptJobs(db, [job], { periods, now: NOW, wakeSeconds: 3 })).toMatchObject([{ accepted: true }])
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
  test('returns a reservation once, however often it is called', async () => {
    const userId = randomUUID()
    const [job] = [await accept(userId), await accept(userId)]
    for (let time = 0; time < 3; time++) await releaseQuota(db, job)
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    await Promise.all(Array.from({ length: 10 }, () => releaseQuota(db, job)))
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    expect(await db.prisma.quotaEntry.count({ where: { jobId: job } })).toBe(2)
  })

  test('returns a reservation to its own periods, even after the end of the month', async () => {
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

  test('lets another job be accepted, and never makes a counter negative', async () => {
    const userId = randomUUID()
    const jobs = [await accept(userId), await accept(userId), await accept(userId)]
    expect(
      (await acceptJobs(db, [newJob({ userId, quota: QUOTA })], { periods: PERIODS, now: NOW, wakeSeconds: 3 }))[0]
        ?.accepted,
    ).toBe(false)
    await Promise.all([...jobs, ...jobs].map((job) => releaseQuota(db, job)))
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 0, 'month 2026-11-01': 0 })
    await accept(userId)
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
  })

  test('does nothing for an unknown job or one without a quota', async () => {
    const userId = randomUUID()
    await accept(userId)
    const free = await accept(userId, PERIODS, null)
    await releaseQuota(db, free)
    await releaseQuota(db, randomUUID())
    expect(await used(userId)).toEqual({ 'day 2026-11-21': 1, 'month 2026-11-01': 1 })
    expect(await db.prisma.quotaEntry.count({ where: { jobId: free } })).toBe(0)
  })
})

async function entriesOf(userId: string) {
  const entries = await db.prisma.usageEntry.findMany({ where: { userId } })
  return entries.map(({ costUsd, ...rest }) => ({ ...rest, costUsd: costUsd.toNumber() }))
}
async function sumsOf(userId: string) {
  await foldUsageAdditions(db, 1_000)
  const rows = await db.prisma.usageRollup.findMany({ where: { userId }, orderBy: { span: 'asc' } })
  return rows.map(({ costUsd, requests, succeeded, failed, ...rest }) => ({ ...rest, costUsd: costUsd.toNumber() }))
}

/** The columns that are filled when a job is deleted. */
const OF_A_KEPT_JOB = { batchId: null, jobDeletedAt: null }

describe('recordUsage', () => {
  const RECEIPT = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 1_000, cacheWriteTokens: 500 }
  const completedAt = new Date('2026-11-21T23:59:59.999Z')

  /** Ends a job that has spent something. */
  async function endedWithCost(apiKeyId: string | null = randomUUID()) {
    const { job, lease } = await claimStoredJob(db, { apiKeyId })
    const usage = { inputTokens: 7, outputTokens: 20, cachedInputTokens: 30, cacheWriteTokens: 3, costUsd: 0.000_123 }
    await addJobSpending(db, { id: randomUUID(), jobId: job.id, purpose: 'notes', mode: null, model: 'm', usage })
    await endJob(db, lease, { status: 'failed', error: null, warnings: [], completedAt })
    return job
  }

  test('records the cost once, and adds it to the hour and day of the end', async () => {
    const job = await endedWithCost()
    await recordUsage(db, job.id)
    await expect(recordUsage(db, job.id)).rejects.toThrow('usage_entries_pkey')
    const { userId, apiKeyId } = job
    const spent = { inputTokens: 10, outputTokens: 20, cachedInputTokens: 30, costUsd: 0.000_123 }
    const subject = { subjectKind: 'job', subjectId: NIL_ID, conversationId: null, model: null, ...OF_A_KEPT_JOB }
    expect(await entriesOf(userId)).toEqual([
      { jobId: job.id, ...subject, userId, apiKeyId, outcome: 'failed', ...spent, createdAt: completedAt },
    ])
    const sums = { inputTokens: 10n, outputTokens: 20n, cachedInputTokens: 30n, costUsd: 0.000_123, videos: 0n }
    expect(await sumsOf(userId)).toEqual([
      { userId, apiKeyId, span: 'hour', startsAt: new Date('2026-11-21T23:00:00Z'), ...sums },
      { userId, apiKeyId, span: 'day', startsAt: new Date('2026-11-21T00:00:00Z'), ...sums },
    ])
  })

  test('counts what was paid for the summaries when there is no result, but not reused ones', async () => {
    const { job, lease } = await claimStoredJob(db)
    for (const [mode, reused] of [
      ['tldr', false],
      ['detailed', false],
      ['study_notes', true],
    ] as const) {
      const id = randomUUID()
      const content = { overview: [], sections: [] }
      const usage = { ...RECEIPT, costUsd: 0.1 }
      const kept = { id, mode, model: 'm', content, usage, cacheKey: Buffer.from(id), transcriptId: id }
      await saveSummary(db, kept)
      await addJobSummary(db, { jobId: job.id, mode, summaryId: id, reused })
    }
    await endJob(db, lease, { status: 'failed', error: null, warnings: [], completedAt })
    await recordUsage(db, job.id)
    const spent = { inputTokens: 1_200, outputTokens: 40, cachedInputTokens: 2_000, costUsd: 0.2 }
    expect(await entriesOf(job.userId)).toMatchObject([{ outcome: 'failed', ...spent }])
    const sums = { inputTokens: 1_200n, outputTokens: 40n, cachedInputTokens: 2_000n, costUsd: 0.2, videos: 0n }
    expect(await sumsOf(job.userId)).toMatchObject([sums, sums])
  })

  test('does not change the sums for a failed job without cost', async () => {
    const { job, lease } = await claimStoredJob(db)
    await endJob(db, lease, { status: 'failed', error: null, warnings: [], completedAt })
    await recordUsage(db, job.id)
    expect(await entriesOf(job.userId)).toMatchObject([{ inputTokens: 0, costUsd: 0 }])
    expect(await sumsOf(job.userId)).toEqual([])
  })

  test('sums usage without a key separately', async () => {
    const job = await endedWithCost(null)
    await recordUsage(db, job.id)
    expect((await sumsOf(job.userId)).map((row) => row.apiKeyId)).toEqual(Array(2).fill(NIL_ID))
  })

  test('records no usage for a job that has not ended', async () => {
    const { job } = await claimStoredJob(db)
    await expect(recordUsage(db, job.id)).rejects.toThrow('null value')
  })
})

describe('recordChatUsage', () => {
  const usage = { inputTokens: 7, outputTokens: 5, cachedInputTokens: 100, cacheWriteTokens: 3, costUsd: 0.000_456 }
  const endedAt = new Date('2026-11-21T23:59:59.999Z')
  const answer = (overrides: Partial<ChatUsage> = {}): ChatUsage => ({
    jobId: randomUUID(),
    conversationId: randomUUID(),
    messageId: randomUUID(),
    userId: randomUUID(),
    apiKeyId: randomUUID(),
    model: 'model-a',
    outcome: 'completed',
    usage,
    endedAt,
    ...overrides,
  })

  test('records every answer about a job once, and adds it to the hour and day of its end without counting a video', async () => {
    const { job, lease } = await claimStoredJob(db, { apiKeyId: randomUUID() })
    await endJob(db, lease, { status: 'completed', error: null, warnings: [], completedAt: endedAt })
    await recordUsage(db, job.id)
    const { id: jobId, userId, apiKeyId } = job
    const [first, second] = [
      answer({ jobId, userId, apiKeyId }),
      answer({ jobId, userId, apiKeyId, outcome: 'failed' }),
    ]
    for (const each of [first, second, first]) await recordChatUsage(db, each)

    const spent = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 100, costUsd: 0.000_456 }
    const entries = (await entriesOf(userId)).filter(({ subjectKind }) => subjectKind === 'chat_message')
    expect(entries).toHaveLength(2)
    expect(entries.find(({ subjectId }) => subjectId === first.messageId)).toEqual({
      jobId,
      userId,
      apiKeyId,
      outcome: 'completed',
      createdAt: endedAt,
      ...spent,
      ...OF_A_KEPT_JOB,
      subjectKind: 'chat_message',
      subjectId: first.messageId,
      conversationId: first.conversationId,
      model: 'model-a',
    })
    const sums = { inputTokens: 20n, outputTokens: 10n, cachedInputTokens: 200n, costUsd: 0.000_912, videos: 1n }
    expect(await sumsOf(userId)).toMatchObject([sums, sums])
  })

  test('sums answers without a key separately, and none that cost nothing', async () => {
    const { userId } = answer()
    const free = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
    await recordChatUsage(db, answer({ userId, apiKeyId: null, usage: free, model: 'extractive' }))
    expect(await entriesOf(userId)).toMatchObject([{ model: 'extractive', costUsd: 0 }])
    expect(await sumsOf(userId)).toEqual([])
    await recordChatUsage(db, answer({ userId, apiKeyId: null }))
    expect((await sumsOf(userId)).map((row) => row.apiKeyId)).toEqual([NIL_ID, NIL_ID])
  })
})
