import type { Sql } from '@subtext/db'

/**
 * A stored secret: sealed with the key named `keyId` or, if it was stored before secrets were sealed, in plain text.
 */
export interface StoredWebhookSecret {
  id: string
  userId: string
  /** The part that may be shown. */
  prefix: string
  plain: string | null
  sealed: Uint8Array | null
  keyId: string | null
  createdAt: Date
  /** Null for the current secret. */
  expiresAt: Date | null
}

const COLUMNS = `id, user_id AS "userId", prefix, secret AS plain, sealed, key_id AS "keyId", created_at AS "createdAt",
  expires_at AS "expiresAt"`

// The array comes from a subquery, so that the planner does not count its elements and plan again for each call.
const LIST = `SELECT ${COLUMNS} FROM webhook_secrets
  WHERE user_id = ANY ((SELECT $1::uuid[])::uuid[]) AND (expires_at IS NULL OR expires_at > $2)
  ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`

/** Lists the secrets of accounts that sign at `now`, the current ones first. */
export async function listWebhookSecrets(sql: Sql, userIds: string[], now: Date): Promise<StoredWebhookSecret[]> {
  return (await sql.query<StoredWebhookSecret>(LIST, [userIds, now])).rows
}

const FIND = `SELECT ${COLUMNS} FROM webhook_secrets WHERE user_id = $1 AND id = $2`

export async function findWebhookSecret(sql: Sql, userId: string, id: string): Promise<StoredWebhookSecret | null> {
  return (await sql.query<StoredWebhookSecret>(FIND, [userId, id])).rows[0] ?? null
}

const FIND_SEALED = `SELECT ${COLUMNS} FROM webhook_secrets WHERE sealed IS NOT NULL
  ORDER BY (user_id = $1) DESC, created_at DESC, id DESC LIMIT 1`

/** Finds the latest sealed secret: that of the account or, if it has none, of any other. */
export async function findSealedSecret(sql: Sql, userId: string): Promise<StoredWebhookSecret | null> {
  return (await sql.query<StoredWebhookSecret>(FIND_SEALED, [userId])).rows[0] ?? null
}

/** Keeps other transactions from changing this account's secrets until this one ends. */
export async function lockWebhookSecrets(sql: Sql, userId: string): Promise<void> {
  await sql.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId])
}

export interface NewWebhookSecret {
  id: string
  userId: string
  prefix: string
  sealed: Uint8Array
  keyId: string
  createdAt: Date
  /** The time until which the previous secret signs as well. */
  formerExpiresAt: Date
}

const REPLACE = `
WITH former AS (
  UPDATE webhook_secrets SET expires_at = $7 WHERE user_id = $2 AND expires_at IS NULL
), gone AS (
  DELETE FROM webhook_secrets WHERE user_id = $2 AND expires_at <= $6
)
INSERT INTO webhook_secrets (id, user_id, prefix, sealed, key_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)`

/** Makes a secret the current one, and deletes expired ones. */
export async function replaceWebhookSecret(sql: Sql, secret: NewWebhookSecret): Promise<void> {
  const { id, userId, prefix, sealed, keyId, createdAt, formerExpiresAt } = secret
  await sql.query(REPLACE, [id, userId, prefix, sealed, keyId, createdAt, formerExpiresAt])
}

const LIST_TO_RESEAL = `SELECT ${COLUMNS} FROM webhook_secrets
  WHERE key_id IS DISTINCT FROM $1 AND id > $2 ORDER BY id LIMIT $3`

/** Lists the secrets of all accounts that are not sealed with this key, ordered by ID. */
export async function listSecretsToReseal(
  sql: Sql,
  keyId: string,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<StoredWebhookSecret[]> {
  return (await sql.query<StoredWebhookSecret>(LIST_TO_RESEAL, [keyId, afterId, limit])).rows
}

const RESEAL = `UPDATE webhook_secrets SET secret = NULL, sealed = $3, key_id = $4
  WHERE user_id = $1 AND id = $2 AND key_id IS NOT DISTINCT FROM $5`

/** Replaces the stored form of a secret. Returns false if another process has already done so. */
export async function resealWebhookSecret(
  sql: Sql,
  from: StoredWebhookSecret,
  to: { sealed: Uint8Array; keyId: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(RESEAL, [from.userId, from.id, to.sealed, to.keyId, from.keyId])
  return rowCount === 1
}
