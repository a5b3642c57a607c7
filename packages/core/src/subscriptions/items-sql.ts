import type { SourceVideoType, SubscriptionItemState, SubscriptionMatchMoment } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { OF_SOURCE } from './subscriptions-sql.ts'

/** An item as its account sees it. */
export interface StoredItem {
  id: string
  videoId: string
  /** Where an episode of a podcast can be heard. Null for videos of the platform. */
  videoUrl: string | null
  title: string
  type: SourceVideoType
  publishedAt: Date | null
  state: SubscriptionItemState
  reason: string | null
  /** Null until its job is accepted. */
  jobId: string | null
  matches: SubscriptionMatchMoment[] | null
  /** When it is tried again. Null if it is not, or is being worked on. */
  nextTryAt: Date | null
  createdAt: Date
  updatedAt: Date
}

// A job that was chosen, but not accepted yet, does not exist for its account. The feed of a channel does not say what type a video has:
// what was listed since does.
const SHOWN = `i.id, i.video_id AS "videoId", i.video_url AS "videoUrl", i.title, coalesce(v.type, i.type) AS type, i.published_at AS "publishedAt", i.state, i.reason,
  CASE WHEN i.state = 'processed' OR EXISTS (SELECT FROM jobs j WHERE j.id = i.job_id) THEN i.job_id END AS "jobId", i.matches,
  CASE WHEN i.state = 'waiting' AND i.lease_token IS NULL THEN i.due_at END AS "nextTryAt", i.created_at AS "createdAt",
  i.updated_at AS "updatedAt"`

const SHOWN_ITEMS = `subscription_items i LEFT JOIN source_videos v ON v.video_id = i.video_id AND v.source_id = (
    SELECT s.id FROM ${OF_SOURCE} WHERE b.id = i.subscription_id
  )`

const LIST = `SELECT ${SHOWN} FROM ${SHOWN_ITEMS}
  WHERE i.subscription_id = $1 AND ($2::text IS NULL OR i.state = $2) AND ($3::uuid IS NULL OR i.id < $3) ORDER BY i.id DESC LIMIT $4`

/** Lists items of a subscription, the newest first. */
export async function listSubscriptionItems(
  sql: Sql,
  subscriptionId: string,
  { state, before, limit }: { state: string | null; before: string | null; limit: number },
): Promise<StoredItem[]> {
  return (await sql.query<StoredItem>(LIST, [subscriptionId, state, before, limit])).rows
}

/** Finds an item. */
export async function findItem(sql: Sql, subscriptionId: string, videoId: string): Promise<StoredItem | null> {
  const { rows } = await sql.query<StoredItem>(
    `SELECT ${SHOWN} FROM ${SHOWN_ITEMS} WHERE i.subscription_id = $1 AND i.video_id = $2`,
    [subscriptionId, videoId],
  )
  return rows[0] ?? null
}

// One whose job is under way is left alone, and so is one that a worker is about to submit: it does at once what is asked for. One
// that has ended begins again as the newest, and will be told of again.
const RETRY = `UPDATE subscription_items SET state = 'waiting', reason = 'requested', id = CASE WHEN state = 'waiting' THEN id ELSE $4 END, due_at = now(), ended_at = NULL, told_at = NULL,
    tries = 0, updated_at = $3
  WHERE subscription_id = $1 AND video_id = $2 AND state IN ('waiting', 'skipped', 'failed') AND lease_token IS NULL
    AND reason IS DISTINCT FROM 'processing'`

/** Has an item tried again at once, unless it is being processed or has been. */
export async function retryItemRow(sql: Sql, subscriptionId: string, videoId: string, now: Date): Promise<void> {
  await sql.query(RETRY, [subscriptionId, videoId, now, newId()])
}
