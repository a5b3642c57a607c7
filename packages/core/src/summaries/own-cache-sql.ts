import { firstIdAt, type Sql } from '@subtext/db'

// Providers cache the prompt of a summary for five minutes, and that of a chat for an hour. The condition on IDs saves the
// database from reading the older jobs of the account.
const FIND_OWN_CACHE = `
WITH own AS (
  SELECT s.cached_tokens + s.cache_write_tokens > 0 AS is_kept FROM jobs j JOIN job_summaries own ON own.job_id = j.id AND NOT own.reused JOIN summaries s ON s.id = own.summary_id
  WHERE j.user_id = $1 AND j.id >= $4::uuid AND s.transcript_id = $2 AND s.input_tokens + s.cache_write_tokens > 0
    AND own.created_at >= now() - interval '5 minutes'
), asked AS (
  SELECT FROM chat_conversations c JOIN chat_exchanges e ON e.conversation_id = c.id
  WHERE c.job_id = $3 AND c.user_id = $1 AND e.completed_at >= now() - interval '1 hour'
    AND e.cached_tokens + e.cache_write_tokens > 0
)
SELECT EXISTS (SELECT FROM own) OR EXISTS (SELECT FROM asked) AS "isOwn",
  EXISTS (SELECT FROM own WHERE is_kept) OR EXISTS (SELECT FROM asked) AS "isKept"`

const DAY_MS = 86_400_000

/** What an account's own earlier calls have left in the provider's cache. */
interface OwnCache {
  /** Whether a transcript that is found there may be there because of the account itself. */
  isOwn: boolean
  /** Whether the account has put it there on purpose, so that it will probably be found. */
  isKept: boolean
}

/**
 * Returns whether calls of this account may be what keeps the transcript in the provider's cache: it has had a summary of it
 * written, by a job of the last day, or has asked about this job. Work that another account paid for counts as its own.
 */
export async function findOwnCache(
  sql: Sql,
  { userId, transcriptId, jobId }: { userId: string; transcriptId: string; jobId: string },
): Promise<OwnCache> {
  const { rows } = await sql.query<OwnCache>(FIND_OWN_CACHE, [
    userId,
    transcriptId,
    jobId,
    firstIdAt(new Date(Date.now() - DAY_MS)),
  ])
  return rows[0] ?? { isOwn: false, isKept: false }
}
