import type { Sql, Transactional } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { SourceError, SourceKind } from '../sources/index.ts'

const watchNow = (which: string): string => `INSERT INTO source_watches (source_id, due_at)
  SELECT DISTINCT coalesce(o.same_as, o.id), now() FROM subscriptions b JOIN account_sources a ON a.id = b.account_source_id
    JOIN sources o ON o.id = a.source_id
  WHERE ${which}
  ON CONFLICT (source_id) DO UPDATE SET due_at = now(), lease_token = NULL, forced = true`

/**
 * Has the source of a subscription (`$1`) looked at now, and listed. A worker that looks at it at this moment loses its lease, because
 * it may have begun before.
 */
export const WATCH_NOW = watchNow('b.id = $1')

const WATCH_ALL_NOW = watchNow('b.user_id = $1 AND b.paused_for IS NULL')

/** The same for all subscriptions of an account that are not paused: what was published meanwhile is looked for at once. */
export async function watchAllSources(sql: Sql, userId: string): Promise<void> {
  await sql.query(WATCH_ALL_NOW, [userId])
}

/** Has the source of a subscription looked at now, and listed. */
export async function lookNow(sql: Sql, subscriptionId: string): Promise<void> {
  await sql.query(WATCH_NOW, [subscriptionId])
}

/** A source that a worker looks at. Every write names the token, so that a late worker changes nothing. */
export interface ClaimedWatch {
  sourceId: string
  token: string
  /** Whether it is listed whatever its feed says. */
  forced: boolean
  /** Since when it waits for a listing, and why it was listed. */
  listingSince: Date | null
  listingFor: string | null
}

const CLAIM = `UPDATE source_watches SET lease_token = $1, due_at = now() + make_interval(secs => $2)
  WHERE source_id = (
    SELECT source_id FROM source_watches WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING source_id AS "sourceId", lease_token AS token, forced, listing_since AS "listingSince", listing_for AS "listingFor"`

/** Claims a source that is due. One whose worker has died is due when its lease ends. */
export async function claimWatch(
  sql: Sql,
  { token, leaseSeconds }: { token: string; leaseSeconds: number },
): Promise<ClaimedWatch | null> {
  return (await sql.query<ClaimedWatch>(CLAIM, [token, leaseSeconds])).rows[0] ?? null
}

/** The checks that are due. */
export interface CheckDemand {
  due: number
  /** Seconds for which the oldest one has been due; 0 if there is none. */
  oldestDueSeconds: number
}

const DEMAND = `SELECT count(*)::int AS due,
    coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestDueSeconds"
  FROM source_watches WHERE due_at <= now()`

/** Returns the demand for checks. */
export async function readCheckDemand(sql: Sql): Promise<CheckDemand> {
  return (await sql.query<CheckDemand>(DEMAND)).rows[0] ?? { due: 0, oldestDueSeconds: 0 }
}

/** What is known of a source that is looked at. */
export interface WatchedSource {
  kind: SourceKind
  platformId: string
  /** The source to which it leads. */
  sameAs: string | null
  listedAt: Date | null
  isListing: boolean
  error: SourceError | null
  videosTotal: number
  /** Whether a subscription that goes on follows it, and whether one of these has not seen its first check. */
  isFollowed: boolean
  isUnseeded: boolean
}

/** The subscriptions of a source (`s`) that are neither paused nor of a suspended account. */
const ACTIVE = `subscriptions b WHERE b.paused_for IS NULL
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = b.user_id AND u.suspended_at IS NOT NULL) AND b.account_source_id IN (
    SELECT a.id FROM account_sources a WHERE a.source_id = s.id OR a.source_id IN (SELECT id FROM sources WHERE same_as = s.id)
  )`

const DESCRIBE = `SELECT s.kind, s.platform_id AS "platformId", s.same_as AS "sameAs", s.listed_at AS "listedAt",
    s.due_at IS NOT NULL AS "isListing", s.error, s.videos_total AS "videosTotal", EXISTS (SELECT FROM ${ACTIVE}) AS "isFollowed",
    EXISTS (SELECT FROM ${ACTIVE} AND b.seeded_at IS NULL) AS "isUnseeded"
  FROM sources s WHERE s.id = $1`

/** Returns what is known of a source; null if it does not exist. */
export async function describeWatched(sql: Sql, sourceId: string): Promise<WatchedSource | null> {
  return (await sql.query<WatchedSource>(DESCRIBE, [sourceId])).rows[0] ?? null
}

