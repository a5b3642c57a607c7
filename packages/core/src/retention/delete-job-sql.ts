import type { Db, Sql } from '@subtext/db'
import { failExchangesOfJob } from '../chats/index.ts'
import { removeFromLibrary } from '../library/index.ts'
import { removeCitations } from './citations-sql.ts'

/** What a deleted job used of the cache. */
export interface DeletedJob {
  transcriptId: string | null
  summaryIds: string[]
}

/**
 * `deleted`: the job is gone, with everything that it held. `gone`: there is no such job, or it has not ended. `needed`: an
 * unfinished job adds to it.
 */
export type DeleteOutcome = ({ outcome: 'deleted' } & DeletedJob) | { outcome: 'gone' } | { outcome: 'needed' }

// Conflicts with the locks under which a job is derived, a question is asked and a file is registered. They are committed
// before the next statement, which sees them, or find the job gone.
const LOCK_JOB = `SELECT user_id FROM jobs WHERE id = $1 AND user_id = $2 AND status::text IN ('completed', 'failed') FOR UPDATE`

const IS_NEEDED = `SELECT FROM jobs WHERE derived_from = $1 AND status IN ('queued', 'processing') LIMIT 1`

// Accounts are locked before their quotas, as when jobs are accepted.
const LOCK_ACCOUNT = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE'

// An answer that is being stored holds the lock of its conversation, and is committed with its cost before this continues.
const LOCK_CONVERSATIONS = 'SELECT FROM chat_conversations WHERE job_id = $1 ORDER BY id FOR UPDATE'

/** What events about the job are about: the job itself, or items of subscriptions for which it was made. */
const SUBJECTS = `ARRAY(
  SELECT $1::uuid
  UNION ALL SELECT i.id FROM jobs j JOIN subscriptions b ON b.user_id = j.user_id
    JOIN subscription_items i ON i.subscription_id = b.id AND i.video_id = j.video_id AND i.job_id = j.id
  WHERE j.id = $1
)`

// A redelivery is requested under the lock of its event.
const LOCK_EVENTS = `SELECT FROM webhook_events WHERE subject_id = ANY (${SUBJECTS}) ORDER BY id FOR UPDATE`

// Events go with their deliveries: one that is being sent finds that it is gone. What belongs to the job by a foreign key goes with
// it; its files are deleted by the workers. The total of the account changes in the same statement, so that lists stay exact.
// The ledger of the quota and the costs stay, for receipts.
const DELETE = `
WITH result AS (DELETE FROM results WHERE job_id = $1 RETURNING transcript_id),
summaries AS (DELETE FROM job_summaries WHERE job_id = $1 RETURNING summary_id),
spendings AS (DELETE FROM job_spendings WHERE job_id = $1),
events AS (DELETE FROM webhook_events WHERE subject_id = ANY (${SUBJECTS})),
job AS (DELETE FROM jobs WHERE id = $1 RETURNING user_id, batch_id, status),
costs AS (UPDATE usage_entries u SET job_deleted_at = $2, batch_id = job.batch_id FROM job WHERE u.job_id = $1),
counted AS (
  UPDATE users u SET jobs_accepted = jobs_accepted - 1, jobs_failed = jobs_failed - (job.status = 'failed')::int
  FROM job WHERE u.id = job.user_id
)
SELECT (SELECT transcript_id FROM result) AS "transcriptId", ARRAY(SELECT DISTINCT summary_id FROM summaries) AS "summaryIds"`

/** Deletes a job that has ended, with everything that belongs only to it. */
export const deleteEndedJob = (
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
  now: Date,
): Promise<DeleteOutcome> =>
  db.transaction(async (sql): Promise<DeleteOutcome> => {
    if (!(await isFound(sql, LOCK_JOB, [jobId, userId]))) return { outcome: 'gone' }
    if (await isFound(sql, IS_NEEDED, [jobId])) return { outcome: 'needed' }
    // Before the account: it may wait for another job of the video that is being deleted, which waits for the account next.
    await removeFromLibrary(sql, [jobId])
    await sql.query(LOCK_ACCOUNT, [userId])
    await sql.query(LOCK_CONVERSATIONS, [jobId])
    await failExchangesOfJob(sql, jobId)
    await sql.query(LOCK_EVENTS, [jobId])
    const { rows } = await sql.query<DeletedJob>(DELETE, [jobId, now])
    await removeCitations(sql, [jobId])
    const [deleted] = rows
    return deleted ? { outcome: 'deleted', ...deleted } : { outcome: 'gone' }
  })

const isFound = async (sql: Sql, text: string, values: unknown[]): Promise<boolean> =>
  (await sql.query(text, values)).rowCount > 0
