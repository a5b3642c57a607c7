import { randomBytes, randomUUID } from 'node:crypto'
import { claimStoredJob, storeJob, useTestDatabase } from '@subtext/db/testing'
import { claimJob } from './claims.ts'
import { completeClaimedJobs, type JoinedCompletion } from './complete-jobs.ts'
import { completeClaimedJob } from './completion.ts'
import { holdJob } from './job-shares.ts'
import type { Lease } from './jobs.ts'
import type { StoredResult } from './results.ts'

const { db } = useTestDatabase({ per: 'test', maxConnections: 3 })

const completedAt = new Date('2026-11-21T23:59:59.999Z')
const transcriptId = randomUUID()
const spent = { input_tokens: 10, output_tokens: 20, cached_input_tokens: 30, total_tokens: 60, cost_usd: 0.000_123 }

function newResult(jobId: string, overrides: Partial<StoredResult> = {}): StoredResult {
  return {
    jobId,
    transcriptId,
    cueCount: 3,
    truncated: false,
    selectionReason: 'manual_first',
    videoInfo: { title: `it's "this" \u{1F600} \\x` } as StoredResult['videoInfo'],
    citedStarts: { 1: 0 },
    usage: { ...spent, model: 'm', cached: false },
    processingMs: 5,
    completedAt,
    ...overrides,
  }
}

const complete = (lease: Lease, overrides: Partial<JoinedCompletion> = {}): JoinedCompletion => ({
  lease,
  result: newResult(lease.jobId),
  warnings: [],
  ...overrides,
})
const claim = (overrides = {}) => claimStoredJob(db, { webhookUrl: null, ...overrides })
const countResults = () => db.prisma.result.count()

/** Returns all rows about a job. IDs that differ between jobs are left out. */
async function readRows(jobId: string) {
  const tables = {
    jobs: 'id',
    results: 'job_id',
    usage_entries: 'job_id',
    usage_additions: 'id',
    job_summaries: 'job_id',
  }
  const read = Object.entries(tables).map(async ([table, column]) => {
    const without = ['id', 'user_id', 'job_id', 'summary_id', 'wake_at', 'created_at', 'started_at']
    const text = `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} t WHERE ${column} = $1 ORDER BY 1::text`
    return (await db.query<{ row: unknown }>(text, [jobId, without])).rows.map(({ row }) => row)
  })
  return Promise.all(read)
}

test('writes for each of several jobs what would be written for it alone', async () => {
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
  const content = { overview: [{ text: 'a', segmentIds: [1] }], sections: [] }
  const newSummary = () => ({
    id: randomUUID(),
    transcriptId,
    mode: 'tldr' as const,
    model: 'extractive',
    content,
    usage,
  })
  const free = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, total_tokens: 0, cost_usd: 0 }
  const kinds = (): Partial<JoinedCompletion>[] => [
    { platformRequests: 2, warnings: [{ code: 'QUOTA_KEPT', message: 'm' }] },
    { unsaved: { written: [{ ...newSummary(), cacheKey: randomBytes(32), quality: null }], reused: [] } },
    { unsaved: { written: [], reused: [{ summary: { id: randomUUID(), mode: 'detailed' }, isOwn: false }] } },
    { result: newResult('', { comments: [], usage: { ...free, model: 'm', cached: true }, videoInfo: {} as never }) },
  ]
  const claimAll = () => Promise.all(kinds().map(() => claim()))
  const [alone, together] = [await claimAll(), await claimAll()]
  const withKind = ({ lease }: { lease: Lease }, nth: number) => complete(lease, kinds()[nth])
  for (const { lease, ...completion } of alone.map(withKind)) {
    await completeClaimedJob(db, lease, { ...completion, event: null })
  }
  const ends = await completeClaimedJobs(db, together.map(withKind))
  expect(ends).toEqual(kinds().map(() => ({ woken: null })))
  for (const [nth, { job }] of together.entries()) {
    expect(await readRows(job.id)).toEqual(await readRows(alone[nth]?.job.id ?? ''))
  }
  expect(await db.prisma.job.count({ where: { status: 'completed', progress: 100, completedAt } })).toBe(8)
  expect(await db.prisma.summary.count()).toBe(2)
})

test('writes nothing for a job whose lease was lost, and ends each job once', async () => {
  const [kept, lost] = [await claim(), await claim()]
  const all = [complete(kept.lease), complete({ ...lost.lease, token: randomUUID() })]
  const ends = await Promise.all([1, 2, 3].map(() => completeClaimedJobs(db, all)))
  expect(ends.flatMap(([first]) => (first ? [first] : []))).toEqual([{ woken: null }])
  expect(ends.map(([, second]) => second)).toEqual([null, null, null])
  expect(await db.prisma.result.findMany({ select: { jobId: true } })).toEqual([{ jobId: kept.job.id }])
  expect(await db.prisma.job.findUnique({ where: { id: lost.job.id } })).toMatchObject({ status: 'processing' })
})

test('writes nothing at all if one of the jobs is refused', async () => {
  const [good, bad] = [await claim(), await claim()]
  const broken = complete(bad.lease, { result: newResult(bad.job.id, { cueCount: 1e12 }) })
  await expect(completeClaimedJobs(db, [complete(good.lease), broken])).rejects.toThrow('out of range')
  expect([await countResults(), await db.prisma.job.count({ where: { status: 'processing' } })]).toEqual([0, 2])
})

test('leaves out a job that another transaction has locked, without waiting for it', async () => {
  const [free, locked] = [await claim(), await claim()]
  const all = [complete(free.lease), complete(locked.lease)]
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM jobs WHERE id = $1 FOR NO KEY UPDATE', [locked.job.id])
    expect(await completeClaimedJobs(db, all)).toEqual([{ woken: null }, null])
  })
  expect(await completeClaimedJobs(db, all)).toEqual([null, { woken: null }])
  expect(await countResults()).toBe(2)
})

test('releases as many held jobs of an account as its jobs have ended', async () => {
  const first = await claim()
  const { userId } = first.job
  const [second, other] = [await claim({ userId }), await claim()]
  const held = await Promise.all([1, 2, 3].map(() => storeJob(db, { userId })))
  for (const { id } of held) await holdJob(db, id)
  const ends = await completeClaimedJobs(
    db,
    [first, other, second].map(({ lease }) => complete(lease)),
  )
  const woken = ends.flatMap((end) => (end?.woken ? [end.woken.id] : []))
  const oldest = held.map(({ id }) => id).sort()
  expect(woken.sort()).toEqual(oldest.slice(0, 2))
  expect(await claimJob(db, { jobId: woken[0] ?? '', token: randomUUID() }, 60)).not.toBeNull()
  expect(await db.prisma.job.findMany({ where: { held: true }, select: { id: true } })).toEqual([{ id: oldest[2] }])
})
