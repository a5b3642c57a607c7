import type { Plan } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { mayGiveSupport } from './sessions-sql.ts'

/**
 * `owner`: signs in the person whom an account belongs to. `support`: lets an operator see an account. `first_owner`: creates the
 * first account.
 */
export type SignInLinkKind = 'owner' | 'support' | 'first_owner'

export interface NewSignInLink {
  tokenHash: Uint8Array
  kind: SignInLinkKind
  /** Null for the link of the first owner. */
  userId: string | null
  createdAt: Date
  expiresAt: Date
  /** The operator who sees the account with it. Null for other links, and if a command has created it. */
  supportBy: string | null
}

export async function insertSignInLink(sql: Sql, link: NewSignInLink): Promise<void> {
  await sql.query(
    `INSERT INTO sign_in_links (token_hash, kind, user_id, created_at, expires_at, support_by)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [link.tokenHash, link.kind, link.userId, link.createdAt, link.expiresAt, link.supportBy],
  )
}

/** A link that can still be used. */
export interface OpenSignInLink {
  kind: SignInLinkKind
  userId: string | null
  /** Null for the link of the first owner. */
  email: string | null
  suspended: boolean
  supportBy: string | null
}

const FIND = `SELECT l.kind, l.user_id AS "userId", u.email, u.suspended_at IS NOT NULL AS suspended,
    l.support_by AS "supportBy"
  FROM sign_in_links l LEFT JOIN users u ON u.id = l.user_id AND u.deleted_at IS NULL
  WHERE l.token_hash = $1 AND l.used_at IS NULL AND l.expires_at > $2
    AND (l.user_id IS NULL OR u.id IS NOT NULL) AND (l.kind <> 'support' OR u.email_verified)
    AND ${mayGiveSupport('l.support_by')}`

/** Finds a link. Returns null if it is unknown, expired or used, or if its account is gone. */
export async function findSignInLink(sql: Sql, tokenHash: Uint8Array, now: Date): Promise<OpenSignInLink | null> {
  return (await sql.query<OpenSignInLink>(FIND, [tokenHash, now])).rows[0] ?? null
}

/** Uses a link. Returns false if it was used in the meantime. */
export async function markLinkUsed(sql: Sql, tokenHash: Uint8Array, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE sign_in_links SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
    [tokenHash, now],
  )
  return rowCount === 1
}

/** Records that the address of an account belongs to its person. */
export async function confirmAddress(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.query('UPDATE users SET email_verified = true, updated_at = $2 WHERE id = $1 AND NOT email_verified', [
    userId,
    now,
  ])
}

/** Returns whether somebody has an account in which they can sign in. */
export async function hasOwner(sql: Sql): Promise<boolean> {
  return (await sql.query('SELECT FROM users WHERE email_verified AND deleted_at IS NULL LIMIT 1')).rowCount > 0
}

/** Keeps other transactions that call it from going on until this one ends. */
export async function lockFirstOwner(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('first owner', 0))`)
}

export interface FirstOwner {
  userId: string
  identityId: string
  email: string
  name: string
  /** A hash. */
  password: string
  plan: Plan
}

/** Creates the first account, that of an operator. An account with its address that a command has created becomes theirs. */
export async function insertFirstOwner(sql: Sql, owner: FirstOwner, now: Date): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO users (id, email, name, plan, email_verified, is_operator, created_at, updated_at)
     VALUES ($1, $2, $3, $4::text::plan, true, true, $5, $5)
     ON CONFLICT (email) DO UPDATE SET email_verified = true, is_operator = true, updated_at = excluded.updated_at,
       name = CASE users.name WHEN '' THEN excluded.name ELSE users.name END
     RETURNING id`,
    [owner.userId, owner.email, owner.name, owner.plan, now],
  )
  const [stored] = rows
  if (!stored) throw new Error('The statement returned no user.')
  await sql.query(
    `INSERT INTO identities (id, user_id, provider_id, account_id, password, created_at, updated_at)
     VALUES ($1, $2::uuid, 'credential', $2::uuid::text, $3, $4, $4)`,
    [owner.identityId, stored.id, owner.password, now],
  )
  return stored.id
}

/** Creates an account on a plan, unless the address has one. Returns its ID, and whether it was created now. */
export async function ensureAccount(
  sql: Sql,
  { id, email, plan }: { id: string; email: string; plan: Plan },
): Promise<{ id: string; created: boolean }> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO users (id, email, plan) VALUES ($1, $2, $3::text::plan) ON CONFLICT (email) DO NOTHING RETURNING id`,
    [id, email, plan],
  )
  if (rows[0]) return { id: rows[0].id, created: true }
  const found = await sql.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
  const [existing] = found.rows
  if (!existing) throw new Error('The account was deleted in the meantime.')
  return { id: existing.id, created: false }
}
