import type { JobStatus, Plan, Scope, SourceVideoReason, SubscriptionMatchMoment } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { StoredError } from '../jobs/job-row.ts'
import type { OwnQuota } from '../plans/own-quota.ts'
import { SETTINGS, type SubscriptionSettings, WITH_KEY } from './subscriptions-sql.ts'

/** The claim of an item. Every write names the token, so that a late worker changes nothing. */
export interface ItemLease {
  subscriptionId: string
  videoId: string
  token: string
}

/** An item that a worker has claimed, with what it needs to know to go on. */
export interface ClaimedItem extends ItemLease, SubscriptionSettings {
  id: string
  videoUrl: string | null
  title: string
  reason: string
  jobId: string | null
  tries: number
  userId: string
  accountSourceId: string
  /** What its account calls `accountSourceId`. */
  sourceId: string
  apiKeyId: string | null
  pausedFor: string | null
  stopKey: Buffer
  plan: Plan
  ownQuota: OwnQuota
  /** Whether the account has been suspended or deleted. */
  isClosed: boolean
  /** Of the key that made the subscription, as long as it is valid. */
  scopes: Scope[] | null
  /** Null if the job does not exist. */
  jobStatus: JobStatus | null
  jobError: StoredError | null
}

const CLAIM = `WITH due AS (
    SELECT subscription_id, video_id FROM subscription_items WHERE due_at <= now()
    ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE subscription_items i SET lease_token = $1, due_at = now() + make_interval(secs => $2) FROM due
    WHERE i.subscription_id = due.subscription_id AND i.video_id = due.video_id
    RETURNING i.*
  )
  SELECT i.id, i.subscription_id AS "subscriptionId", i.video_id AS "videoId", i.video_url AS "videoUrl", i.lease_token AS token, i.title, i.reason, i.job_id AS "jobId",
    i.tries, b.user_id AS "userId", b.account_source_id AS "accountSourceId", coalesce(o.same_as, o.id) AS "sourceId", b.api_key_id AS "apiKeyId", b.paused_for AS "pausedFor",
    b.stop_key AS "stopKey", ${SETTINGS}, u.plan,
    jsonb_build_object('daily', u.quota_daily, 'monthly', u.quota_monthly) AS "ownQuota",
    u.deleted_at IS NOT NULL OR u.suspended_at IS NOT NULL AS "isClosed", k.scopes, j.status AS "jobStatus", j.error AS "jobError"
  FROM claimed i JOIN subscriptions b ON b.id = i.subscription_id JOIN users u ON u.id = b.user_id
    JOIN account_sources a ON a.id = b.account_source_id JOIN sources o ON o.id = a.source_id
    ${WITH_KEY}
    LEFT JOIN jobs j ON j.id = i.job_id`

/** Claims an item that is due. One whose worker has died is due when its lease ends. */
export async function claimItem(
  sql: Sql,
  { token, leaseSeconds }: { token: string; leaseSeconds: number },
): Promise<ClaimedItem | null> {
  return (await sql.query<ClaimedItem>(CLAIM, [token, leaseSeconds])).rows[0] ?? null
}

// Jobs that are gone are found out by the worker as well.
const WAKE_ENDED = `UPDATE subscription_items i SET due_at = now()
  WHERE i.state = 'waiting' AND i.due_at IS NULL AND i.reason = 'processing'
    AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = i.job_id AND j.status IN ('queued', 'processing'))`

/** Has items continue whose jobs have ended. Returns how many. */
export const wakeEndedItems = async (sql: Sql): Promise<number> => (await sql.query(WAKE_ENDED)).rowCount

const heldBy = (first: number): string =>
  `subscription_id = $${first} AND video_id = $${first + 1} AND lease_token = $${first + 2}`
const valuesOf = ({ subscriptionId, videoId, token }: ItemLease): string[] => [subscriptionId, videoId, token]

const POSTPONE = `UPDATE subscription_items SET reason = $4, due_at = now() + make_interval(secs => $5), lease_token = NULL,
    tries = $6, taken_at = NULL, updated_at = $7
  WHERE ${heldBy(1)}`

/** Has an item wait. It holds nothing of a quota or a day. `seconds`: null for one that waits for its subscription. */
export async function postponeItem(
  sql: Sql,
  lease: ItemLease,
  { reason, seconds, tries, now }: { reason: string; seconds: number | null; tries: number; now: Date },
): Promise<boolean> {
  return (await sql.query(POSTPONE, [...valuesOf(lease), reason, seconds, tries, now])).rowCount === 1
}

/** The detail that only a listing says. */
export interface ItemDetails {
  type: 'video' | 'short' | 'live' | 'episode'
  durationSeconds: number | null
  reason: SourceVideoReason | null
  isUnlisted: boolean
}

const DETAILS = `SELECT v.type, v.duration_seconds AS "durationSeconds", v.reason, v.first_seen_at > coalesce(s.listed_at, '-infinity') AS "isUnlisted"
  FROM subscriptions b JOIN account_sources a ON a.id = b.account_source_id JOIN sources o ON o.id = a.source_id
    JOIN sources s ON s.id = coalesce(o.same_as, o.id) JOIN source_videos v ON v.source_id = s.id
  WHERE b.id = $1 AND v.video_id = $2`

