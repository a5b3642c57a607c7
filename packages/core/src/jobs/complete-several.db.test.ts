import { randomBytes, randomUUID } from 'node:crypto'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { registerBlob } from '../blobs/blobs-sql.ts'
import { claimJob, claimStoredJob, holdJob, storeJob } from '../testing/index.ts'
import { completeJobs, type JobCompletion } from './complete-sql.ts'
import { lockOwnJob } from './end-sql.ts'
import type { Lease } from './job-row.ts'
import type { StoredResult } from './result-sql.ts'

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

const complete = (lease: Lease, overrides: Partial<JobCompletion> = {}): JobCompletion => ({
  lease,
  result: newResult(lease.jobId),
  warnings: [],
  event: null,
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
  const kinds = (): Partial<JobCompletion>[] => [
    { platformRequests: 2, warnings: [{ code: 'QUOTA_KEPT', message: 'm' }] },
    { unsaved: { written: [{ ...newSummary(), cacheKey: randomBytes(32), quality: null }], reused: [] } },
    { unsaved: { written: [], reused: [{ summary: { id: randomUUID(), mode: 'detailed' }, isOwn: false }] } },
    { result: newResult('', { comments: [], usage: { ...free, model: 'm', cached: true }, videoInfo: {} as never }) },
  ]
  const claimAll = () => Promise.all(kinds().map(() => claim()))
  const [alone, together] = [await claimAll(), await claimAll()]
  const withKind = ({ lease }: { lease: Lease }, nth: number) => complete(lease, kinds()[nth])
  for (const completion of alone.map(withKind)) await completeJobs(db, [completion])
  const { completed, woken } = await completeJobs(db, together.map(withKind))
  expect(completed.sort()).toEqual(together.map(({ job }) => job.id).sort())
  expect(woken).toEqual([])
  for (const [nth, { job }] of together.entries()) {
    expect(await readRows(job.id)).toEqual(await readRows(alone[nth]?.job.id ?? ''))
  }
  expect(await db.prisma.job.count({ where: { status: 'completed', progress: 100, completedAt } })).toBe(8)
  expect(await db.prisma.summary.count()).toBe(2)
})

test('writes nothing for a job whose lease was lost, and ends each job once', async () => {
  const [kept, lost] = [await claim(), await claim()]
  const all = [complete(kept.lease), complete({ ...lost.lease, token: randomUUID() })]
  const ends = await Promise.all([1, 2, 3].map(() => completeJobs(db, all)))
  expect(ends.flatMap(({ completed }) => completed)).toEqual([kept.job.id])
  expect(await db.prisma.result.findMany({ select: { jobId: true } })).toEqual([{ jobId: kept.job.id }])
  expect(await db.prisma.job.findUnique({ where: { id: lost.job.id } })).toMatchObject({ status: 'processing' })
})

test('writes nothing at all if one of the jobs is refused', async () => {
  const [good, bad] = [await claim(), await claim()]
  const broken = complete(bad.lease, { result: newResult(bad.job.id, { cueCount: 1e12 }) })
  await expect(completeJobs(db, [complete(good.lease), broken])).rejects.toThrow('out of range')
  expect([await countResults(), await db.prisma.job.count({ where: { status: 'processing' } })]).toEqual([0, 2])
})

test('waits for a job that its owner may be cancelling, and completes it if it was not cancelled', async () => {
  const [free, locked] = [await claim(), await claim()]
  let completing: ReturnType<typeof completeJobs> | undefined
  await db.transaction(async (sql) => {
    await lockOwnJob(sql, locked.job.userId, locked.job.id)
    completing = completeJobs(db, [complete(free.lease), complete(locked.lease)])
    await untilBlocked(db)
  })
  expect((await completing)?.completed.sort()).toEqual([free.job.id, locked.job.id].sort())
  expect(await countResults()).toBe(2)
})

test('records the exact bytes of each event and the file of each job, but nothing of a job whose lease was lost', async () => {
  const registeredAt = new Date('2026-11-21T12:00:00Z')
  const bodies = ['{"a":"\u00e9"}', 'lost', '{}']
  const jobs = await Promise.all(bodies.map(() => claim({ webhookUrl: 'https://example.org/hook' })))
  const completions = await Promise.all(
    jobs.map(async ({ job: { id, userId }, lease }, nth) => {
      const key = `jobs/${id}/thumbnail`
      await registerBlob(db, { key, jobId: id, contentType: 'image/jpeg', size: 1 }, registeredAt)
      const ids = { id: randomUUID(), deliveryId: randomUUID(), userId, subjectId: id }
      const url = `https://example.org/${nth}`
      const body = Buffer.from(bodies[nth] ?? '')
      const token = nth === 1 ? randomUUID() : lease.token
      return complete(
        { ...lease, token },
        {
          event: { ...ids, type: 'job.completed', url, body, createdAt: completedAt },
          file: { key, registeredAt, storedAt: completedAt },
        },
      )
    }),
  )
  const [first, lost, last] = jobs.map(({ job }) => job.id)
  expect((await completeJobs(db, completions)).completed.sort()).toEqual([first, last].sort())
  const events = await db.prisma.webhookEvent.findMany()
  const sent = new Map(events.map(({ subjectId, body }) => [subjectId, Buffer.from(body).toString()]))
  expect(sent).toEqual(new Map([first, last].map((id, nth) => [id, bodies[nth * 2]])))
  const deliveries = await db.prisma.webhookDelivery.findMany({ orderBy: { url: 'asc' } })
  expect(deliveries.map(({ url, eventId }) => [url, events.find(({ id }) => id === eventId)?.subjectId])).toEqual([
    ['https://example.org/0', first],
    ['https://example.org/2', last],
  ])
  const files = await db.prisma.blob.findMany({ where: { storedAt: null } })
  expect(files.map(({ jobId }) => jobId)).toEqual([lost])
})

test('releases as many held jobs of an account as its jobs have ended', async () => {
  const first = await claim()
  const { userId } = first.job
  const [second, other] = [await claim({ userId }), await claim()]
  const held = await Promise.all([1, 2, 3].map(() => storeJob(db, { userId })))
  for (const { id } of held) await holdJob(db, id)
  const ended = [first, other, second].map(({ lease }) => complete(lease))
  const woken = (await completeJobs(db, ended)).woken.map(({ id }) => id)
  const oldest = held.map(({ id }) => id).sort()
  expect(woken.sort()).toEqual(oldest.slice(0, 2))
  expect(await claimJob(db, { jobId: woken[0] ?? '', token: randomUUID() })).not.toBeNull()
  expect(await db.prisma.job.findMany({ where: { held: true }, select: { id: true } })).toEqual([{ id: oldest[2] }])
})
