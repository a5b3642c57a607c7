import type { Db, Sql } from '@subtext/db'
import { failExchangesOfJob } from '../chats/index.ts'
import { removeFromLibrary } from '../library/index.ts'
import { fillsTableRow } from '../tables/index.ts'
import { removeCitations } from './citations-sql.ts'

/** What a deleted job, and those that went with it, used of the cache. */
export interface DeletedJob {
  transcriptIds: string[]
  summaryIds: string[]
}

/**
 * `deleted`: the job is gone, with everything that it held. `gone`: there is no such job, or it has not ended. `needed`: an
 * unfinished job adds to it.
 */
export type DeleteOutcome = ({ outcome: 'deleted' } & DeletedJob) | { outcome: 'gone' } | { outcome: 'needed' }

// A job and the row of a table that is derived from it would otherwise be deleted in opposite orders.
const LOCK_FAMILY = `SELECT pg_advisory_xact_lock(hashtextextended('delete ' || coalesce(root_id, id)::text, 0))
  FROM jobs WHERE id = $1 AND user_id = $2`

// Conflicts with the locks under which a job is derived, a question is asked and a file is registered. They are committed
// before the next statement, which sees them, or find the job gone.
const LOCK_JOB = `SELECT id FROM jobs WHERE id = $1 AND user_id = $2 AND status::text IN ('completed', 'failed') FOR UPDATE`

const LOCK_TABLE_ROWS = `SELECT d.id FROM jobs s JOIN jobs d ON d.root_id = coalesce(s.root_id, s.id)
  WHERE s.id = $1 AND d.derived_from = ANY ($2::uuid[]) AND ${fillsTableRow('d')} ORDER BY d.id FOR UPDATE OF d`

const IS_NEEDED = `SELECT FROM jobs WHERE derived_from = ANY ($1::uuid[]) AND status IN ('queued', 'processing') LIMIT 1`

// Accounts are locked before their quotas, as when jobs are accepted.
const LOCK_ACCOUNT = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE'

// An answer that is being stored holds the lock of its conversation, and is committed with its cost before this continues.
const LOCK_CONVERSATIONS = 'SELECT FROM chat_conversations WHERE job_id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

/** What events about the jobs are about: the jobs themselves, or items of subscriptions for which they were made. */
const SUBJECTS = `ARRAY(
  SELECT unnest($1::uuid[])
  UNION ALL SELECT i.id FROM jobs j JOIN subscriptions b ON b.user_id = j.user_id
    JOIN subscription_items i ON i.subscription_id = b.id AND i.video_id = j.video_id AND i.job_id = j.id
  WHERE j.id = ANY ($1::uuid[])
)`

// A redelivery is requested under the lock of its event.
const LOCK_EVENTS = `SELECT FROM webhook_events WHERE subject_id = ANY (${SUBJECTS}) ORDER BY id FOR UPDATE`

// Events go with their deliveries: one that is being sent finds that it is gone. What belongs to the jobs by a foreign key goes with
// them; their files are deleted by the workers. The total of the account changes in the same statement, so that lists stay exact.
// The ledger of the quota and the costs stay, for receipts.
const DELETE = `
WITH result AS (DELETE FROM results WHERE job_id = ANY ($1::uuid[]) RETURNING transcript_id),
summaries AS (DELETE FROM job_summaries WHERE job_id = ANY ($1::uuid[]) RETURNING summary_id),
spendings AS (DELETE FROM job_spendings WHERE job_id = ANY ($1::uuid[])),
events AS (DELETE FROM webhook_events WHERE subject_id = ANY (${SUBJECTS})),
job AS (DELETE FROM jobs WHERE id = ANY ($1::uuid[]) RETURNING id, batch_id, status),
costs AS (UPDATE usage_entries u SET job_deleted_at = $2, batch_id = job.batch_id FROM job WHERE u.job_id = job.id),
counted AS (
  UPDATE users u SET jobs_accepted = jobs_accepted - gone.jobs, jobs_failed = jobs_failed - gone.failed
  FROM (SELECT count(*)::int AS jobs, (count(*) FILTER (WHERE status = 'failed'))::int AS failed FROM job) gone WHERE u.id = $3
)
SELECT ARRAY(SELECT DISTINCT transcript_id FROM result) AS "transcriptIds",
  ARRAY(SELECT DISTINCT summary_id FROM summaries) AS "summaryIds"`

/** Deletes a job that has ended, with everything that belongs only to it, and the jobs that fill rows of tables from it. */
export const deleteEndedJob = (
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
  now: Date,
): Promise<DeleteOutcome> =>
  db.transaction(async (sql): Promise<DeleteOutcome> => {
    await sql.query(LOCK_FAMILY, [jobId, userId])
    const jobIds = await lockIds(sql, LOCK_JOB, [jobId, userId])
    if (jobIds.length === 0) return { outcome: 'gone' }
    // A row can be a video of another table.
    for (let found = jobIds.slice(); found.length > 0; jobIds.push(...found)) {
      found = await lockIds(sql, LOCK_TABLE_ROWS, [jobId, found])
    }
    if ((await sql.query(IS_NEEDED, [jobIds])).rowCount > 0) return { outcome: 'needed' }
    // Before the account: it may wait for another job of the video that is being deleted, which waits for the account next.
    await removeFromLibrary(sql, jobIds)
    await sql.query(LOCK_ACCOUNT, [userId])
    await sql.query(LOCK_CONVERSATIONS, [jobIds])
    for (const id of jobIds) await failExchangesOfJob(sql, id)
    await sql.query(LOCK_EVENTS, [jobIds])
    const { rows } = await sql.query<DeletedJob>(DELETE, [jobIds, now, userId])
    await removeCitations(sql, jobIds)
    const [deleted] = rows
    return deleted ? { outcome: 'deleted', ...deleted } : { outcome: 'gone' }
  })

const lockIds = async (sql: Sql, text: string, values: unknown[]): Promise<string[]> =>
  (await sql.query<{ id: string }>(text, values)).rows.map(({ id }) => id)
