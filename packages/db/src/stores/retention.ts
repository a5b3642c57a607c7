import type { Sql } from '../client.ts'

export interface PurgeOptions {
  /** Only rows older than this are deleted. */
  before: Date
  /** Maximum number of rows deleted by one call. */
  limit: number
}

/** Returns the lowest ID at `time`. IDs begin with the milliseconds of their creation (RFC 9562, section 5.7). */
const firstIdAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

// Every statement in this file takes the rows it can lock at once and leaves the others to a later round. Any number of
// processes may purge at the same time without waiting for each other.

// The totals of an account change in the same statement, so that lists stay exact. Accounts are locked in the order of
// the accepting statement. The ledger keeps a job's reservation until its period is long over.
const DELETE_JOBS = `
WITH due AS MATERIALIZED (
  SELECT j.id, j.user_id, j.status FROM jobs j
  WHERE j.id < $1::uuid AND j.completed_at < $2
    AND NOT EXISTS (SELECT FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
      WHERE e.subject_id = j.id AND d.status = 'pending')
    AND NOT EXISTS (SELECT FROM batches b WHERE b.id = j.batch_id AND b.status = 'processing')
  ORDER BY j.id LIMIT $3 FOR UPDATE OF j SKIP LOCKED
), ids AS (SELECT ARRAY(SELECT id FROM due) AS list),
owners AS MATERIALIZED (
  SELECT id FROM users WHERE id = ANY (ARRAY(SELECT user_id FROM due)) ORDER BY id FOR NO KEY UPDATE
), jobs_gone AS (DELETE FROM jobs WHERE id = ANY ((SELECT list FROM ids)::uuid[]) RETURNING id, user_id, status),
results_gone AS (DELETE FROM results WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
summaries_gone AS (DELETE FROM job_summaries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
spendings_gone AS (DELETE FROM job_spendings WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
usage_gone AS (DELETE FROM usage_entries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
events_gone AS (DELETE FROM webhook_events WHERE subject_id = ANY ((SELECT list FROM ids)::uuid[])),
counted AS (
  UPDATE users u SET jobs_accepted = u.jobs_accepted - g.jobs, jobs_failed = u.jobs_failed - g.failed
  FROM (SELECT user_id, count(*)::int AS jobs, (count(*) FILTER (WHERE status = 'failed'))::int AS failed
    FROM jobs_gone GROUP BY 1) g
  WHERE (SELECT count(*) FROM owners) >= 0 AND u.id = g.user_id
)
SELECT count(*)::int AS deleted FROM jobs_gone`

/**
 * Deletes jobs that were accepted and had ended before that time, with everything that belongs only to them. Jobs whose
 * webhook is still pending are left for later. Returns how many.
 */
export const deleteOldJobs = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(sql, DELETE_JOBS, [firstIdAt(options.before), options.before, options.limit])

/** Deletes batches that had ended before that time and have no jobs left. */
export const deleteOldBatches = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(
    sql,
    `WITH due AS MATERIALIZED (
       SELECT id FROM batches b WHERE id < $1::uuid AND completed_at < $2
         AND NOT EXISTS (SELECT FROM jobs WHERE batch_id = b.id)
         AND NOT EXISTS (SELECT FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
           WHERE e.subject_id = b.id AND d.status = 'pending')
       ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
     ), events_gone AS (DELETE FROM webhook_events WHERE subject_id IN (SELECT id FROM due)),
     gone AS (DELETE FROM batches WHERE id IN (SELECT id FROM due) RETURNING id)
     SELECT count(*)::int AS deleted FROM gone`,
    [firstIdAt(options.before), options.before, options.limit],
  )