/** Lists the subscriptions of a source that go on. */
export async function listFollowers(sql: Sql, sourceId: string): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT b.id FROM sources s, LATERAL (SELECT b.id FROM ${ACTIVE}) b WHERE s.id = $1 ORDER BY b.id`,
    [sourceId],
  )
  return rows.map(({ id }) => id)
}

type Held = Pick<ClaimedWatch, 'sourceId' | 'token'>

/** Leaves the source for later. Returns false if the lease was lost. */
export async function postponeWatch(sql: Sql, { sourceId, token }: Held, seconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE source_watches SET due_at = now() + make_interval(secs => $3), lease_token = NULL
     WHERE source_id = $1 AND lease_token = $2`,
    [sourceId, token, seconds],
  )
  return rowCount === 1
}

const AWAIT_LISTING = `UPDATE source_watches SET due_at = now() + make_interval(secs => $3), lease_token = NULL, forced = false,
    listing_since = $4, listing_for = $5
  WHERE source_id = $1 AND lease_token = $2`
const REQUEST_LISTING = `UPDATE sources SET requested_at = $2, due_at = now(), attempts = 0, lease_token = NULL, used_at = $2
  WHERE id = $1 AND due_at IS NULL`

/** Has the source listed, and the watch wait for it. A listing that is under way is joined. Returns false if the lease was lost. */
export const requestWatchedListing = (
  db: Transactional,
  { sourceId, token }: Held,
  { reason, pollSeconds, now }: { reason: string; pollSeconds: number; now: Date },
): Promise<boolean> =>
  db.transaction(async (sql) => {
    const { rowCount } = await sql.query(AWAIT_LISTING, [sourceId, token, pollSeconds, now, reason])
    if (rowCount === 0) return false
    await sql.query(REQUEST_LISTING, [sourceId, now])
    return true
  })

const WAKE = `UPDATE source_watches SET due_at = now()
  WHERE source_id = $1 AND listing_since IS NOT NULL AND lease_token IS NULL`

/** Has the watch of a source continue whose listing has just ended. */
export async function wakeWatch(sql: Sql, sourceId: string): Promise<void> {
  await sql.query(WAKE, [sourceId])
}

/** What a look at a source has found. */
export interface NewCheck {
  checkedAt: Date
  method: 'rss' | 'listing'
  /** Why it was listed. */
  because: string | null
  videosSeen: number | null
  newVideos: number | null
  error: SourceError | null
}

const RECORD = `INSERT INTO source_checks (id, source_id, checked_at, method, because, videos_seen, new_videos, error)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
const END = `UPDATE source_watches SET due_at = CASE WHEN $4 THEN now() ELSE $3 END, lease_token = NULL, forced = $4, listing_since = NULL,
    listing_for = NULL
  WHERE source_id = $1 AND lease_token = $2`

/**
 * Records a check and says when the next one is due: at once if somebody has asked for one since the listing began. Returns false if
 * the lease was lost and nothing was written.
 */
export const endCheck = (
  db: Transactional,
  { sourceId, token, forced }: Held & Pick<ClaimedWatch, 'forced'>,
  check: NewCheck,
  nextAt: Date,
): Promise<boolean> =>
  db.transaction(async (sql) => {
    if ((await sql.query(END, [sourceId, token, nextAt, forced])).rowCount === 0) return false
    const { checkedAt, method, because, videosSeen, newVideos, error } = check
    const values = [
      newId(),
      sourceId,
      checkedAt,
      method,
      because,
      videosSeen,
      newVideos,
      error && JSON.stringify(error),
    ]
    await sql.query(RECORD, values)
    return true
  })

/** Ends the watch of a source that nobody follows any more. One that somebody has just asked for stays. */
export async function endWatch(sql: Sql, { sourceId, token }: Held): Promise<void> {
  await sql.query('DELETE FROM source_watches WHERE source_id = $1 AND lease_token = $2', [sourceId, token])
}

/** Watches the source to which this one leads instead of it. */
export const moveWatch = (db: Transactional, held: Held, target: string): Promise<void> =>
  db.transaction(async (sql) => {
    await sql.query(
      `INSERT INTO source_watches (source_id, due_at) VALUES ($1, now())
       ON CONFLICT (source_id) DO UPDATE SET due_at = now(), lease_token = NULL, forced = true`,
      [target],
    )
    await endWatch(sql, held)
  })

/** A check as it is stored. */
export interface StoredCheck extends NewCheck {
  id: string
}

const LIST = `SELECT id, checked_at AS "checkedAt", method, because, videos_seen AS "videosSeen", new_videos AS "newVideos", error
  FROM source_checks WHERE source_id = $1 AND checked_at >= $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`

/** Lists the checks of a source since a time, the newest first. */
export async function listSourceChecks(
  sql: Sql,
  sourceId: string,
  since: Date,
  { before, limit }: { before: string | null; limit: number },
): Promise<StoredCheck[]> {
  return (await sql.query<StoredCheck>(LIST, [sourceId, since, before, limit])).rows
}
