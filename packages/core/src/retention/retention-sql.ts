import { firstIdAt, type Sql, type Transactional } from '@subtext/db'
import { replaceEntries } from '../library/index.ts'
import { removeCitations } from './citations-sql.ts'

export interface PurgeOptions {
  /** Only rows older than this are deleted. */
  before: Date
  /** Maximum number of rows deleted by one call. */
  limit: number
}

// Every statement in this file and in `cache-retention-sql.ts` takes the rows that it can lock at once, and leaves the others to
// a later round. Any number of processes may purge at the same time. They wait for each other only for the events of a batch, and
// take turns with jobs.
// What a statement reads depends on the rows that it deletes or, at most, on `limit`, but never on how much has finished
// (`growth.db.test.ts`). `OFFSET 0` makes the planner look up each row instead of joining all of them, and comparing with an
// array makes it delete by index.

const pendingDeliveryOf = (subjectId: string): string =>
  `SELECT FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
   WHERE e.subject_id = ${subjectId} AND d.status = 'pending' OFFSET 0`

const IS_JOB_DONE = `NOT EXISTS (${pendingDeliveryOf('j.id')})
    AND NOT EXISTS (SELECT FROM batches b WHERE b.id = j.batch_id AND b.status = 'processing' OFFSET 0)
    AND NOT EXISTS (SELECT FROM jobs d WHERE d.derived_from = j.id AND d.status IN ('queued', 'processing') OFFSET 0)
    AND NOT EXISTS (SELECT FROM chat_conversations c JOIN chat_exchanges x ON x.conversation_id = c.id
      WHERE c.job_id = j.id AND x.status = 'pending' OFFSET 0)`

// Each of two purges might delete the job that takes the place of one of the other's in the library.
const TAKE_TURN = `SELECT pg_advisory_xact_lock(hashtextextended('purge of jobs', 0))`

const LOCK_JOBS = `
SELECT j.id FROM jobs j WHERE j.id < $1::uuid AND j.completed_at < $2 AND ${IS_JOB_DONE}
ORDER BY j.id LIMIT $3 FOR UPDATE OF j SKIP LOCKED`

// The totals of an account change in the same statement, so that lists stay exact. Accounts are locked in the order of
// the accepting statement. The ledger keeps a job's reservation until its period is long over.
const DELETE_JOBS = `
WITH due AS MATERIALIZED (
  SELECT j.id, j.user_id, j.status FROM jobs j WHERE j.id = ANY ($1::uuid[]) AND ${IS_JOB_DONE}
), ids AS (SELECT ARRAY(SELECT id FROM due) AS list),
owners AS MATERIALIZED (
  SELECT id FROM users WHERE id = ANY (ARRAY(SELECT user_id FROM due)) ORDER BY id FOR NO KEY UPDATE
), ${replaceEntries('(SELECT list FROM ids)::uuid[]')},
jobs_gone AS (DELETE FROM jobs WHERE id = ANY ((SELECT list FROM ids)::uuid[]) RETURNING id, user_id, status),
results_gone AS (DELETE FROM results WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
summaries_gone AS (DELETE FROM job_summaries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
spendings_gone AS (DELETE FROM job_spendings WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
usage_gone AS (DELETE FROM usage_entries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
events_gone AS (DELETE FROM webhook_events WHERE subject_id = ANY ((SELECT list FROM ids)::uuid[])),
counted AS (
  UPDATE users u SET jobs_accepted = u.jobs_accepted - g.jobs, jobs_failed = u.jobs_failed - g.failed
  FROM (SELECT user_id, count(*)::int AS jobs, (count(*) FILTER (WHERE status = 'failed'))::int AS failed
    FROM jobs_gone GROUP BY 1) g
  WHERE (SELECT count(*) FROM owners) >= 0 AND u.id = g.user_id AND u.id = ANY (ARRAY(SELECT user_id FROM jobs_gone))
)
SELECT count(*)::int AS deleted FROM jobs_gone`

/**
 * Deletes jobs that were accepted and had ended before that time, with everything that belongs only to them. Jobs whose
 * webhook is still pending, to which an unfinished job adds, or about which a question is being answered, are left for later.
 * Returns how many.
 */
export const deleteOldJobs = (db: Transactional, options: PurgeOptions): Promise<number> =>
  deleteLocked(db, options, {
    lockFirst: TAKE_TURN,
    lock: LOCK_JOBS,
    lockMore: LOCK_EVENTS,
    also: removeCitations,
    remove: DELETE_JOBS,
  })

const IS_BATCH_DONE = `NOT EXISTS (SELECT FROM jobs WHERE batch_id = b.id OFFSET 0)
  AND NOT EXISTS (${pendingDeliveryOf('b.id')})`

