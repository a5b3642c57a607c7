import type { Sql, Transactional } from '@subtext/db'

/** A feed as its account sees it. Neither a subscription nor a source: it is about all videos. */
export interface StoredFeed {
  id: string
  name: string | null
  subscriptionId: string | null
  accountSourceId: string | null
  createdAt: Date
}

const SHOWN = `f.id, f.name, f.subscription_id AS "subscriptionId", f.account_source_id AS "accountSourceId", f.created_at AS "createdAt"`

/** Lists the feeds of an account, the newest first. */
export async function listOwnFeeds(sql: Sql, userId: string): Promise<StoredFeed[]> {
  const { rows } = await sql.query<StoredFeed>(`SELECT ${SHOWN} FROM feeds f WHERE f.user_id = $1 ORDER BY f.id DESC`, [
    userId,
  ])
  return rows
}

/** Finds a feed of an account, with the hash of its token. */
export async function findOwnFeed(
  sql: Sql,
  userId: string,
  id: string,
): Promise<(StoredFeed & { tokenHash: Buffer }) | null> {
  const { rows } = await sql.query<StoredFeed & { tokenHash: Buffer }>(
    `SELECT ${SHOWN}, f.token_hash AS "tokenHash" FROM feeds f WHERE f.user_id = $1 AND f.id = $2`,
    [userId, id],
  )
  return rows[0] ?? null
}

export interface NewFeedRow extends StoredFeed {
  userId: string
  tokenHash: Buffer
}

// Locks the account, so that requests that arrive together do not exceed the limit.
const LOCK_ACCOUNT = 'SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE'
const INSERT = `INSERT INTO feeds (id, user_id, token_hash, name, subscription_id, account_source_id, created_at)
  SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM feeds WHERE user_id = $2) < $8`

/** Stores a feed. Returns false if the account has as many as it may. */
export const insertFeed = (db: Transactional, row: NewFeedRow, limit: number): Promise<boolean> =>
  db.transaction(async (sql) => {
    await sql.query(LOCK_ACCOUNT, [row.userId])
    const { id, userId, tokenHash, name, subscriptionId, accountSourceId, createdAt } = row
    const values = [id, userId, tokenHash, name, subscriptionId, accountSourceId, createdAt, limit]
    return (await sql.query(INSERT, values)).rowCount === 1
  })

/** Deletes a feed. Returns false if the account has none with this ID. */
export async function deleteOwnFeed(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM feeds WHERE user_id = $1 AND id = $2', [userId, id])).rowCount === 1
}

/** A feed that somebody reads. */
export interface ReadableFeed extends StoredFeed {
  userId: string
  /** Of the source that it is about. */
  sourceTitle: string | null
}

const FIND_BY_TOKEN = `SELECT ${SHOWN}, f.user_id AS "userId", s.title AS "sourceTitle" FROM feeds f
    JOIN users u ON u.id = f.user_id AND u.deleted_at IS NULL AND u.suspended_at IS NULL
    LEFT JOIN subscriptions b ON b.id = f.subscription_id
    LEFT JOIN account_sources a ON a.id = coalesce(f.account_source_id, b.account_source_id) LEFT JOIN sources o ON o.id = a.source_id
    LEFT JOIN sources s ON s.id = coalesce(o.same_as, o.id)
  WHERE f.token_hash = $1`

/** Finds a feed by the hash of its token. */
export async function findFeedByToken(sql: Sql, tokenHash: Buffer): Promise<ReadableFeed | null> {
  return (await sql.query<ReadableFeed>(FIND_BY_TOKEN, [tokenHash])).rows[0] ?? null
}

/** A video of a feed. */
export interface StoredFeedEntry {
  videoId: string
  /** Where an episode of a podcast can be heard. Null for videos of the platform. */
  videoUrl: string | null
  /** Null for one that was only reported. */
  jobId: string | null
  title: string
  at: Date
}

const OF_LIBRARY = `SELECT e.video_id AS "videoId", j.video_url AS "videoUrl", e.job_id AS "jobId", e.title, e.completed_at AS at FROM library_entries e JOIN jobs j ON j.id = e.job_id
  WHERE e.user_id = $1 AND ($2::uuid IS NULL OR EXISTS (
    SELECT FROM account_sources a JOIN sources o ON o.id = a.source_id JOIN source_videos v ON v.source_id = coalesce(o.same_as, o.id)
    WHERE a.id = $2 AND v.video_id = e.video_id
  )) ORDER BY e.completed_at DESC, e.video_id LIMIT $3`
const OF_SUBSCRIPTION = `SELECT i.video_id AS "videoId", i.video_url AS "videoUrl", e.job_id AS "jobId", coalesce(nullif(e.title, ''), i.title) AS title, i.ended_at AS at
  FROM subscription_items i LEFT JOIN library_entries e ON e.user_id = $1 AND e.video_id = i.video_id
  WHERE i.subscription_id = $2 AND i.ended_at IS NOT NULL AND (i.state = 'notified' OR i.state = 'processed' AND e.job_id IS NOT NULL)
  ORDER BY i.ended_at DESC, i.video_id LIMIT $3`

/** Lists the newest videos of a feed. */
export async function listFeedEntries(sql: Sql, feed: ReadableFeed, limit: number): Promise<StoredFeedEntry[]> {
  const { userId, subscriptionId, accountSourceId } = feed
  const { rows } =
    subscriptionId === null
      ? await sql.query<StoredFeedEntry>(OF_LIBRARY, [userId, accountSourceId, limit])
      : await sql.query<StoredFeedEntry>(OF_SUBSCRIPTION, [userId, subscriptionId, limit])
  return rows
}
