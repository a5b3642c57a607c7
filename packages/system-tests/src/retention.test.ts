import { type JobStatus, type Plan, ServiceError, type VideoOptions } from '@subtext/contracts'
import { claimJobById, completeJob, createAcceptor, failJob, listJobs } from '@subtext/core/jobs'
import { purgeOld, purgeUnused } from '@subtext/core/retention'
import { addJobSummary, saveNotes, saveSummary } from '@subtext/core/summaries'
import { saveTranscript, saveVideo } from '@subtext/core/transcripts'
import { foldUsageAdditions } from '@subtext/core/usage'
import type { WebhookEvent } from '@subtext/core/webhooks'
import { useTestDatabase } from '@subtext/db/testing'
import { findViolations } from '@subtext/testbed'
import { v7 as newId } from 'uuid'

const DAY_MS = 86_400_000
const NEVER = new AbortController().signal
const KEEP_ALL = { resultsDays: 0, cacheDays: 0, webhooksDays: 0 }
const OPTIONS: VideoOptions = {
  summary_modes: ['tldr'],
  max_transcript_length: 1_000,
  include_comments: false,
  generate_infographic: false,
}
const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const NO_USAGE = { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1, cacheWriteTokens: 0, costUsd: 0.01 }
const WEBHOOK = 'https://example.org/hook'

const { db } = useTestDatabase({ per: 'test' })
let users: string[]

beforeEach(async () => {
  users = Array.from({ length: 3 }, () => newId())
  const plan: Plan = 'pro'
  await db.prisma.user.createMany({ data: users.map((id) => ({ id, email: `${id}@example.org`, plan })) })
})

const ignore = (): void => {}
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const contextAt = (time: Date) => ({
  db,
  clock: () => time,
  log: { info: ignore, warn: ignore, error: ignore },
  producer: { wakeJobs: async () => {}, isConnected: () => true },
  notifier: { publish: async () => {}, subscribe: () => ignore },
})

interface Past {
  userId: string
  days: number
  outcome?: 'completed' | 'failed' | 'queued'
  webhookUrl?: string
  videoId?: string
}

/** Creates a job that was accepted `days` days ago and ended at that time. */
async function makeJob({
  userId,
  days,
  outcome = 'completed',
  webhookUrl,
  videoId = 'aaaaaaaaaaa',
}: Past): Promise<string> {
  const at = daysAgo(days)
  const ctx = contextAt(at)
  const id = newId({ msecs: at.getTime() })
  await createAcceptor(ctx)({
    id,
    userId,
    apiKeyId: null,
    lane: 'normal',
    priority: 'normal',
    videoId,
    options: OPTIONS,
    customInstructions: null,
    useProxy: null,
    forceRefresh: false,
    webhookUrl: webhookUrl ?? null,
    serviceName: null,
    agentName: null,
    clientReference: null,
    quota: { daily: 500, monthly: 500 },
  })
  if (outcome === 'queued') return id
  const claimed = await claimJobById(ctx, id, { leaseSeconds: 60 })
  if (!claimed) throw new Error('The job could not be claimed.')
  if (outcome === 'failed') {
    await failJob(ctx, claimed.lease, { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: at })
    return id
  }
  const transcriptId = newId({ msecs: at.getTime() })
  const cues = [{ startMs: 0, durationMs: 900, text: 'one' }]
  await saveTranscript(db, { id: transcriptId, videoId, track: { ...TRACK, key: id }, cues })
  const summary = { id: newId({ msecs: at.getTime() }), transcriptId, mode: 'tldr' as const, model: 'none' }
  const content = { overview: [], sections: [] }
  await saveSummary(db, { ...summary, content, usage: NO_USAGE, cacheKey: Buffer.from(summary.id) })
  await addJobSummary(db, { jobId: id, mode: 'tldr', summaryId: summary.id, reused: false })
  await saveNotes(db, { userId, transcriptId, key: Buffer.from(id), notes: [] }, at)
  await db.query('UPDATE transcript_notes SET created_at = $2 WHERE transcript_id = $1', [transcriptId, at])
  await db.query('UPDATE transcripts SET fetched_at = $2 WHERE id = $1', [transcriptId, at])
  await db.query('UPDATE summaries SET created_at = $2 WHERE id = $1', [summary.id, at])
  const usage = { input_tokens: 3, output_tokens: 2, cached_input_tokens: 1, total_tokens: 6, cost_usd: 0.01 }
  const body = Buffer.from('{}')
  const event: WebhookEvent = { id: newId({ msecs: at.getTime() }), type: 'job.completed', createdAt: at, body }
  const result = {
    jobId: id,
    transcriptId,
    cueCount: 1,
    truncated: false,
    selectionReason: 'manual_first' as const,
    videoInfo: {} as never,
    citedStarts: {},
    usage: { ...usage, model: 'none', cached: false },
    processingMs: 1,
    completedAt: at,
  }
  const entry = { language: 'en', tsvector: "'word':1", isPartial: false }
  await completeJob(ctx, claimed, { result, warnings: [], entry, event: webhookUrl ? event : null })
  return id
}

