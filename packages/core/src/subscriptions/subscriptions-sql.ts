import type {
  Priority,
  SubscriptionAction,
  SubscriptionEmail,
  SubscriptionFilter,
  SubscriptionFormat,
  SubscriptionMatch,
  VideoOptions,
} from '@subtext/contracts'
import type { Sql, Transactional } from '@subtext/db'
import type { SourceKind } from '../sources/index.ts'
import { WATCH_NOW } from './watches-sql.ts'

/** What can be chosen of a subscription. */
export interface SubscriptionSettings {
  action: SubscriptionAction
  options: VideoOptions
  priority: Priority
  filter: SubscriptionFilter | null
  match: SubscriptionMatch | null
  maxPerDay: number | null
  webhookUrl: string | null
  webhookFormat: SubscriptionFormat
  email: SubscriptionEmail | null
}

/** A subscription as its account sees it. */
export interface StoredSubscription extends SubscriptionSettings {
  id: string
  /** The ID of the source that the account knows. */
  accountSourceId: string
  catchUp: number
  pausedFor: 'requested' | 'plan' | null
  createdAt: Date
  updatedAt: Date
  /** The row with the videos. */
  sourceId: string
  kind: SourceKind
  platformId: string
  title: string | null
  lastCheckedAt: Date | null
  nextCheckAt: Date | null
}

export const SETTINGS = `b.action, b.options, b.priority, b.filter, b.match, b.max_per_day AS "maxPerDay", b.webhook_url AS "webhookUrl",
  b.webhook_format AS "webhookFormat", b.email`
/** A source that has moved is the one to which it leads. */
export const OF_SOURCE = `subscriptions b JOIN account_sources a ON a.id = b.account_source_id JOIN sources o ON o.id = a.source_id
  JOIN sources s ON s.id = coalesce(o.same_as, o.id)`

/** The key that has made a subscription (`b`), as long as it is valid. */
export const WITH_KEY =
  'LEFT JOIN api_keys k ON k.id = b.api_key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())'

const SHOWN = `b.id, b.account_source_id AS "accountSourceId", ${SETTINGS}, b.catch_up AS "catchUp", b.paused_for AS "pausedFor",
  b.created_at AS "createdAt", b.updated_at AS "updatedAt", s.id AS "sourceId", s.kind, s.platform_id AS "platformId", s.title,
  w.due_at AS "nextCheckAt", (
    SELECT checked_at FROM source_checks c WHERE c.source_id = s.id AND c.checked_at >= b.created_at ORDER BY c.id DESC LIMIT 1
  ) AS "lastCheckedAt"`
const JOINED = `${OF_SOURCE} LEFT JOIN source_watches w ON w.source_id = s.id`

/** Finds a subscription of an account. */
export async function findSubscription(sql: Sql, userId: string, id: string): Promise<StoredSubscription | null> {
  const { rows } = await sql.query<StoredSubscription>(
    `SELECT ${SHOWN} FROM ${JOINED} WHERE b.user_id = $1 AND b.id = $2`,
    [userId, id],
  )
  return rows[0] ?? null
}

const LIST = `SELECT ${SHOWN}, (SELECT count(*)::int FROM subscriptions WHERE user_id = $1) AS total FROM ${JOINED}
  WHERE b.user_id = $1 AND ($2::uuid IS NULL OR b.id < $2) ORDER BY b.id DESC LIMIT $3 OFFSET $4`

/** Lists the subscriptions of an account, the newest first. */
export async function listOwnSubscriptions(
  sql: Sql,
  userId: string,
  { before, limit, skip }: { before: string | null; limit: number; skip: number },
): Promise<{ entries: StoredSubscription[]; total: number }> {
  const { rows } = await sql.query<StoredSubscription & { total: number }>(LIST, [userId, before, limit, skip])
  return { entries: rows, total: rows[0]?.total ?? (await countSubscriptions(sql, userId)) }
}

async function countSubscriptions(sql: Sql, userId: string): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM subscriptions WHERE user_id = $1',
    [userId],
  )
  return rows[0]?.total ?? 0
}