/** Deletes events whose deliveries had all ended before that time, including deliveries and attempts. */
export const deleteOldWebhookEvents = (sql: Sql, options: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'webhook_events',
    'id',
    `SELECT id FROM webhook_events e WHERE id < $1::uuid AND created_at < $2
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id
         AND (d.status = 'pending' OR d.updated_at >= $2))
     ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [firstIdAt(options.before), options.before, options.limit],
  )

// A running job may have found a row that seems unused, and may use it in a moment.
const NOT_IN_USE = `t.video_id NOT IN (SELECT video_id FROM jobs WHERE status IN ('queued', 'processing'))`

/** Deletes summaries that no job uses any more. */
export const deleteUnusedSummaries = (sql: Sql, options: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'summaries',
    'id',
    `SELECT s.id FROM summaries s JOIN transcripts t ON t.id = s.transcript_id
     WHERE s.id < $1::uuid AND s.created_at < $2
       AND NOT EXISTS (SELECT FROM job_summaries WHERE summary_id = s.id) AND ${NOT_IN_USE}
     ORDER BY s.id LIMIT $3 FOR UPDATE OF s SKIP LOCKED`,
    [firstIdAt(options.before), options.before, options.limit],
  )

/** Deletes notes on transcripts. Summaries written from them do not need them. */
export const deleteOldNotes = (sql: Sql, options: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'transcript_notes',
    'transcript_id, key',
    `SELECT n.transcript_id, n.key FROM transcripts t JOIN transcript_notes n ON n.transcript_id = t.id
     WHERE t.id < $1::uuid AND n.created_at < $2 AND ${NOT_IN_USE}
     LIMIT $3 FOR UPDATE OF n SKIP LOCKED`,
    [firstIdAt(options.before), options.before, options.limit],
  )

/** Deletes transcripts that no result and no summary refers to any more. */
export const deleteUnusedTranscripts = (sql: Sql, options: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'transcripts',
    'id',
    `SELECT id FROM transcripts t WHERE id < $1::uuid AND fetched_at < $2
       AND NOT EXISTS (SELECT FROM results WHERE transcript_id = t.id)
       AND NOT EXISTS (SELECT FROM summaries WHERE transcript_id = t.id) AND ${NOT_IN_USE}
     ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [firstIdAt(options.before), options.before, options.limit],
  )

/** Deletes cached information about videos. A later job asks the platform again. */
export const deleteOldVideos = deleteOlder('videos', 'id', 'fetched_at')

/** Deletes leases that expired before that time. They could be acquired anyway. */
export const deleteOldLeases = deleteOlder('leases', 'key', 'until')

/** Deletes what is known about the pace of receivers. The next attempt at one counts as the first. */
export const deleteOldReceivers = deleteOlder('webhook_receivers', 'key', 'updated_at')

/** Deletes the failures of endpoints. A disabled endpoint is attempted again with its next delivery. */
export const deleteOldEndpoints = deleteOlder('webhook_endpoints', 'key', 'updated_at')

/**
 * Deletes counters of quotas from before that UTC day, and the ledger entries of deleted jobs from before that time.
 */
export const deleteOldQuotas = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(
    sql,
    `WITH due AS MATERIALIZED (
       SELECT job_id FROM quota_entries q WHERE job_id < $1::uuid AND kind = 'reserve' AND created_at < $2
         AND NOT EXISTS (SELECT FROM jobs WHERE id = q.job_id)
       ORDER BY job_id LIMIT $3 FOR UPDATE SKIP LOCKED
     ), counters AS MATERIALIZED (
       SELECT user_id, period, starts_on FROM quota_usage WHERE starts_on < ($2 AT TIME ZONE 'UTC')::date
       LIMIT $3 FOR UPDATE SKIP LOCKED
     ), entries_gone AS (
       DELETE FROM quota_entries WHERE job_id IN (SELECT job_id FROM due) RETURNING job_id
     ), counters_gone AS (
       DELETE FROM quota_usage WHERE (user_id, period, starts_on) IN (SELECT user_id, period, starts_on FROM counters)
       RETURNING user_id
     )
     SELECT greatest((SELECT count(*) FROM entries_gone), (SELECT count(*) FROM counters_gone))::int AS deleted`,
    [firstIdAt(options.before), options.before, options.limit],
  )

async function countDeleted(sql: Sql, text: string, values: unknown[]): Promise<number> {
  const { rows } = await sql.query<{ deleted: number }>(text, values)
  return rows[0]?.deleted ?? 0
}

/** Deletes the rows of a table whose keys `due` selects and locks. `key` lists the key's columns. */
async function deleteDue(sql: Sql, table: string, key: string, due: string, values: unknown[]): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH due AS MATERIALIZED (${due}) DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM due)`,
    values,
  )
  return rowCount
}

/** Returns a function that deletes the rows of a table whose time in `column` is older. */
function deleteOlder(table: string, key: string, column: string) {
  return (sql: Sql, { before, limit }: PurgeOptions): Promise<number> =>
    deleteDue(sql, table, key, `SELECT ${key} FROM ${table} WHERE ${column} < $1 LIMIT $2 FOR UPDATE SKIP LOCKED`, [
      before,
      limit,
    ])
}