/** Returns what is known of the video of an item; null if its source does not have it any more. */
export async function findDetails(sql: Sql, { subscriptionId, videoId }: ItemLease): Promise<ItemDetails | null> {
  return (await sql.query<ItemDetails>(DETAILS, [subscriptionId, videoId])).rows[0] ?? null
}

const LOCK =
  'SELECT paused_for AS "pausedFor", max_per_day AS "maxPerDay" FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE'
const COUNT_TAKEN = `SELECT count(*)::int AS taken FROM subscription_items
  WHERE subscription_id = $1 AND video_id <> $2 AND taken_at >= $3`
const TAKE = `UPDATE subscription_items SET taken_at = $4, job_id = $5 WHERE ${heldBy(1)}`

export type TakeOutcome = 'taken' | 'paused' | 'full' | 'lost'

/** Counts an item toward its day, and stores the ID that its job will have. To be called in a transaction: it locks the subscription. */
export async function takeItem(
  sql: Sql,
  lease: ItemLease,
  { jobId, dayStart, now, ignoresLimit }: { jobId: string | null; dayStart: Date; now: Date; ignoresLimit: boolean },
): Promise<TakeOutcome> {
  const { rows } = await sql.query<{ pausedFor: string | null; maxPerDay: number | null }>(LOCK, [lease.subscriptionId])
  const [locked] = rows
  if (!locked) return 'lost'
  if (locked.pausedFor !== null) return 'paused'
  if (locked.maxPerDay !== null && !ignoresLimit) {
    const counted = await sql.query<{ taken: number }>(COUNT_TAKEN, [lease.subscriptionId, lease.videoId, dayStart])
    if ((counted.rows[0]?.taken ?? 0) >= locked.maxPerDay) return 'full'
  }
  return (await sql.query(TAKE, [...valuesOf(lease), now, jobId])).rowCount === 1 ? 'taken' : 'lost'
}

const FOLLOW = `UPDATE subscription_items SET reason = 'processing', due_at = NULL, lease_token = NULL, updated_at = $4
  WHERE ${heldBy(1)}`
const RELEASE_HOLD = 'UPDATE subscriptions SET held_for = NULL WHERE id = $1 AND held_for IS NOT NULL'

/** Leaves an item to its job, which has been accepted. */
export async function leaveToJob(sql: Sql, lease: ItemLease, now: Date): Promise<void> {
  await sql.query(FOLLOW, [...valuesOf(lease), now])
  await sql.query(RELEASE_HOLD, [lease.subscriptionId])
}

/** Notes that a subscription is held. Returns false if that is known: it is told once. */
export async function holdSubscription(sql: Sql, id: string, reason: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE subscriptions SET held_for = $2 WHERE id = $1 AND held_for IS DISTINCT FROM $2',
    [id, reason],
  )
  return rowCount === 1
}

const END = `UPDATE subscription_items SET state = $4, reason = $5, matches = $6, due_at = NULL, lease_token = NULL, ended_at = $7,
    updated_at = $7
  WHERE ${heldBy(1)} AND state = 'waiting'`

/** Ends an item, once. Returns false if the lease was lost. Call it in the transaction that tells of it. */
export async function endItem(
  sql: Sql,
  lease: ItemLease,
  end: { state: string; reason: string | null; matches: SubscriptionMatchMoment[] | null; now: Date },
): Promise<boolean> {
  const { state, reason, matches, now } = end
  const values = [...valuesOf(lease), state, reason, matches && JSON.stringify(matches), now]
  return (await sql.query(END, values)).rowCount === 1
}

const EXTEND = `UPDATE subscription_items SET due_at = now() + make_interval(secs => $4) WHERE ${heldBy(1)}`

/** Extends the lease of an item. Returns false if it is lost. */
export async function extendItemLease(sql: Sql, lease: ItemLease, leaseSeconds: number): Promise<boolean> {
  return (await sql.query(EXTEND, [...valuesOf(lease), leaseSeconds])).rowCount === 1
}

const RECIPIENT = `SELECT u.email, s.title AS "sourceTitle" FROM subscriptions b JOIN users u ON u.id = b.user_id
    JOIN account_sources a ON a.id = b.account_source_id JOIN sources o ON o.id = a.source_id JOIN sources s ON s.id = coalesce(o.same_as, o.id)
  WHERE b.id = $1 AND u.deleted_at IS NULL`

/**
 * Returns the address to which the emails of a subscription go. It need not be confirmed: only an operator can have created such an
 * account, with an address that the operator knows.
 */
export async function findRecipient(
  sql: Sql,
  subscriptionId: string,
): Promise<{ email: string; sourceTitle: string | null } | null> {
  return (await sql.query<{ email: string; sourceTitle: string | null }>(RECIPIENT, [subscriptionId])).rows[0] ?? null
}