const LOCK_BATCHES = `
SELECT id FROM batches b WHERE id < $1 AND completed_at < $2 AND ${IS_BATCH_DONE}
ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`

const DELETE_BATCHES = `
WITH due AS MATERIALIZED (
  SELECT id FROM batches b WHERE id = ANY ($1::uuid[]) AND ${IS_BATCH_DONE}
), events_gone AS (DELETE FROM webhook_events WHERE subject_id = ANY (ARRAY(SELECT id FROM due))),
gone AS (DELETE FROM batches WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING id)
SELECT count(*)::int AS deleted FROM gone`

/** Deletes batches that had ended before that time and have no jobs left. */
export const deleteOldBatches = (db: Transactional, options: PurgeOptions): Promise<number> =>
  deleteLocked(db, options, { lock: LOCK_BATCHES, lockMore: LOCK_EVENTS, remove: DELETE_BATCHES })

const IS_EVENT_DONE = `NOT EXISTS (SELECT FROM webhook_deliveries d
  WHERE d.event_id = e.id AND (d.status = 'pending' OR d.updated_at >= $2) OFFSET 0)`

const lockOldEvents = (which: string): string => `
SELECT id FROM webhook_events e WHERE id < $1::uuid AND created_at < $2 AND ${which} AND ${IS_EVENT_DONE}
ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`

const DELETE_EVENTS = `
WITH due AS MATERIALIZED (
  SELECT id FROM webhook_events e WHERE id = ANY ($1::uuid[]) AND ${IS_EVENT_DONE}
), gone AS (DELETE FROM webhook_events WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING id)
SELECT count(*)::int AS deleted FROM gone`

const deleteOldEvents =
  (which: string) =>
  (db: Transactional, options: PurgeOptions): Promise<number> =>
    deleteLocked(db, options, { lock: lockOldEvents(which), remove: DELETE_EVENTS, removeValues: [options.before] })

/** Deletes events whose deliveries had all ended before that time, including deliveries and attempts. */
export const deleteOldWebhookEvents = deleteOldEvents('true')

/** Deletes only those of subscriptions, many of which are about no job. */
export const deleteOldSubscriptionEvents = deleteOldEvents("type LIKE 'subscription.%'")

/** Deletes conversations about many videos in which nothing was asked since that time. */
export const deleteOldConversations = (sql: Sql, { before, limit }: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'chat_conversations',
    `SELECT ctid AS place FROM chat_conversations WHERE job_id IS NULL AND updated_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [before, limit],
  )

/** Deletes cached information about videos. A later job asks the platform again. */
export const deleteOldVideos = deleteOlder('videos', 'fetched_at')

/** Deletes stored information about thumbnails. The next request asks the image host again. */
export const deleteOldThumbnails = deleteOlder('thumbnails', 'checked_at')

/** Deletes sessions, links, sign-ups, invitations and counts of attempts that expired before that time. */
export const deleteExpiredSessions = deleteOlder('sessions', 'expires_at')
export const deleteExpiredVerifications = deleteOlder('verifications', 'expires_at')
export const deleteExpiredSignInLinks = deleteOlder('sign_in_links', 'expires_at')
export const deleteExpiredSignUps = deleteOlder('sign_ups', 'expires_at')
export const deleteExpiredInvitations = deleteOlder('invitations', 'expires_at')
export const deleteExpiredAttempts = deleteOlder('attempt_counts', 'resets_at')

/** Deletes codes, tokens and connections of applications that expired, and clients that nobody has connected, before that time. */
export const deleteExpiredCodes = deleteOlder('oauth_codes', 'expires_at')
export const deleteExpiredTokens = deleteOlder('oauth_tokens', 'expires_at')
export const deleteExpiredGrants = deleteOlder('oauth_grants', 'expires_at')
export const deleteUnusedClients = deleteOlder('oauth_clients', 'used_at')

/** Deletes the record of what operators did before that time. */
export const deleteOldOperatorActions = (sql: Sql, { before, limit }: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'operator_actions',
    'SELECT ctid AS place FROM operator_actions WHERE id < $1::uuid ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED',
    [firstIdAt(before), limit],
  )

/** Deletes emails that were sent or given up before that time. */
export const deleteOldEmails = deleteOlder('emails', 'ended_at')

/** Deletes emails that no process has tried to send since that time. */
export const deleteUnsentEmails = (sql: Sql, { before, limit }: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'emails',
    `SELECT ctid AS place FROM emails WHERE ended_at IS NULL AND next_attempt_at < $1
     ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [before, limit],
  )

