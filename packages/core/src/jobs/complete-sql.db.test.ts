import { randomBytes, randomUUID } from 'node:crypto'
import type { SummaryMode, SummaryQuality } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { registerBlob } from '../blobs/blobs-sql.ts'
import { byMode, listJobSummaries, saveSummary } from '../summaries/summaries-sql.ts'
import { claimJob, claimStoredJob, holdJob, storeJob } from '../testing/index.ts'
import { foldUsageAdditions } from '../usage/additions-sql.ts'
import { completeJobs, type JobCompletion } from './complete-sql.ts'
import type { Job, Lease } from './job-row.ts'
import type { StoredResult } from './result-sql.ts'

const { db } = useTestDatabase({ per: 'test' })

const completedAt = new Date('2026-11-21T23:59:59.999Z')
const newResult = (jobId: string): StoredResult => ({
  jobId,
  transcriptId: randomUUID(),
  cueCount: 3,
  truncated: false,
  selectionReason: 'manual_first',
  videoInfo: { title: 'Rivers' } as StoredResult['videoInfo'],
  citedStarts: { 1: 0 },
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cached_input_tokens: 30,
    total_tokens: 60,
    cost_usd: 0.000_123,
    model: 'm',
    cached: false,
  },
  comments: [],
  processingMs: 5,
  completedAt,
})
const newEvent = ({ id, userId }: Job) => ({
  id: randomUUID(),
  deliveryId: randomUUID(),
  userId,
  subjectId: id,
  type: 'job.completed' as const,
  url: 'https://example.org/hook',
  body: Buffer.from('{"a":"\u00e9"}'),
  createdAt: completedAt,
})
const claim = () => claimStoredJob(db, { apiKeyId: randomUUID(), webhookUrl: 'https://example.org/hook' })

/** Completes a job. Returns the job to be woken instead; undefined if the lease was lost. */
async function complete(lease: Lease, completion: Omit<JobCompletion, 'lease'>) {
  const { completed, woken } = await completeJobs(db, [{ lease, ...completion }])
  return completed.length > 0 ? (woken[0] ?? null) : undefined
}

test('writes everything that follows from the end of a job, once', async () => {
  const { job, lease } = await claim()
  const { id: jobId, userId, apiKeyId } = job
  const completion = { result: newResult(jobId), warnings: [], event: newEvent(job) }
  const ends = await Promise.all([1, 2, 3].map(() => complete(lease, completion)))
  expect(ends.filter((end) => end !== undefined)).toEqual([null])
  const ended = { id: jobId, status: 'completed', progress: 100, videoTitle: 'Rivers', completedAt }
  expect(await db.prisma.job.findMany()).toMatchObject([ended])
  const spent = { inputTokens: 10, outputTokens: 20, cachedInputTokens: 30 }
  expect(await db.prisma.result.findMany()).toMatchObject([{ jobId, cueCount: 3, comments: [], completedAt }])
  const [receipt, ...others] = await db.prisma.usageEntry.findMany()
  expect(others).toEqual([])
  expect(receipt).toMatchObject({ jobId, userId, apiKeyId, subjectKind: 'job', outcome: 'completed', ...spent })
  expect([receipt?.costUsd.toNumber(), receipt?.createdAt]).toEqual([0.000_123, completedAt])
  const { id, deliveryId, body } = completion.event
  expect(await db.prisma.webhookEvent.findMany()).toMatchObject([{ id, userId, body: new Uint8Array(body) }])
  expect(await db.prisma.webhookDelivery.findMany()).toMatchObject([
    { id: deliveryId, eventId: id, userId, ready: true, status: 'pending', nextAttemptAt: completedAt },
  ])
  expect(await foldUsageAdditions(db, 10)).toBe(1)
  const sums = { userId, apiKeyId, videos: 1n, inputTokens: 10n, outputTokens: 20n, cachedInputTokens: 30n }
  expect(await db.prisma.usageRollup.findMany({ orderBy: { span: 'asc' } })).toMatchObject([
    { span: 'hour', startsAt: new Date('2026-11-21T23:00:00Z'), ...sums },
    { span: 'day', startsAt: new Date('2026-11-21T00:00:00Z'), ...sums },
  ])
})

