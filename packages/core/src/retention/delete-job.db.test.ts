import { randomUUID } from 'node:crypto'
import type { Sql } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { v7 as newId } from 'uuid'
import type { StoredAnswer } from '../chats/conversations-sql.ts'
import { completeExchange, openExchange } from '../chats/exchanges-sql.ts'
import { acceptDerivedJob } from '../jobs/derive-sql.ts'
import { newJob } from '../testing/index.ts'
import { leaseDeliveries } from '../webhooks/claim-sql.ts'
import { queueRedelivery, recordDelivered } from '../webhooks/events-sql.ts'
import { deleteEndedJob } from './delete-job-sql.ts'
import { deleteOldJobs } from './retention-sql.ts'

const { db } = useTestDatabase({ maxConnections: 6 })

const userId = randomUUID()
const NOW = new Date()
const OLD = { before: NOW, limit: 100 }
const ENDED = new Date(NOW.getTime() - 86_400_000)
let jobId: string

beforeAll(() => db.query(`INSERT INTO users (id, email, plan) VALUES ($1, 'a@example.org', 'pro')`, [userId]))
beforeEach(async () => {
  await db.query('TRUNCATE jobs, results, webhook_events, quota_usage CASCADE')
  jobId = await storeJob()
})

/** Stores a job that completed long ago, with an event whose delivery is being waited for. */
async function storeJob(videoId = 'dQw4w9WgXcQ'): Promise<string> {
  const id = newId({ msecs: ENDED.getTime() })
  await db.query(
    `WITH job AS (
       INSERT INTO jobs (id, user_id, lane, priority, video_id, options, status, step, progress, wake_at, created_at, updated_at,
         completed_at)
       VALUES ($1, $2, 'normal', 'normal', $3, '{}', 'completed', 'completed', 100, $4, $4, $4, $4) RETURNING id
     ), transcript AS (
       INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, fetched_at)
       VALUES ($1, $3, '.en', '{"language":"en"}', 0, 0, $4)
     ), result AS (
       INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage,
         processing_ms, completed_at)
       VALUES ($1, $1, 0, false, '', '{}', '{}', '{}', 0, $4)
     ), event AS (
       INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at) VALUES ($1, $2, 'job.completed', $1, '{}', $4)
     )
     SELECT`,
    [id, userId, videoId, ENDED],
  )
  await db.query(
    `INSERT INTO webhook_deliveries (id, event_id, user_id, url, receiver_key, endpoint_key, ready, next_attempt_at, created_at,
       updated_at)
     VALUES ($1, $1, $2, 'https://example.org', $1, $1, true, $3, $3, $3)`,
    [id, userId, ENDED],
  )
  return id
}

/** Adds a job to the library, as the newest of its video. */
const enter = (id: string, videoId = 'dQw4w9WgXcQ') =>
  db.query(
    `INSERT INTO library_entries (user_id, video_id, job_id, transcript_id, cue_count, title, channel_id, language, completed_at,
       tsv) VALUES ($1, $2, $3, $3, 0, '', '', 'en', now(), '')`,
    [userId, videoId, id],
  )
const enteredJobs = async () =>
  (await db.prisma.libraryEntry.findMany({ where: { userId }, select: { jobId: true } })).map((entry) => entry.jobId)

const remove = (id = jobId) => deleteEndedJob(db, { userId, jobId: id }, NOW)
const exists = async (table: string, id = jobId) =>
  (await db.query(`SELECT FROM ${table} WHERE id = $1`, [id])).rowCount === 1

/** Deletes the job while a transaction that did `use` first is not committed yet. */
async function removeDuring(use: (sql: Sql) => Promise<unknown>) {
  let removed: ReturnType<typeof remove> | undefined
  await db.transaction(async (sql) => {
    await use(sql)
    removed = remove()
    await untilBlocked(db)
  })
  return removed
}