const count = async (table: string) =>
  (await db.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`)).rows[0]?.rows
const deliver = (days: number) =>
  db.query("UPDATE webhook_deliveries SET status = 'delivered', ready = false, updated_at = $1", [daysAgo(days)])
/** Finds violations, except for the sums of an account, which outlive the receipts of deleted jobs, and costs of the past, which nobody charged. */
const violations = async () => {
  const found = await findViolations({ rows: async (text, values) => (await db.query<never>(text, values)).rows })
  const {
    'the sums of an account differ from its receipts': _sums,
    'what counts toward the limits of an account differs from its receipts': _limits,
    ...others
  } = found
  return others
}
/** Returns the sums of all accounts, with everything that has been added so far. */
const rollups = async () => {
  await foldUsageAdditions(db, 1_000)
  return (await db.query('SELECT * FROM usage_rollups ORDER BY 1, 2, 3, 4')).rows
}
const list = async (userId: string) => {
  const ofUser = async (status?: JobStatus) =>
    listJobs({ db }, { userId, apiKeyId: null, plan: 'pro', scopes: [] }, { limit: 100, status })
  const all = await ofUser()
  const of = async (status: JobStatus) => (await ofUser(status)).total
  return {
    ids: all.jobs.map(({ id }) => id),
    total: all.total,
    completed: await of('completed'),
    failed: await of('failed'),
  }
}

test('deletes old jobs with everything that belongs only to them, and keeps totals, quotas and sums exact', async () => {
  const [user, other] = users as [string, string]
  for (const outcome of ['completed', 'failed'] as const) {
    for (const days of [40, 9, 8]) await makeJob({ userId: user, days, outcome, webhookUrl: WEBHOOK })
  }
  const kept = [await makeJob({ userId: user, days: 3 }), await makeJob({ userId: user, days: 3, outcome: 'failed' })]
  const othersJob = await makeJob({ userId: other, days: 3 })
  await deliver(1)
  const sums = await rollups()
  expect(sums.length).toBeGreaterThan(0)
  const used = await count('quota_usage WHERE used > 0')

  await Promise.all([1, 2, 3].map(() => purgeOld(contextAt(new Date()), { ...KEEP_ALL, resultsDays: 7 }, NEVER)))

  expect(await list(user)).toEqual({ ids: kept.sort().reverse(), total: 2, completed: 1, failed: 1 })
  expect((await list(other)).ids).toEqual([othersJob])
  const tables = ['jobs', 'results', 'job_summaries', 'usage_entries', 'webhook_events', 'webhook_deliveries']
  expect(await Promise.all(tables.map(count))).toEqual([3, 2, 2, 3, 0, 0])
  expect(await rollups()).toEqual(sums)
  expect(await count('quota_usage WHERE used > 0')).toBeLessThanOrEqual(used ?? 0)
  expect(await violations()).toEqual({})
})

test('keeps unfinished jobs and those whose webhook is not delivered yet, whatever their age', async () => {
  const [user] = users as [string]
  const waiting = await makeJob({ userId: user, days: 30, outcome: 'queued' })
  const untold = await makeJob({ userId: user, days: 30, webhookUrl: WEBHOOK })
  const purge = () => purgeOld(contextAt(new Date()), { ...KEEP_ALL, resultsDays: 1, webhooksDays: 1 }, NEVER)
  await purge()
  expect((await list(user)).ids.sort()).toEqual([waiting, untold].sort())
  await deliver(20)
  await purge()
  expect((await list(user)).ids).toEqual([waiting])
})

test('counts exactly while jobs are accepted, end and are deleted at the same time', async () => {
  for (const userId of users) {
    for (let nth = 0; nth < 40; nth++) await makeJob({ userId, days: 5, outcome: nth % 2 ? 'failed' : 'completed' })
  }
  const ctx = contextAt(new Date())
  const coming = users.flatMap((userId) =>
    Array.from({ length: 10 }, (_, nth) => makeJob({ userId, days: 0, outcome: nth % 2 ? 'failed' : 'completed' })),
  )
  await Promise.all([...coming, ...[1, 2].map(() => purgeOld(ctx, { ...KEEP_ALL, resultsDays: 2 }, NEVER))])
  for (const userId of users) expect(await list(userId)).toMatchObject({ total: 10, completed: 5, failed: 5 })
  expect(await violations()).toEqual({})
})

test('deletes events with their attempts some days after the deliveries ended, and keeps the job', async () => {
  const [user] = users as [string]
  await makeJob({ userId: user, days: 50, webhookUrl: WEBHOOK })
  const purge = () => purgeOld(contextAt(new Date()), { ...KEEP_ALL, webhooksDays: 30 }, NEVER)
  await db.query(
    'INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms) SELECT id, 1, now(), 1 FROM webhook_deliveries',
  )
  await purge()
  expect(await count('webhook_events')).toBe(1)
  await deliver(29)
  await purge()
  expect(await count('webhook_events')).toBe(1)
  await deliver(31)
  await purge()
  const tables = ['webhook_events', 'webhook_deliveries', 'webhook_attempts', 'jobs']
  expect(await Promise.all(tables.map(count))).toEqual([0, 0, 0, 1])
})

test('deletes transcripts, notes and summaries that no result contains and no unfinished job may use', async () => {
  const [user] = users as [string]
  const policy = { ...KEEP_ALL, resultsDays: 20, cacheDays: 10 }
  const video = { info: { video_id: 'bbbbbbbbbbb' } as never, tracks: [] }
  await saveVideo(db, video)
  await db.query('UPDATE videos SET fetched_at = $1', [daysAgo(2)])
  for (const videoId of ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'])
    await makeJob({ userId: user, days: 30, videoId })
  await makeJob({ userId: user, days: 15, videoId: 'ddddddddddd' })
  const waiting = await makeJob({ userId: user, days: 0, videoId: 'ccccccccccc', outcome: 'queued' })
  const tables = ['summaries', 'transcript_parts', 'transcript_notes']
  const purge = async () => {
    await purgeOld(contextAt(new Date()), policy, NEVER)
    await purgeUnused(contextAt(new Date()), policy, NEVER)
    await db.query('DELETE FROM leases')
    const { rows } = await db.query<{ video: string }>('SELECT video_id AS video FROM transcripts ORDER BY 1')
    return [rows.map((row) => row.video[0]).join(''), ...(await Promise.all(tables.map(count)))]
  }
  expect(await purge()).toEqual(['cd', 2, 2, 1])
  expect(await count('videos')).toBe(0)
  await db.query('DELETE FROM jobs WHERE id = $1', [waiting])
  expect(await purge()).toEqual(['d', 1, 1, 0])
})

test('deletes stored information about thumbnails after a month', async () => {
  for (const [videoId, days] of [
    ['aaaaaaaaaaa', 31],
    ['bbbbbbbbbbb', 29],
  ] as const) {
    await db.prisma.thumbnail.create({ data: { videoId, standard: true, maxres: false, checkedAt: new Date() } })
    await db.query('UPDATE thumbnails SET checked_at = $2 WHERE video_id = $1', [videoId, daysAgo(days)])
  }
  await purgeOld(contextAt(new Date()), KEEP_ALL, NEVER)
  expect(await db.prisma.thumbnail.findMany({ select: { videoId: true } })).toEqual([{ videoId: 'bbbbbbbbbbb' }])
})

test('lets one worker look for unused rows once an hour, and deletes nothing that the settings keep', async () => {
  const [user] = users as [string]
  await makeJob({ userId: user, days: 400 })
  await makeJob({ userId: user, days: 400, outcome: 'failed' })
  await purgeOld(contextAt(new Date()), KEEP_ALL, NEVER)
  await purgeUnused(contextAt(new Date()), KEEP_ALL, NEVER)
  expect(await Promise.all(['jobs', 'results', 'transcripts', 'quota_entries'].map(count))).toEqual([2, 1, 1, 3])
  await purgeUnused(contextAt(new Date()), { ...KEEP_ALL, cacheDays: 1 }, NEVER)
  await db.query('DELETE FROM results')
  await db.query('DELETE FROM job_summaries')
  await purgeUnused(contextAt(new Date()), { ...KEEP_ALL, cacheDays: 1 }, NEVER)
  expect(await count('transcripts')).toBe(1)
})

test('deletes the quota ledger of a past month with its jobs', async () => {
  const [user] = users as [string]
  for (const days of [100, 2])
    for (const outcome of ['completed', 'failed'] as const) await makeJob({ userId: user, days, outcome })
  await purgeOld(contextAt(new Date()), { ...KEEP_ALL, resultsDays: 50 }, NEVER)
  expect(await count('quota_entries')).toBe(3)
  expect(await violations()).toEqual({})
})

test('deletes receivers and endpoints that were not used for a month', async () => {
  const [userId] = users as [string]
  const keys = { fresh: newId(), stale: newId() }
  for (const [name, days] of [
    ['fresh', 29],
    ['stale', 31],
  ] as const) {
    await db.query('INSERT INTO webhook_receivers (key, quick, updated_at) VALUES ($1, true, $2)', [
      keys[name],
      daysAgo(days),
    ])
    await db.query(
      `INSERT INTO webhook_endpoints (key, user_id, url, failing_since, failed_events, disabled_at, updated_at)
       VALUES ($1, $2, 'https://example.org/hook', $4, 10, $4, $3)`,
      [keys[name], userId, daysAgo(days), daysAgo(40)],
    )
  }
  await Promise.all([1, 2, 3].map(() => purgeOld(contextAt(new Date()), KEEP_ALL, NEVER)))
  for (const table of ['webhook_receivers', 'webhook_endpoints']) {
    expect((await db.query(`SELECT key FROM ${table}`)).rows).toEqual([{ key: keys.fresh }])
  }
})