test('writes nothing under a lease that was lost, or if any part is refused', async () => {
  const { job, lease } = await claim()
  const completion = { result: newResult(job.id), warnings: [], event: newEvent(job) }
  expect(await complete({ ...lease, token: randomUUID() }, completion)).toBeUndefined()
  const broken = { ...completion, event: { ...newEvent(job), id: 'no uuid' } }
  await expect(complete(lease, broken)).rejects.toThrow('invalid input syntax')
  expect(await db.prisma.job.findMany()).toMatchObject([{ status: 'processing', videoTitle: null }])
  for (const table of ['results', 'usage_entries', 'usage_additions', 'webhook_events', 'webhook_deliveries']) {
    expect((await db.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  }
})

test('keeps the title of a video whose platform has named none since', async () => {
  const { job, lease } = await claim()
  await db.query(`UPDATE jobs SET video_title = 'Lakes'`)
  const result = { ...newResult(job.id), videoInfo: {} as StoredResult['videoInfo'] }
  await complete(lease, { result, warnings: [], event: null })
  expect(await db.prisma.job.findMany()).toMatchObject([{ videoTitle: 'Lakes' }])
})

test('releases the oldest held job of the account in the lane, once for each job that ends', async () => {
  const { job, lease } = await claim()
  const { userId } = job
  const held = []
  for (const overrides of [{ userId }, { userId }, { userId, lane: 'high' as const }, {}]) {
    const { id } = await storeJob(db, overrides)
    await holdJob(db, id)
    held.push(id)
  }
  const [first = '', second = ''] = held.slice(0, 2).sort()
  const end = (ending: typeof lease) => complete(ending, { result: newResult(ending.jobId), warnings: [], event: null })
  expect(await end({ ...lease, token: randomUUID() })).toBeUndefined()
  expect(await db.prisma.job.count({ where: { held: true } })).toBe(4)
  expect(await end(lease)).toEqual({ id: first, lane: 'normal' })
  expect(await db.prisma.job.count({ where: { held: true } })).toBe(3)

  const own = { jobId: first, token: randomUUID() }
  await claimJob(db, own)
  expect(await end(own)).toEqual({ id: second, lane: 'normal' })
  await claimJob(db, { ...own, jobId: second })
  expect(await end({ ...own, jobId: second })).toBeNull()
})

test('records that a file of the job is stored, unless it has been registered again', async () => {
  const registeredAt = new Date('2026-11-21T12:00:00Z')
  for (const [registeredAgainAt, expected] of [
    [registeredAt, completedAt],
    [new Date('2026-11-21T12:00:01Z'), null],
  ] as const) {
    const { job, lease } = await claim()
    const key = `jobs/${job.id}/thumbnail`
    await registerBlob(db, { key, jobId: job.id, contentType: 'image/jpeg', size: 1 }, registeredAgainAt)
    const file = { key, registeredAt, storedAt: completedAt }
    const completion = { result: newResult(job.id), warnings: [], event: newEvent(job), file }
    expect(await complete({ ...lease, token: randomUUID() }, completion)).toBeUndefined()
    expect(await db.prisma.blob.findUnique({ where: { key } })).toMatchObject({ storedAt: null })
    expect(await complete(lease, completion)).toBeNull()
    expect(await db.prisma.blob.findUnique({ where: { key } })).toMatchObject({ storedAt: expected })
  }
})

test('stores the summaries that are not stored yet with the end of the job, or not at all', async () => {
  const { job, lease } = await claim()
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
  const content = { overview: [{ text: `it's "this" \u{1F600} \\x`, segmentIds: [1] }], sections: [] }
  const fields = { transcriptId: randomUUID(), model: 'extractive', content, usage }
  const newSummary = (mode: SummaryMode, quality: SummaryQuality | null) => ({
    ...fields,
    id: randomUUID(),
    mode,
    quality,
    cacheKey: randomBytes(32),
  })
  const measured = { coverage: 1, citations: 1, supportedCitations: 1, unsupportedClaims: 0 }
  const described = { ...measured, chunks: 1, injectionSuspected: false, isSampled: false }
  const written = [newSummary('tldr', null), newSummary('detailed', { ...described, strategy: 'extractive' })]
  const [shared, own] = [newSummary('study_notes', null), newSummary('timestamped', null)]
  for (const summary of [shared, own]) await saveSummary(db, summary)
  const reused = [
    { summary: shared, isOwn: false },
    { summary: own, isOwn: true },
  ]
  const completion = { result: newResult(job.id), warnings: [], event: newEvent(job), unsaved: { written, reused } }
  expect(await complete({ ...lease, token: randomUUID() }, completion)).toBeUndefined()
  expect(await listJobSummaries(db, job.id)).toEqual([])
  expect(await db.prisma.summary.count()).toBe(2)

  expect(await complete(lease, completion)).toBeNull()
  const expected = [
    ...written.map((summary) => ({ ...summary, reused: false })),
    { ...shared, reused: false },
    { ...own, reused: true },
  ].map(({ cacheKey: _, ...summary }) => summary)
  expect(await listJobSummaries(db, job.id)).toEqual(expected.sort(byMode))
  const rows = await db.prisma.jobSummary.findMany({ where: { shared: true } })
  expect(rows).toMatchObject([{ jobId: job.id, summaryId: shared.id, reused: false }])
  const stored = await db.prisma.summary.findUniqueOrThrow({ where: { id: written[0]?.id ?? '' } })
  expect(Buffer.from(stored.cacheKey)).toEqual(written[0]?.cacheKey)
})
