import type { Plan, Scope } from '@subtext/contracts'
import type { Sql, StoredPlan } from '@subtext/db'
import type { OwnQuota } from '../plans/own-quota.ts'

// Prisma would cost a command that creates a key half of its CPU time.
const UPSERT_USER = `INSERT INTO users (id, email, plan) VALUES ($1, $2, $3)
  ON CONFLICT (email) DO UPDATE SET plan = excluded.plan
  RETURNING id`

/**
 * Creates the user, or moves the existing user with this address to `plan`. Returns the user's ID. A plan that the database lacks
 * does not compile.
 */
export async function upsertUser(sql: Sql, user: { id: string; email: string; plan: StoredPlan }): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(UPSERT_USER, [user.id, user.email, user.plan])
  const [stored] = rows
  if (!stored) throw new Error('The statement returned no user.')
  return stored.id
}

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
  /** Whether an operator has created it, not the person. */
  byOperator: boolean
}

/** Stores a key. Returns the time of its creation. */
export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<Date> {
  const { id, userId, name, hash, prefix, lastFour, scopes, expiresAt, byOperator } = key
  const { rows } = await sql.query<{ createdAt: Date }>(
    `INSERT INTO api_keys (id, user_id, name, hash, prefix, last_four, scopes, expires_at, by_operator)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING created_at AS "createdAt"`,
    [id, userId, name, hash, prefix, lastFour, scopes, expiresAt, byOperator],
  )
  const [stored] = rows
  if (!stored) throw new Error('The statement returned no key.')
  return stored.createdAt
}

export interface KeyHolder {
  userId: string
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
  expiresAt: Date | null
  byOperator: boolean
  ownQuota: OwnQuota
  /** Whether the account is suspended. */
  suspended: boolean
}

/**
 * Finds the holders of the keys with these hashes, in hexadecimal digits, in the same order. Null stands for an unknown, disabled
 * or revoked key, or one of a deleted account. The caller checks the expiry and whether the account is suspended.
 */
export async function findKeyHolders(sql: Sql, hashes: readonly string[]): Promise<(KeyHolder | null)[]> {
  // The account comes from a subquery, because a join would be planned as a scan of all users while the tables have no statistics;
  // and so does the array, so that the planner does not count its elements and plan again for each call.
  const { rows } = await sql.query<Omit<KeyHolder, keyof Account> & { hash: string; account: Account | null }>(
    `SELECT encode(k.hash, 'hex') AS hash, k.user_id AS "userId", k.id AS "apiKeyId",
       (SELECT jsonb_build_object('plan', u.plan, 'suspended', u.suspended_at IS NOT NULL,
          'ownQuota', jsonb_build_object('daily', u.quota_daily, 'monthly', u.quota_monthly))
        FROM users u WHERE u.id = k.user_id AND u.deleted_at IS NULL) AS account, k.scopes,
       k.expires_at AS "expiresAt", coalesce(k.by_operator, k.name IS NULL) AS "byOperator"
     FROM api_keys k WHERE k.hash = ANY ((SELECT $1::bytea[])::bytea[]) AND k.disabled_at IS NULL AND k.revoked_at IS NULL`,
    [hashes.map((hash) => `\\x${hash}`)],
  )
  const byHash = new Map<string, KeyHolder>()
  // Without one, it was deleted.
  for (const { hash, account, ...row } of rows) if (account !== null) byHash.set(hash, { ...row, ...account })
  return hashes.map((hash) => byHash.get(hash) ?? null)
}

type Account = Pick<KeyHolder, 'plan' | 'ownQuota' | 'suspended'>

/**
 * Returns those of the keys with these IDs that are unknown, disabled, revoked or expired, or belong to a suspended account, or that
 * their person has created and whose plan is none of `plans`.
 */
export async function listInvalidKeys(
  sql: Sql,
  ids: readonly string[],
  { now, plans }: { now: Date; plans: readonly Plan[] },
): Promise<string[]> {
  // A subquery, because a join would be planned as a scan of all keys while the table has no statistics.
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS asked(id)
     WHERE (SELECT k.disabled_at IS NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at > $2, true)
         AND (SELECT u.suspended_at IS NULL FROM users u WHERE u.id = k.user_id)
         AND (coalesce(k.by_operator, k.name IS NULL) OR 'admin' = ANY (k.scopes)
           OR (SELECT u.plan::text FROM users u WHERE u.id = k.user_id) = ANY ($3))
       FROM api_keys k WHERE k.id = asked.id) IS NOT TRUE`,
    [ids, now, plans],
  )
  return rows.map(({ id }) => id)
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