const EXCHANGE = {
  title: 'What is it about?',
  userId,
  apiKeyId: null,
  question: 'What is it about?',
  regenerate: false,
  leaseSeconds: 60,
  quota: { day: '2026-01-01', limit: 10 },
  maxExchanges: 10,
  now: NOW,
}

async function ask() {
  const [id, leaseToken] = [randomUUID(), randomUUID()]
  const { outcome } = await openExchange(db, { ...EXCHANGE, id, leaseToken, conversationId: randomUUID(), jobId })
  return { outcome, lease: { id, token: leaseToken } }
}

const derive = (sql: Sql) =>
  acceptDerivedJob(
    { ...db, transaction: (work) => work(sql) },
    {
      id: randomUUID(),
      userId,
      apiKeyId: null,
      sourceId: jobId,
      options: newJob().options,
      customInstructions: null,
      webhookUrl: null,
    },
    { limit: 20, now: NOW, wakeSeconds: 60 },
  )

test('a job is kept if another is derived from it at the same moment', async () => {
  expect(await removeDuring(derive)).toEqual({ outcome: 'needed' })
  expect(await exists('jobs')).toBe(true)
})

test('a job that was deleted a moment before is not derived from', async () => {
  let derived: ReturnType<typeof derive> | undefined
  const blocked: typeof db = {
    ...db,
    transaction: (work) =>
      db.transaction(async (sql) => {
        const result = await work(sql)
        derived = db.transaction(derive)
        await untilBlocked(db)
        return result
      }),
  }
  expect(await deleteEndedJob(blocked, { userId, jobId }, NOW)).toMatchObject({ outcome: 'deleted' })
  expect(await derived).toEqual({ outcome: 'gone' })
})

test('a question that is being answered goes with the job, and does not count', async () => {
  const { outcome, lease } = await ask()
  expect(outcome).toBe('opened')
  expect(await remove()).toMatchObject({ outcome: 'deleted' })
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
  const answer: StoredAnswer = { kind: 'answer', parts: [], language: 'en', model: 'm', warnings: [] }
  expect(await completeExchange(db, lease, { answer, usage, now: NOW })).toBeNull()
  expect((await db.query('SELECT used FROM quota_usage')).rows).toEqual([{ used: 0 }])
  expect((await ask()).outcome).toBe('gone')
})

test('an answer that is stored at the same moment is paid for, and its receipt stays', async () => {
  const { lease } = await ask()
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
  const answer: StoredAnswer = { kind: 'answer', parts: [], language: 'en', model: 'm', warnings: [] }
  const removed = await removeDuring(async (sql) => {
    await completeExchange(sql, lease, { answer, usage, now: NOW })
    await sql.query(
      `INSERT INTO usage_entries (job_id, subject_kind, subject_id, user_id, outcome, input_tokens, output_tokens,
         cached_input_tokens, cost_usd, created_at) VALUES ($1, 'chat_message', $2, $3, 'completed', 1, 1, 0, 0.001, now())`,
      [jobId, lease.id, userId],
    )
  })
  expect(removed).toMatchObject({ outcome: 'deleted' })
  expect(await db.prisma.usageEntry.findFirst({ where: { jobId } })).toMatchObject({ jobDeletedAt: NOW })
})

test('a delivery that is being sent is dropped, and its sender finds that it is gone', async () => {
  const token = randomUUID()
  await leaseDeliveries(db, [jobId], { token, leaseSeconds: 60 })
  expect(await remove()).toMatchObject({ outcome: 'deleted' })
  const outcome = { startedAt: NOW, durationMs: 1, statusCode: 200, responseBody: '', quick: true }
  const attempts = [{ delivery: { id: jobId, token, attemptNo: 1 }, outcome }]
  expect(await recordDelivered(db, attempts)).toEqual([false])
  expect(await exists('webhook_events')).toBe(false)
})

