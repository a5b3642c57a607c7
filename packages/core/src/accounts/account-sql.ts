import type { Plan, Scope } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

export interface AccountDetails {
  id: string
  email: string
  name: string
  plan: Plan
  createdAt: Date
  /** Providers of the account's identities; `credential` is a password. */
  providers: string[]
}

const FIND = `
  SELECT u.id, u.email, u.name, u.plan, u.created_at AS "createdAt",
    ARRAY(SELECT provider_id FROM identities WHERE user_id = u.id ORDER BY created_at, id) AS providers
  FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`

export async function findAccountDetails(sql: Sql, userId: string): Promise<AccountDetails | null> {
  return (await sql.query<AccountDetails>(FIND, [userId])).rows[0] ?? null
}

export async function renameUser(sql: Sql, userId: string, name: string, now: Date): Promise<void> {
  await sql.query('UPDATE users SET name = $2, updated_at = $3 WHERE id = $1 AND deleted_at IS NULL', [
    userId,
    name,
    now,
  ])
}

/**
 * Keeps other transactions from adding keys to the account, or deleting it, until this one ends. Returns null if the account is
 * gone.
 */
export async function lockAccount(sql: Sql, userId: string): Promise<{ email: string; emailVerified: boolean } | null> {
  const { rows } = await sql.query<{ email: string; emailVerified: boolean }>(
    `SELECT email, email_verified AS "emailVerified" FROM users
     WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [userId],
  )
  return rows[0] ?? null
}

/** Counts the keys of a user that are neither revoked nor expired. */
export async function countActiveKeys(sql: Sql, userId: string, now: Date): Promise<number> {
  const { rows } = await sql.query<{ keys: number }>(
    `SELECT count(*)::int AS keys FROM api_keys
     WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [userId, now],
  )
  return rows[0]?.keys ?? 0
}

/** A key as its owner sees it. */
export interface OwnedApiKey {
  id: string
  name: string | null
  prefix: string
  lastFour: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  disabledAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

const KEY_COLUMNS = `id, name, prefix, last_four AS "lastFour", scopes, created_at AS "createdAt",
  expires_at AS "expiresAt", disabled_at AS "disabledAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`

const LIST_KEYS = `SELECT ${KEY_COLUMNS} FROM api_keys
  WHERE user_id = $1 AND (revoked_at IS NULL OR revoked_at >= $2) ORDER BY created_at DESC, id DESC LIMIT $3`

/** Lists the keys of a user, the newest first, without those that were revoked before `revokedSince`. */
export async function listOwnedKeys(
  sql: Sql,
  userId: string,
  { revokedSince, limit }: { revokedSince: Date; limit: number },
): Promise<OwnedApiKey[]> {
  return (await sql.query<OwnedApiKey>(LIST_KEYS, [userId, revokedSince, limit])).rows
}

const FIND_KEY = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE user_id = $1 AND id = $2`

export async function findOwnedKey(sql: Sql, userId: string, id: string): Promise<OwnedApiKey | null> {
  return (await sql.query<OwnedApiKey>(FIND_KEY, [userId, id])).rows[0] ?? null
}

export async function renameKey(sql: Sql, userId: string, id: string, name: string): Promise<void> {
  await sql.query('UPDATE api_keys SET name = $3 WHERE user_id = $1 AND id = $2', [userId, id, name])
}
