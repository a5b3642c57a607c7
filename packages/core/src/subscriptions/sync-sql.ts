import type { Plan, Scope, SourceVideoReason, SourceVideoType, SubscriptionItemState } from '@subtext/contracts'
import type { Sql, Transactional } from '@subtext/db'
import type { SourceKind } from '../sources/index.ts'
import { OF_SOURCE, SETTINGS, type SubscriptionSettings, WITH_KEY } from './subscriptions-sql.ts'

/** A subscription whose row is locked until the transaction ends. */
export interface LockedSubscription extends SubscriptionSettings {
  id: string
  userId: string
  accountSourceId: string
  catchUp: number
  seededAt: Date | null
  createdAt: Date
  sourceId: string
  kind: SourceKind
  listedAt: Date | null
  plan: Plan
  /** Of the key that made it, as long as it is valid. */
  scopes: Scope[] | null
}

const LOCK = `SELECT b.id, b.user_id AS "userId", b.account_source_id AS "accountSourceId", ${SETTINGS}, b.catch_up AS "catchUp",
    b.seeded_at AS "seededAt", b.created_at AS "createdAt", s.id AS "sourceId", s.kind, s.listed_at AS "listedAt", u.plan, k.scopes
  FROM ${OF_SOURCE} JOIN users u ON u.id = b.user_id ${WITH_KEY}
  WHERE b.id = $1 AND b.paused_for IS NULL FOR NO KEY UPDATE OF b`

/** Locks a subscription. Returns null if it is paused or gone. */
export async function lockActive(sql: Sql, id: string): Promise<LockedSubscription | null> {
  return (await sql.query<LockedSubscription>(LOCK, [id])).rows[0] ?? null
}

/** A video of the source that the subscription has not seen. */
export interface UnseenVideo {
  videoId: string
  videoUrl: string | null
  title: string
  type: SourceVideoType
  durationSeconds: number | null
  publishedAt: Date | null
  reason: SourceVideoReason | null
  /** Whether it is known from the feed alone. */
  isUnlisted: boolean
}

// The newest first. A playlist is in the order in which somebody put it, so the times decide, as far as they are known.
const UNSEEN = `SELECT v.video_id AS "videoId", v.episode->>'url' AS "videoUrl", v.title, v.type, v.duration_seconds AS "durationSeconds", v.published_at AS "publishedAt",
    v.reason, v.first_seen_at > coalesce($3::timestamptz, '-infinity') AS "isUnlisted"
  FROM source_videos v
  WHERE v.source_id = $2 AND v.gone_at IS NULL
    AND NOT EXISTS (SELECT FROM subscription_items i WHERE i.subscription_id = $1 AND i.video_id = v.video_id)
  ORDER BY CASE WHEN $4 THEN v.published_at END DESC NULLS LAST, v.position`

/** Lists the videos of the source that a subscription has not seen, the newest first. */
export async function listUnseen(
  sql: Sql,
  { id, sourceId, listedAt, kind }: LockedSubscription,
): Promise<UnseenVideo[]> {
  return (await sql.query<UnseenVideo>(UNSEEN, [id, sourceId, listedAt, kind === 'playlist'])).rows
}

/** An item to be stored. */
export interface NewItem {
  id: string
  videoId: string
  videoUrl: string | null
  title: string
  type: string
  publishedAt: Date | null
  state: SubscriptionItemState
  reason: string | null
  /** Seconds until a worker may work on it. Null for one that has ended. */
  dueInSeconds: number | null
  tries: number
  /** Whether it ends now, which is told. */
  ends: boolean
}

const INSERT = `INSERT INTO subscription_items (subscription_id, video_id, video_url, id, title, type, published_at, state, reason, due_at, tries,
    ended_at, created_at, updated_at)
  SELECT $1, "videoId", "videoUrl", id, title, type, "publishedAt", state, reason, now() + make_interval(secs => "dueInSeconds"), tries,
    CASE WHEN ends THEN $3::timestamptz END, $3, $3
  FROM jsonb_to_recordset($2::jsonb) AS n(id uuid, "videoId" text, "videoUrl" text, title text, type text, "publishedAt" timestamptz, state text,
    reason text, "dueInSeconds" float8, tries int, ends boolean)
  ON CONFLICT DO NOTHING`

