import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SummaryContent, SummaryMode, SummaryQuality } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { endOwnJob } from '../jobs/end-sql.ts'
import { findResult, findSummarizedResult, type StoredResult } from '../jobs/result-sql.ts'
import { claimStoredJob, saveResult } from '../testing/index.ts'
import { saveTranscript } from '../transcripts/transcripts-sql.ts'
import { recordUsage } from '../usage/ledgers-sql.ts'
import { addJobSummary, listJobSummaries, type StoredSummary, saveSummary } from './summaries-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

const ANY_TIME = new Date(0)
const newKey = (): Buffer => createHash('sha256').update(randomUUID()).digest()
const content: SummaryContent = {
  overview: [{ text: `it's "this" \u{1F600}`, segmentIds: [1, 2] }],
  sections: [{ heading: 'h', points: [{ text: 'p', segmentIds: [] }] }],
}

const quality: SummaryQuality = {
  coverage: 0.5,
  citations: 3,
  supportedCitations: 2,
  unsupportedClaims: 1,
  strategy: 'map_reduce',
  chunks: 3,
  injectionSuspected: true,
}

async function save(cacheKey: Buffer, mode: SummaryMode = 'tldr'): Promise<StoredSummary> {
  const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4, costUsd: 0.001234 }
  const summary = { id: randomUUID(), transcriptId: randomUUID(), mode, model: 'm', content, usage, quality }
  await saveSummary(db, { ...summary, cacheKey })
  return summary
}

test('keeps an existing summary, and may be repeated', async () => {
  const cacheKey = newKey()
  const kept = await save(cacheKey)
  const newer = { ...kept, id: randomUUID(), cacheKey }
  expect(await saveSummary(db, newer, ANY_TIME)).toBe(kept.id)
  expect((await db.query('SELECT id FROM summaries WHERE cache_key = $1', [cacheKey])).rows).toEqual([{ id: kept.id }])
  const later = new Date(Date.now() + 60_000)
  for (let time = 0; time < 2; time++) expect(await saveSummary(db, newer, later)).toBe(newer.id)
  expect((await db.query('SELECT FROM summaries WHERE cache_key = $1', [cacheKey])).rowCount).toBe(2)
})

describe('addJobSummary', () => {
  const cancelled = { status: 'failed' as const, error: null, warnings: [], completedAt: new Date() }
  async function writer() {
    const { job } = await claimStoredJob(db)
    const { id, mode } = await save(newKey())
    return { job, add: (sql: Sql = db) => addJobSummary(sql, { jobId: job.id, mode, summaryId: id, reused: false }) }
  }
  const paidFor = async (jobId: string) =>
    (await db.prisma.usageEntry.findFirstOrThrow({ where: { jobId } })).outputTokens

  test('adds nothing to a job that has ended', async () => {
    const { job, add } = await writer()
    await endOwnJob(db, job.userId, job.id, cancelled)
    await add()
    expect(await listJobSummaries(db, job.id)).toEqual([])
  })

  test('does not add a summary while its job is being cancelled, because it would not be counted', async () => {
    const { job, add } = await writer()
    let adding: Promise<void> | undefined
    await db.transaction(async (sql) => {
      await endOwnJob(sql, job.userId, job.id, cancelled)
      adding = add()
      expect(await Promise.race([adding, sleep(300, 'waits')])).toBe('waits')
      await recordUsage(sql, job.id)
    })
    await adding
    expect([await listJobSummaries(db, job.id), await paidFor(job.id)]).toEqual([[], 0])
  })

  test('counts a summary that is being added during a cancellation', async () => {
    const { job, add } = await writer()
    const cancel = () =>
      db.transaction(async (sql) => {
        await endOwnJob(sql, job.userId, job.id, cancelled)
        await recordUsage(sql, job.id)
      })
    let cancelling: Promise<void> | undefined
    await db.transaction(async (sql) => {
      await add(sql)
      cancelling = cancel()
      expect(await Promise.race([cancelling, sleep(300, 'waits')])).toBe('waits')
    })
    await cancelling
    expect(await paidFor(job.id)).toBe(2)
  })
})

test('lists one summary per mode, the first one, in the order of the modes, and marks reused ones', async () => {
  const jobId = (await claimStoredJob(db)).job.id
  const [tldr, later, detailed] = [await save(newKey()), await save(newKey()), await save(newKey(), 'detailed')]
  await addJobSummary(db, { jobId, mode: 'detailed', summaryId: detailed.id, reused: true })
  await addJobSummary(db, { jobId, mode: 'tldr', summaryId: tldr.id, reused: false })
  await addJobSummary(db, { jobId, mode: 'tldr', summaryId: later.id, reused: true })
  expect(await listJobSummaries(db, jobId)).toEqual([
    { ...tldr, reused: false },
    { ...detailed, reused: true },
  ])
  expect(await listJobSummaries(db, randomUUID())).toEqual([])
})

describe('a result', () => {
  const track = { key: 'a.en', language: 'en', kind: 'auto' as const, name: 'English', isDefault: false }
  async function newResult(processingMs = 1_000, completedAt = new Date()): Promise<StoredResult> {
    const { id } = await saveTranscript(db, {
      id: randomUUID(),
      videoId: 'v',
      track,
      cues: [{ startMs: 0, durationMs: 1, text: 'a' }],
    })
    return {
      jobId: randomUUID(),
      transcriptId: id,
      cueCount: 1,
      truncated: true,
      selectionReason: 'auto_exact_language',
      videoInfo: {
        video_id: 'v',
        url: 'https://www.youtube.com/watch?v=v',
        title: 't',
        channel: { id: 'c', name: 'c', url: 'u' },
        description: 'd',
        published_at: '2026-01-01T00:00:00Z',
        duration_seconds: 1.5,
        thumbnail_url: 't',
        language: 'en',
        is_live_archive: false,
        chapters: [],
      },
      citedStarts: { 1: 0, 700: 123_456 },
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cached_input_tokens: 3,
        total_tokens: 6,
        cost_usd: 0.1,
        model: 'm',
        cached: false,
      },
      processingMs,
      completedAt,
    }
  }

  test('stores a result once, and finds it with the track of its transcript', async () => {
    const result = await newResult()
    expect(await findResult(db, result.jobId)).toBeNull()
    await saveResult(db, result)
    expect(await findResult(db, result.jobId)).toEqual({ ...result, track, cleaning: null, comments: null })
    await expect(saveResult(db, { ...result, truncated: false })).rejects.toThrow('results_pkey')
  })

  test('finds a result with its summaries', async () => {
    const [first, second] = [(await claimStoredJob(db)).job.id, (await claimStoredJob(db)).job.id]
    for (const jobId of [first, second]) await saveResult(db, { ...(await newResult()), jobId })
    const [tldr, detailed] = [await save(newKey()), await save(newKey(), 'detailed')]
    await addJobSummary(db, { jobId: first, mode: 'detailed', summaryId: detailed.id, reused: true })
    await addJobSummary(db, { jobId: first, mode: 'tldr', summaryId: tldr.id, reused: false })
    const found = await findSummarizedResult(db, first)
    expect(found).toEqual({ ...(await findResult(db, first)), summaries: await listJobSummaries(db, first) })
    expect(found?.summaries.map(({ mode, reused }) => [mode, reused])).toEqual([
      ['tldr', false],
      ['detailed', true],
    ])
    expect(await findSummarizedResult(db, second)).toEqual({ ...(await findResult(db, second)), summaries: [] })
    expect(await findSummarizedResult(db, randomUUID())).toBeNull()
  })
})
