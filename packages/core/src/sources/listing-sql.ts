import type { Sql, Transactional } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { StoredEpisode } from './episode.ts'
import type { SourceError, SourceKind } from './sources-sql.ts'

/** A source that a worker has claimed. Every write names the token, so that a late worker changes nothing. */
export interface ClaimedSource {
  id: string
  kind: SourceKind
  platformId: string
  token: string
  /** Number of this try, from 1. */
  attempt: number
  requestedAt: Date
}

/**
 * How many listings the account has caused in this hour and the last one that wants the source (`s`), of several the one with the
 * fewest. Looks of subscriptions count toward nothing, and so neither come first nor last.
 */
const CAUSED_BY_ITS_ACCOUNT = `(SELECT greatest(1, min(caused.listings)) FROM account_sources a CROSS JOIN LATERAL (
    SELECT coalesce(sum(l.used), 0) AS listings FROM source_listings l
    WHERE l.user_id = a.user_id AND l.starts_at >= now() - interval '2 hours'
  ) caused WHERE a.source_id = s.id OR a.source_id IN (SELECT n.id FROM sources n WHERE n.same_as = s.id))`

// Names first, because somebody waits for the answer.
const CLAIM = `UPDATE sources SET lease_token = $1, due_at = now() + make_interval(secs => $2), attempts = attempts + 1
  WHERE id = (
    SELECT s.id FROM sources s WHERE s.due_at <= now() AND (s.kind = 'name') = $3
    ORDER BY ${CAUSED_BY_ITS_ACCOUNT}, s.due_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED
  )
  RETURNING id, kind, platform_id AS "platformId", lease_token AS token, attempts AS attempt, requested_at AS "requestedAt"`

/**
 * Claims a source that is due: a name to resolve, or a list to read. Accounts with few listings come before those with many. One whose
 * worker has died is due when its lease ends.
 */
export async function claimSource(
  sql: Sql,
  { token, leaseSeconds, isName }: { token: string; leaseSeconds: number; isName: boolean },
): Promise<ClaimedSource | null> {
  return (await sql.query<ClaimedSource>(CLAIM, [token, leaseSeconds, isName])).rows[0] ?? null
}

type Held = Pick<ClaimedSource, 'id' | 'token'>

const EXTEND = `UPDATE sources SET due_at = now() + make_interval(secs => $3) WHERE id = $1 AND lease_token = $2`

/** Extends the lease. Returns false if it is lost. */
export async function extendSourceLease(sql: Sql, { id, token }: Held, leaseSeconds: number): Promise<boolean> {
  return (await sql.query(EXTEND, [id, token, leaseSeconds])).rowCount === 1
}

const POSTPONE = `UPDATE sources SET due_at = now() + make_interval(secs => $3), lease_token = NULL,
  attempts = CASE WHEN $4 THEN greatest(0, attempts - 1) ELSE attempts END
  WHERE id = $1 AND lease_token = $2`

/** Leaves the source for a later try. One that was not the source's fault is not counted. */
export async function postponeSource(
  sql: Sql,
  { id, token }: Held,
  { seconds, isUncounted }: { seconds: number; isUncounted: boolean },
): Promise<boolean> {
  return (await sql.query(POSTPONE, [id, token, seconds, isUncounted])).rowCount === 1
}

const FAIL = `UPDATE sources SET due_at = NULL, lease_token = NULL, error = $3,
    same_as = CASE WHEN kind = 'name' THEN NULL ELSE same_as END
  WHERE id = $1 AND lease_token = $2`

/** Ends a listing that has failed. The list from before stays. */
export async function failSource(sql: Sql, { id, token }: Held, error: SourceError): Promise<boolean> {
  return (await sql.query(FAIL, [id, token, JSON.stringify(error)])).rowCount === 1
}

/** A video to store. Positions are counted from 1, in the order of the list. */
export interface StoredListedVideo {
  videoId: string
  title: string
  type: string
  durationSeconds: number | null
  publishedAt: string | null
  isApproximate: boolean
  reason: string | null
  /** Of a podcast. */
  episode?: StoredEpisode | undefined
}

const HOLD = 'SELECT FROM sources WHERE id = $1 AND lease_token = $2 FOR UPDATE'