/** Stores items. The subscription is locked, so that no other worker stores the same. */
export async function insertItems(sql: Sql, id: string, items: readonly NewItem[], now: Date): Promise<void> {
  await sql.query(INSERT, [id, JSON.stringify(items), now])
}

/** Notes that the videos from before the subscription are recorded. */
export async function markSeeded(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.query('UPDATE subscriptions SET seeded_at = $2 WHERE id = $1', [id, now])
}

// One that waits for its length has been tried. One that has failed, and not only been refused, keeps to its schedule.
const WAKE = `UPDATE subscription_items i SET due_at = now() FROM source_videos v
  WHERE i.subscription_id = $1 AND i.state = 'waiting' AND i.lease_token IS NULL AND v.source_id = $2 AND v.video_id = i.video_id
    AND (i.reason = 'details' AND (i.tries = 0 OR v.duration_seconds IS NOT NULL)
      OR i.reason IN ('not_started', 'live', 'no_captions_yet') AND v.reason IS NULL
        AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = i.job_id))`

/** Has items continue that wait for what the source says by now: details, the end of a stream, the transcript of an episode. */
export async function wakeForNews(sql: Sql, { id, sourceId }: LockedSubscription): Promise<void> {
  await sql.query(WAKE, [id, sourceId])
}

/** A video in the feed of a channel. */
export interface FeedVideo {
  videoId: string
  title: string
  publishedAt: string
  isShort: boolean
}

const KNOWN = `SELECT video_id AS "videoId" FROM source_videos WHERE source_id = $1 AND video_id = ANY ($2::text[])`

/** Returns which of these videos a source has had. */
export async function findKnown(sql: Sql, sourceId: string, videoIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ videoId: string }>(KNOWN, [sourceId, videoIds])
  return new Set(rows.map(({ videoId }) => videoId))
}

// Only the worker that holds the watch stores a feed.
const HOLD = 'SELECT FROM source_watches WHERE source_id = $1 AND lease_token = $2 FOR UPDATE'
const SHIFT = 'UPDATE source_videos SET position = position + $2 WHERE source_id = $1 AND gone_at IS NULL'
const ADD = `INSERT INTO source_videos (source_id, video_id, position, title, type, published_at, first_seen_at)
  SELECT $1, f."videoId", f.position, f.title, CASE WHEN f."isShort" THEN 'short' ELSE 'video' END, f."publishedAt", $3
  FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS ("videoId" text, title text, "publishedAt" timestamptz, "isShort" boolean))
    WITH ORDINALITY AS f("videoId", title, "publishedAt", "isShort", position)
  ON CONFLICT (source_id, video_id) DO NOTHING`
const COUNT = 'UPDATE sources SET videos_total = videos_total + $2 WHERE id = $1'
/** The feed says to the second when videos were published. */
const DATE = `UPDATE source_videos v SET published_at = f."publishedAt", is_approximate = false
  FROM jsonb_to_recordset($2::jsonb) AS f("videoId" text, "publishedAt" timestamptz)
  WHERE v.source_id = $1 AND v.video_id = f."videoId" AND (v.is_approximate OR v.published_at IS NULL)`

/** Stores what a feed says: new videos before the others, and exact times. `fresh`: those that the source has not had. */
export const storeFeed = (
  db: Transactional,
  { sourceId, token }: { sourceId: string; token: string },
  { all, fresh }: { all: readonly FeedVideo[]; fresh: readonly FeedVideo[] },
  now: Date,
): Promise<void> =>
  db.transaction(async (sql) => {
    if ((await sql.query(HOLD, [sourceId, token])).rowCount === 0) return
    if (fresh.length > 0) {
      await sql.query(SHIFT, [sourceId, fresh.length])
      await sql.query(ADD, [sourceId, JSON.stringify(fresh), now])
      await sql.query(COUNT, [sourceId, fresh.length])
    }
    await sql.query(DATE, [sourceId, JSON.stringify(all)])
  })

/** Counts the videos that a listing has found. */
export async function countFirstSeen(sql: Sql, sourceId: string, listedAt: Date): Promise<number> {
  const { rows } = await sql.query<{ videos: number }>(
    'SELECT count(*)::int AS videos FROM source_videos WHERE source_id = $1 AND first_seen_at = $2',
    [sourceId, listedAt],
  )
  return rows[0]?.videos ?? 0
}