/** Deletes the recorded pace of receivers. The next attempt at such a receiver counts as its first. */
export const deleteOldReceivers = deleteOlder('webhook_receivers', 'updated_at')

/** Deletes the failures of endpoints. A disabled endpoint is attempted again with its next delivery. */
export const deleteOldEndpoints = deleteOlder('webhook_endpoints', 'updated_at')

/**
 * Deletes counters of quotas from before that UTC day, and the ledger entries of deleted jobs from before that time.
 */
export const deleteOldQuotas = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(
    sql,
    `WITH due AS MATERIALIZED (
       SELECT job_id FROM quota_entries q WHERE job_id < $1::uuid AND kind = 'reserve' AND created_at < $2
         AND NOT EXISTS (SELECT FROM jobs WHERE id = q.job_id OFFSET 0)
       ORDER BY job_id LIMIT $3 FOR UPDATE SKIP LOCKED
     ), counters AS MATERIALIZED (
       SELECT ctid AS place FROM quota_usage WHERE starts_on < ($2 AT TIME ZONE 'UTC')::date
       ORDER BY starts_on LIMIT $3 FOR UPDATE SKIP LOCKED
     ), entries_gone AS (
       DELETE FROM quota_entries WHERE job_id = ANY (ARRAY(SELECT job_id FROM due)) RETURNING job_id
     ), counters_gone AS (
       DELETE FROM quota_usage WHERE ctid = ANY (ARRAY(SELECT place FROM counters)) RETURNING user_id
     )
     SELECT greatest((SELECT count(*) FROM entries_gone), (SELECT count(*) FROM counters_gone))::int AS deleted`,
    [firstIdAt(options.before), options.before, options.limit],
  )

/** Deletes the costs of jobs that their owners deleted before that time. */
export const deleteOldCosts = deleteOlder('usage_entries', 'job_deleted_at')

// In the order of their IDs, so that no two purges can wait for each other.
const LOCK_EVENTS =
  'SELECT FROM webhook_events WHERE subject_id = ANY ((SELECT $1::uuid[])::uuid[]) ORDER BY id FOR UPDATE'

interface LockedPurge {
  /** Locks what other purges of this kind wait for. */
  lockFirst?: string
  /** Selects the IDs of rows that seem to be due, and locks them. Its parameters are the highest ID, the time and the limit. */
  lock: string
  /** Locks what belongs to the rows with the IDs in `$1`. */
  lockMore?: string
  /** Cleans what refers to those of the rows with these IDs that are gone. */
  also?: (sql: Sql, ids: readonly string[]) => Promise<void>
  /** Deletes those of the rows with the IDs in `$1` that are still due. */
  remove: string
  removeValues?: unknown[]
}

/**
 * Deletes rows that another transaction may begin to use at the same time. It locks them, or their event, first; but a statement
 * does not see what was committed between its beginning and its own lock, so a second one decides when all rows are
 * locked. In place of rows that are kept after all, it deletes others.
 */
async function deleteLocked(db: Transactional, { before, limit }: PurgeOptions, purge: LockedPurge): Promise<number> {
  const { lockFirst, lock, lockMore, also, remove, removeValues = [] } = purge
  const { deleted, kept } = await db.transaction(async (sql) => {
    if (lockFirst) await sql.query(lockFirst)
    const { rows } = await sql.query<{ id: string }>(lock, [firstIdAt(before), before, limit])
    const ids = rows.map(({ id }) => id)
    if (lockMore) await sql.query(lockMore, [ids])
    const count = await countDeleted(sql, remove, [ids, ...removeValues])
    if (also && count > 0) await also(sql, ids)
    return { deleted: count, kept: ids.length - count }
  })
  return kept > 0 ? deleted + (await deleteLocked(db, { before, limit: kept }, purge)) : deleted
}

async function countDeleted(sql: Sql, text: string, values: unknown[]): Promise<number> {
  const { rows } = await sql.query<{ deleted: number }>(text, values)
  return rows[0]?.deleted ?? 0
}

/** Deletes the rows of a table whose places (`ctid AS place`) `due` selects and locks. */
export async function deleteDue(sql: Sql, table: string, due: string, values: unknown[]): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH due AS MATERIALIZED (${due}) DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM due))`,
    values,
  )
  return rowCount
}

/** Returns a function that deletes the rows of a table whose time in `column` is older. */
function deleteOlder(table: string, column: string) {
  return (sql: Sql, { before, limit }: PurgeOptions): Promise<number> =>
    deleteDue(
      sql,
      table,
      `SELECT ctid AS place FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [before, limit],
    )
}
