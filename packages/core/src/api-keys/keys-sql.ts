import type { Plan, Scope } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

export interface NewApiKey {
  id: string
  userId: string
  /** Null for keys that an operator creates. */
  name: string | null
  /** SHA-256 hash of the whole key. */
  hash: Uint8Array<ArrayBuffer>
  prefix: string
  lastFour: string
  scopes: Scope[]
  expiresAt: Date | null
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<void> {
  const { id, userId, name, hash, prefix, lastFour, scopes, expiresAt } = key
  await sql.query(
    `INSERT INTO api_keys (id, user_id, name, hash, prefix, last_four, scopes, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, userId, name, hash, prefix, lastFour, scopes, expiresAt],
  )
}

export interface KeyHolder {
  userId: string
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
  expiresAt: Date | null
}

/**
 * Finds the holders of the keys with these hashes, in hexadecimal digits, in the same order. Null stands for an unknown, disabled
 * or revoked key, or one of a deleted account. The caller checks the expiry.
 */
export async function findKeyHolders(sql: Sql, hashes: readonly string[]): Promise<(KeyHolder | null)[]> {
  // The plan comes from a subquery, because a join would be planned as a scan of all users while the tables have no statistics;
  // and so does the array, so that the planner does not count its elements and plan again for each call.
  const { rows } = await sql.query<Omit<KeyHolder, 'plan'> & { hash: string; plan: Plan | null }>(
    `SELECT encode(k.hash, 'hex') AS hash, k.user_id AS "userId", k.id AS "apiKeyId",
       (SELECT u.plan FROM users u WHERE u.id = k.user_id AND u.deleted_at IS NULL) AS plan, k.scopes,
       k.expires_at AS "expiresAt"
     FROM api_keys k WHERE k.hash = ANY ((SELECT $1::bytea[])::bytea[]) AND k.disabled_at IS NULL AND k.revoked_at IS NULL`,
    [hashes.map((hash) => `\\x${hash}`)],
  )
  const byHash = new Map<string, KeyHolder>()
  // The account of a key without a plan was deleted.
  for (const { plan, ...row } of rows) if (plan !== null) byHash.set(row.hash, { ...row, plan })
  return hashes.map((hash) => byHash.get(hash) ?? null)
}

/** Returns those of the keys with these IDs that are unknown, disabled, revoked or expired. */
export async function listInvalidKeys(sql: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  // A subquery, because a join would be planned as a scan of all keys while the table has no statistics.
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS asked(id)
     WHERE (SELECT k.disabled_at IS NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at > $2, true)
       FROM api_keys k WHERE k.id = asked.id) IS NOT TRUE`,
    [ids, now],
  )
  return rows.map(({ id }) => id)
}

export interface StoredApiKey {
  id: string
  userId: string
  email: string
  plan: Plan
  prefix: string
  lastFour: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  disabledAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** Everything that an operator may know about a key. An empty filter matches every key. */
export interface KeyFilter {
  email?: string
  id?: string
  hash?: Uint8Array
  prefix?: string
  lastFour?: string
}

const FIND_KEYS = `
  SELECT k.id, k.user_id AS "userId", u.email, u.plan, k.prefix, k.last_four AS "lastFour", k.scopes,
    k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.disabled_at AS "disabledAt",
    k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt"
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE ($1::text IS NULL OR u.email = $1) AND ($2::uuid IS NULL OR k.id = $2) AND ($3::bytea IS NULL OR k.hash = $3)
    AND ($4::text IS NULL OR k.prefix = $4) AND ($5::text IS NULL OR k.last_four = $5)
  ORDER BY u.email, k.created_at, k.id`

/** Lists the keys of all users that match the filter, for operators, without the secret part. */
export async function findApiKeys(sql: Sql, { email, id, hash, prefix, lastFour }: KeyFilter): Promise<StoredApiKey[]> {
  return (await sql.query<StoredApiKey>(FIND_KEYS, [email, id, hash, prefix, lastFour])).rows
}

const CHANGES = {
  revoke: `UPDATE api_keys SET revoked_at = now() WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL`,
  disable: `UPDATE api_keys SET disabled_at = now()
    WHERE user_id = $1 AND id = $2 AND disabled_at IS NULL AND revoked_at IS NULL`,
  enable: `UPDATE api_keys SET disabled_at = NULL
    WHERE user_id = $1 AND id = $2 AND disabled_at IS NOT NULL AND revoked_at IS NULL`,
} as const

/** A revoked key stays revoked. A disabled key can be enabled again. */
export type KeyChange = keyof typeof CHANGES

/** Returns whether the key changed. */
export async function changeApiKey(sql: Sql, userId: string, id: string, change: KeyChange): Promise<boolean> {
  return (await sql.query(CHANGES[change], [userId, id])).rowCount > 0
}

// Several processes may report the same keys. Keys are locked in one order, and the latest use wins.
const RECORD_KEY_USES = `
  WITH held AS MATERIALIZED (
    SELECT id FROM api_keys WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE api_keys SET last_used_at = used.at
  FROM held JOIN unnest($1::uuid[], $2::timestamptz[]) AS used(id, at) USING (id)
  WHERE api_keys.id = held.id AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`

export async function recordKeyUses(sql: Sql, uses: { apiKeyId: string; usedAt: Date }[]): Promise<void> {
  await sql.query(RECORD_KEY_USES, [uses.map((use) => use.apiKeyId), uses.map((use) => use.usedAt)])
}
