import { randomUUID } from 'node:crypto'
import { claimStoredJob, storeJob, useTestDatabase } from '@subtext/db/testing'
import { completeClaimedJob } from './completion.ts'
import { holdJob } from './job-shares.ts'
import type { Job } from './jobs.ts'
import type { StoredResult } from './results.ts'
import { foldUsageAdditions } from './usage-additions.ts'

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
    ...{ input_tokens: 10, output_tokens: 20, cached_input_tokens: 30, total_tokens: 60, cost_usd: 0.000_123 },
    ...{ model: 'm', cached: false },
  },
  comments: [],
  processingMs: 5,
  completedAt,
})
const newEvent = ({ id, userId }: Job) => ({
  ...{ id: randomUUID(), deliveryId: randomUUID(), userId, subjectId: id, type: 'job.completed' as const },
  ...{ url: 'https://example.org/hook', body: Buffer.from('{"a":"\u00e9"}'), createdAt: completedAt },
})
const claim = () => claimStoredJob(db, { apiKeyId: randomUUID(), webhookUrl: 'https://example.org/hook' })

test('writes everything that follows from the end of a job, once', async () => {
  const { job, lease } = await claim()
  const { id: jobId, userId, apiKeyId } = job
  const completion = { result: newResult(jobId), warnings: [], event: newEvent(job) }
  const ends = await Promise.all([1, 2, 3].map(() => completeClaimedJob(db, lease, completion)))
  const done = ends.filter((end) => end !== null)
  expect(done).toEqual([
    {
      hasHeld: false,
      job: expect.objectContaining({
        id: jobId,
        status: 'completed',
        progress: 100,
        videoTitle: 'Rivers',
        completedAt,
      }),
    },
  ])
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
  expect(await completeClaimedJob(db, { ...lease, token: randomUUID() }, completion)).toBeNull()
  const broken = { ...completion, event: { ...newEvent(job), id: 'no uuid' } }
  await expect(completeClaimedJob(db, lease, broken)).rejects.toThrow('invalid input syntax')
  expect(await db.prisma.job.findMany()).toMatchObject([{ status: 'processing', videoTitle: null }])
  for (const table of ['results', 'usage_entries', 'usage_additions', 'webhook_events', 'webhook_deliveries']) {
    expect((await db.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  }
})

test('keeps the title of a video whose platform has named none since', async () => {
  const { job, lease } = await claim()
  await db.query(`UPDATE jobs SET video_title = 'Lakes'`)
  const result = { ...newResult(job.id), videoInfo: {} as StoredResult['videoInfo'] }
  const ended = await completeClaimedJob(db, lease, { result, warnings: [], event: null })
  expect(ended?.job.videoTitle).toBe('Lakes')
})

test('says whether another job of the account is held back in the lane', async () => {
  const { job, lease } = await claim()
  const waiting = await storeJob(db, { userId: job.userId })
  await holdJob(db, waiting.id)
  const ended = await completeClaimedJob(db, lease, { result: newResult(job.id), warnings: [], event: null })
  expect(ended?.hasHeld).toBe(true)
})