export interface NewSubscriptionRow extends SubscriptionSettings {
  id: string
  userId: string
  apiKeyId: string | null
  accountSourceId: string
  catchUp: number
  stopKey: Buffer
  createdAt: Date
}

// Locks the account, so that requests that arrive together do not exceed the limit.
const LOCK_ACCOUNT = 'SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE'
const INSERT = `INSERT INTO subscriptions (id, user_id, api_key_id, account_source_id, action, options, priority, filter, match,
    catch_up, max_per_day, webhook_url, webhook_format, email, stop_key, digested_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16)`

const toJson = (value: object | null): string | null => value && JSON.stringify(value)

/** Stores a subscription, and has its source looked at. Returns false if the account has as many as it may. */
export const insertSubscription = (db: Transactional, row: NewSubscriptionRow, limit: number): Promise<boolean> =>
  db.transaction(async (sql) => {
    await sql.query(LOCK_ACCOUNT, [row.userId])
    if ((await countSubscriptions(sql, row.userId)) >= limit) return false
    await sql.query(INSERT, [
      row.id,
      row.userId,
      row.apiKeyId,
      row.accountSourceId,
      row.action,
      JSON.stringify(row.options),
      row.priority,
      toJson(row.filter),
      toJson(row.match),
      row.catchUp,
      row.maxPerDay,
      row.webhookUrl,
      row.webhookFormat,
      row.email,
      row.stopKey,
      row.createdAt,
    ])
    await sql.query(WATCH_NOW, [row.id])
    return true
  })

const UPDATE = `UPDATE subscriptions SET action = $3, options = $4, priority = $5, filter = $6, match = $7, max_per_day = $8,
    webhook_url = $9, webhook_format = $10, digested_at = CASE WHEN email IS NULL THEN $12 ELSE digested_at END, email = $11,
    updated_at = $12
  WHERE user_id = $1 AND id = $2`

/** Changes the settings of a subscription. */
export async function updateSettings(
  sql: Sql,
  { userId, id }: { userId: string; id: string },
  settings: SubscriptionSettings,
  now: Date,
): Promise<void> {
  await sql.query(UPDATE, [
    userId,
    id,
    settings.action,
    JSON.stringify(settings.options),
    settings.priority,
    toJson(settings.filter),
    toJson(settings.match),
    settings.maxPerDay,
    settings.webhookUrl,
    settings.webhookFormat,
    settings.email,
    now,
  ])
}

/** Deletes a subscription with its items and feeds. Returns false if the account has none with this ID. */
export async function deleteOwnSubscription(sql: Sql, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await sql.query('DELETE FROM subscriptions WHERE user_id = $1 AND id = $2', [userId, id])
  return rowCount === 1
}

const PAUSE = `UPDATE subscriptions SET paused_for = $2, updated_at = $3 WHERE id = $1 AND paused_for IS NULL`

/** Pauses a subscription. Returns false if it is paused already. */
export async function pauseSubscriptionRow(
  sql: Sql,
  id: string,
  reason: 'requested' | 'plan',
  now: Date,
): Promise<boolean> {
  return (await sql.query(PAUSE, [id, reason, now])).rowCount === 1
}

const RESUME = 'UPDATE subscriptions SET paused_for = NULL, updated_at = $2 WHERE id = $1'
const RESUME_ITEMS = `UPDATE subscription_items SET due_at = now()
  WHERE subscription_id = $1 AND state = 'waiting' AND due_at IS NULL AND reason <> 'processing'`

/** Resumes a subscription: its items continue, and its source is looked at. */
export const resumeSubscriptionRow = (db: Transactional, id: string, now: Date): Promise<void> =>
  db.transaction(async (sql) => {
    await sql.query(RESUME, [id, now])
    await sql.query(RESUME_ITEMS, [id])
    await sql.query(WATCH_NOW, [id])
  })

/** Stops the emails of a subscription, if the key is its own. Returns its source's title, or null if nothing was found. */
export async function stopEmails(sql: Sql, id: string, key: Buffer): Promise<boolean> {
  const { rowCount } = await sql.query('UPDATE subscriptions SET email = NULL WHERE id = $1 AND stop_key = $2', [
    id,
    key,
  ])
  return rowCount === 1
}