// A time computed from "3 days ago" is kept as it was first seen, because it was computed from the finest text then.
const STORE = `INSERT INTO source_videos AS v (source_id, video_id, position, title, type, duration_seconds, published_at,
    is_approximate, reason, episode, first_seen_at)
  SELECT $1, l."videoId", l.position, l.title, l.type, l."durationSeconds", l."publishedAt", l."isApproximate", l.reason, l.episode, $3
  FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS ("videoId" text, title text, type text, "durationSeconds" int,
    "publishedAt" timestamptz, "isApproximate" boolean, reason text, episode jsonb)) WITH ORDINALITY
    AS l("videoId", title, type, "durationSeconds", "publishedAt", "isApproximate", reason, episode, position)
  ON CONFLICT (source_id, video_id) DO UPDATE SET position = excluded.position,
    title = CASE WHEN excluded.title = '' THEN v.title ELSE excluded.title END, type = excluded.type,
    duration_seconds = coalesce(excluded.duration_seconds, v.duration_seconds),
    published_at = CASE WHEN excluded.is_approximate OR excluded.published_at IS NULL
      THEN coalesce(v.published_at, excluded.published_at) ELSE excluded.published_at END,
    is_approximate = CASE WHEN excluded.is_approximate OR excluded.published_at IS NULL
      THEN CASE WHEN v.published_at IS NULL THEN excluded.is_approximate ELSE v.is_approximate END ELSE false END,
    reason = excluded.reason, episode = excluded.episode, gone_at = NULL`

const MARK_GONE = `UPDATE source_videos SET gone_at = $3
  WHERE source_id = $1 AND gone_at IS NULL AND NOT video_id = ANY ($2::text[])`

const COMPLETE = `UPDATE sources SET due_at = NULL, lease_token = NULL, error = NULL, listed_at = $3, title = coalesce($4, title),
    videos_total = $5, truncated = $6, with_transcript = $7
  WHERE id = $1 AND lease_token = $2`

export interface CompletedListing {
  title: string | null
  videos: readonly StoredListedVideo[]
  truncated: boolean
  /** Of a podcast: episodes with a transcript. */
  withTranscript?: number | undefined
}

/** Replaces the list of a source as a whole. Returns false if the lease was lost and nothing was written. */
export const completeListing = (
  db: Transactional,
  { id, token }: Held,
  { title, videos, truncated, withTranscript }: CompletedListing,
  now: Date,
): Promise<boolean> =>
  db.transaction(async (sql) => {
    if ((await sql.query(HOLD, [id, token])).rowCount === 0) return false
    await sql.query(MARK_GONE, [id, videos.map(({ videoId }) => videoId), now])
    await sql.query(STORE, [id, JSON.stringify(videos), now])
    const values = [id, token, now, title, videos.length, truncated, withTranscript ?? null]
    return (await sql.query(COMPLETE, values)).rowCount === 1
  })

const ENSURE_CHANNEL = `INSERT INTO sources (id, kind, platform_id, used_at) VALUES ($1, 'channel', $2, $3)
  ON CONFLICT (kind, platform_id) DO UPDATE SET used_at = excluded.used_at
  RETURNING id, same_as AS "sameAs", listed_at AS "listedAt"`

const LEAD = `UPDATE sources SET due_at = NULL, lease_token = NULL, error = NULL, listed_at = $3, same_as = $2 WHERE id = $1`
const LEAD_NAMES = 'UPDATE sources SET same_as = $2 WHERE same_as = $1'
const MOVE_LINKS = `UPDATE account_sources a SET source_id = $2 WHERE source_id = $1
  AND NOT EXISTS (SELECT FROM account_sources o WHERE o.user_id = a.user_id AND o.source_id = $2)`
const IS_LINKED = 'SELECT FROM account_sources WHERE source_id = ANY ($1::uuid[]) LIMIT 1'
const REQUEST_TARGET = `UPDATE sources SET requested_at = $2, due_at = $2, attempts = 0
  WHERE id = $1 AND due_at IS NULL AND (listed_at IS NULL OR listed_at <= $3)`

/**
 * Ends the work on a name that leads to a channel, or on a channel that has moved to another one. Accounts that have it get the
 * channel under the same ID, and if there are any, the channel is listed. Returns false if the lease was lost.
 */
export const leadToChannel = (
  db: Transactional,
  { id, token }: Held,
  channelId: string,
  { now, freshAfter }: { now: Date; freshAfter: Date },
): Promise<boolean> =>
  db.transaction(async (sql) => {
    if ((await sql.query(HOLD, [id, token])).rowCount === 0) return false
    const [channel] = (
      await sql.query<{ id: string; sameAs: string | null }>(ENSURE_CHANNEL, [newId(), channelId, now])
    ).rows
    const target = channel?.sameAs ?? channel?.id
    if (target === undefined || target === id) throw new Error('A channel leads to itself.')
    await sql.query(LEAD, [id, target, now])
    await sql.query(LEAD_NAMES, [id, target])
    const { rowCount } = await sql.query(IS_LINKED, [[id, target]])
    await sql.query(MOVE_LINKS, [id, target])
    if (rowCount > 0) await sql.query(REQUEST_TARGET, [target, now, freshAfter])
    return true
  })
