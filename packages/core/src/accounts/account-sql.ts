import type { Sql } from '@subtext/db'

/**
 * Keeps other transactions from adding keys to the account, suspending or deleting it, until this one ends. Returns null if the
 * account is gone or suspended.
 */
export async function lockAccount(sql: Sql, userId: string): Promise<{ email: string; emailVerified: boolean } | null> {
  const { rows } = await sql.query<{ email: string; emailVerified: boolean }>(
    `SELECT email, email_verified AS "emailVerified" FROM users
     WHERE id = $1 AND deleted_at IS NULL AND suspended_at IS NULL FOR NO KEY UPDATE`,
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

/** Returns whether PostgreSQL knows a time zone, by whose clock it decides which digests are due. */
export async function knowsTimeZone(sql: Sql, name: string): Promise<boolean> {
  const { rows } = await sql.query<{ isKnown: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower($1)) AS "isKnown"',
    [name],
  )
  return rows[0]?.isKnown ?? false
}