test('what a subscription tells of the job goes with it, and what it tells of other jobs stays', async () => {
  const [followed, other] = [newId(), newId()]
  await db.query(
    `WITH source AS (
       INSERT INTO sources (id, kind, platform_id, used_at) VALUES ($1, 'playlist', 'PLtold', now()) RETURNING id
     ), link AS (
       INSERT INTO account_sources (id, user_id, source_id, created_at) SELECT $1, $2, id, now() FROM source RETURNING id
     ), subscription AS (
       INSERT INTO subscriptions (id, user_id, account_source_id, action, options, priority, stop_key, digested_at, created_at,
         updated_at) SELECT $1, $2, id, 'process', '{}', 'normal', '', now(), now(), now() FROM link RETURNING id
     ), item AS (
       INSERT INTO subscription_items (subscription_id, video_id, id, title, type, state, job_id, created_at, updated_at)
       SELECT s.id, v.video_id, v.id, '', 'video', 'processed', v.job_id, now(), now() FROM subscription s,
         (VALUES ('dQw4w9WgXcQ', $1::uuid, $3::uuid), ('another', $4, $4)) AS v(video_id, id, job_id) RETURNING id
     )
     INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
     SELECT id, $2, 'subscription.video', id, '{}', now() FROM item`,
    [followed, userId, jobId, other],
  )
  expect(await remove()).toMatchObject({ outcome: 'deleted' })
  expect([await exists('webhook_events', followed), await exists('webhook_events', other)]).toEqual([false, true])
})

test('the end of an attempt is recorded while the job is being deleted', async () => {
  const token = randomUUID()
  await leaseDeliveries(db, [jobId], { token, leaseSeconds: 60 })
  const outcome = { startedAt: NOW, durationMs: 1, statusCode: 200, responseBody: '', quick: true }
  const removed = await removeDuring((sql) =>
    recordDelivered(sql, [{ delivery: { id: jobId, token, attemptNo: 1 }, outcome }]),
  )
  expect(removed).toMatchObject({ outcome: 'deleted' })
  expect(await exists('webhook_deliveries')).toBe(false)
})

test('a redelivery that is requested at the same moment is dropped', async () => {
  expect(await removeDuring((sql) => queueRedelivery(sql, userId, jobId))).toMatchObject({ outcome: 'deleted' })
  expect(await exists('webhook_deliveries')).toBe(false)
  expect(await queueRedelivery(db, userId, jobId)).toBe(false)
})

describe('two jobs of a video', () => {
  let newer: string
  beforeEach(async () => {
    newer = await storeJob()
    await enter(newer)
  })

  test('are deleted at the same moment, in either order', async () => {
    for (let time = 0; time < 10; time++) {
      const outcomes = await Promise.all(time % 2 ? [remove(newer), remove()] : [remove(), remove(newer)])
      expect(outcomes).toMatchObject([{ outcome: 'deleted' }, { outcome: 'deleted' }])
      expect(await enteredJobs()).toEqual([])
      jobId = await storeJob()
      newer = await storeJob()
      await enter(newer)
    }
  })

  test('leave the library if the older one is deleted after it has been chosen', async () => {
    let removed: ReturnType<typeof remove> | undefined
    await db.transaction(async (sql) => {
      await sql.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [jobId])
      removed = remove(newer)
      await untilBlocked(db)
      await sql.query('DELETE FROM jobs WHERE id = $1', [jobId])
    })
    expect(await removed).toMatchObject({ outcome: 'deleted' })
    expect(await enteredJobs()).toEqual([])
  })
})

test('the purge passes over a job that is being deleted', async () => {
  const other = await storeJob('abcdefghijk')
  await db.query(`UPDATE webhook_deliveries SET status = 'delivered', ready = false`)
  let purged: Promise<number> | undefined
  await db.transaction(async (sql) => {
    const inTransaction = { ...db, transaction: <T>(work: (sql: Sql) => Promise<T>) => work(sql) }
    expect(await deleteEndedJob(inTransaction, { userId, jobId }, NOW)).toMatchObject({ outcome: 'deleted' })
    purged = deleteOldJobs(db, OLD)
    // It waits for the account only.
    await untilBlocked(db)
  })
  expect(await purged).toBe(1)
  expect(await exists('jobs', other)).toBe(false)
})
