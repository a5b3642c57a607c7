import type { SubscriptionItemState, SubscriptionMatchMoment, SummaryContent } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** The hour of the account's time zone at which digests are sent. */
const HOUR = "interval '7 hours'"

/**
 * The last moment before `$1` at which a digest of a subscription was due: 07:00 in the time zone of its account, weekly ones on
 * Mondays. PostgreSQL knows when clocks are changed.
 */
const LAST_DUE = `(date_trunc(CASE b.email WHEN 'weekly' THEN 'week' ELSE 'day' END,
    ($1::timestamptz AT TIME ZONE u.time_zone) - ${HOUR}) + ${HOUR}) AT TIME ZONE u.time_zone`

const LIST_DUE = `SELECT b.id FROM subscriptions b JOIN users u ON u.id = b.user_id
  WHERE b.email IN ('daily', 'weekly') AND u.deleted_at IS NULL AND u.suspended_at IS NULL
    AND b.digested_at < ${LAST_DUE}
  ORDER BY b.digested_at LIMIT $2`

/** Lists subscriptions whose digests are due at a time. */
export async function listDueDigests(sql: Sql, at: Date, limit: number): Promise<string[]> {
  return (await sql.query<{ id: string }>(LIST_DUE, [at, limit])).rows.map(({ id }) => id)
}

export interface DueDigest {
  userId: string
  email: string
  stopKey: Buffer
  digestedAt: Date
  sourceTitle: string | null
}

const TAKE = `UPDATE subscriptions b SET digested_at = $3 FROM users u, subscriptions former, account_sources a JOIN sources o ON o.id = a.source_id
    JOIN sources s ON s.id = coalesce(o.same_as, o.id)
  WHERE b.id = $2 AND u.id = b.user_id AND a.id = b.account_source_id AND former.id = b.id AND b.email IN ('daily', 'weekly')
    AND u.deleted_at IS NULL AND b.digested_at < ${LAST_DUE}
  RETURNING b.user_id AS "userId", u.email, b.stop_key AS "stopKey", former.digested_at AS "digestedAt", s.title AS "sourceTitle"`

/** Takes the digest of a subscription that is due at `at`. Returns null if another worker has. To be called in a transaction. */
export async function takeDigest(
  sql: Sql,
  id: string,
  { at, now }: { at: Date; now: Date },
): Promise<DueDigest | null> {
  return (await sql.query<DueDigest>(TAKE, [at, id, now])).rows[0] ?? null
}

/** An item that a digest tells of. */
export interface DigestItem {
  videoId: string
  videoUrl: string | null
  title: string
  state: SubscriptionItemState
  reason: string | null
  jobId: string | null
  matches: SubscriptionMatchMoment[] | null
}

// Marks each item, because one that ended before the last digest may have been committed after it. Older ones are from a time
// without digests.
const TELL = `WITH told AS (
    UPDATE subscription_items SET told_at = $3
    WHERE subscription_id = $1 AND ended_at > $2::timestamptz - interval '1 hour' AND told_at IS NULL
    RETURNING *
  )
  SELECT video_id AS "videoId", video_url AS "videoUrl", title, state, reason, job_id AS "jobId", matches FROM told ORDER BY id`

/** Marks the items that have ended since the last digest, and returns them, the oldest first. */
export async function tellItems(sql: Sql, id: string, since: Date, now: Date): Promise<DigestItem[]> {
  return (await sql.query<DigestItem>(TELL, [id, since, now])).rows
}

const SUMMARIES = `SELECT DISTINCT ON (js.job_id) js.job_id AS "jobId", s.content
  FROM job_summaries js JOIN summaries s ON s.id = js.summary_id WHERE js.job_id = ANY ($1::uuid[])
  ORDER BY js.job_id, s.mode <> 'tldr', s.mode`

/** Returns a summary of each of these jobs, the shortest kind that it has. */
export async function findShortSummaries(sql: Sql, jobIds: readonly string[]): Promise<Map<string, SummaryContent>> {
  const { rows } = await sql.query<{ jobId: string; content: SummaryContent }>(SUMMARIES, [jobIds])
  return new Map(rows.map(({ jobId, content }) => [jobId, content]))
}
