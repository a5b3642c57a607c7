import { firstIdAt, type Sql } from '@subtext/db'

// Providers cache the prompt of a summary for five minutes, and that of a chat for an hour. The condition on IDs saves the
// database from reading the older jobs of the account.
const HAS_OWN_CACHE = `
SELECT EXISTS (
  SELECT FROM jobs j JOIN job_summaries own ON own.job_id = j.id AND NOT own.reused JOIN summaries s ON s.id = own.summary_id
  WHERE j.user_id = $1 AND j.id >= $4::uuid AND s.transcript_id = $2 AND s.input_tokens + s.cache_write_tokens > 0
    AND own.created_at >= now() - interval '5 minutes'
) OR EXISTS (
  SELECT FROM chat_conversations c JOIN chat_exchanges e ON e.conversation_id = c.id
  WHERE c.job_id = $3 AND c.user_id = $1 AND e.completed_at >= now() - interval '1 hour'
    AND e.cached_tokens + e.cache_write_tokens > 0
) AS "hasOwn"`

const DAY_MS = 86_400_000

/**
 * Returns whether calls of this account may be what keeps the transcript in the provider's cache: it has had a summary of it
 * written, by a job of the last day, or has asked about this job. Work that another account paid for counts as its own.
 */
export async function hasOwnCache(
  sql: Sql,
  { userId, transcriptId, jobId }: { userId: string; transcriptId: string; jobId: string },
): Promise<boolean> {
  const { rows } = await sql.query<{ hasOwn: boolean }>(HAS_OWN_CACHE, [
    userId,
    transcriptId,
    jobId,
    firstIdAt(new Date(Date.now() - DAY_MS)),
  ])
  return rows[0]?.hasOwn ?? false
}
