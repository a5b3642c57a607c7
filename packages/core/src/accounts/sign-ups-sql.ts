import type { Sql } from '@subtext/db'

export interface NewSignUp {
  tokenHash: Uint8Array
  email: string
  name: string
  /** A hash. */
  password: string
  createdAt: Date
  expiresAt: Date
}

/** Stores a sign-up until its address is confirmed. */
export async function insertSignUp(sql: Sql, signUp: NewSignUp): Promise<void> {
  await sql.query(
    'INSERT INTO sign_ups (token_hash, email, name, password, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [signUp.tokenHash, signUp.email, signUp.name, signUp.password, signUp.createdAt, signUp.expiresAt],
  )
}

/**
 * Finds a sign-up that waits for its confirmation. `hasAccount` says whether an operator has created an account for its
 * address.
 */
export async function findPendingSignUp(
  sql: Sql,
  tokenHash: Uint8Array,
  now: Date,
): Promise<{ email: string; hasAccount: boolean } | null> {
  const { rows } = await sql.query<{ email: string; hasAccount: boolean }>(
    `SELECT s.email, EXISTS (SELECT FROM users u WHERE u.email = s.email) AS "hasAccount" FROM sign_ups s
     WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.confirmed_at IS NULL`,
    [tokenHash, now],
  )
  return rows[0] ?? null
}

interface PendingSignUp {
  email: string
  name: string
  password: string
  confirmedAt: Date | null
}

/**
 * The outcome of confirming an address. `confirmed`: the account exists now, with the password of this sign-up. `repeated`: the
 * link was followed before. `taken`: the owner of the address got an account in another way, whose password stays.
 */
export type Confirmation = { outcome: 'confirmed' | 'repeated' | 'taken'; email: string; userId: string | null }

export interface NewIds {
  userId: string
  identityId: string
}

/**
 * Turns a sign-up into an account, once. An account that an operator created for the address becomes that of the person.
 * Returns null if the token is unknown or has expired. Call it in a transaction.
 */
export async function confirmSignUp(
  sql: Sql,
  tokenHash: Uint8Array,
  ids: NewIds,
  now: Date,
): Promise<Confirmation | null> {
  const { rows } = await sql.query<PendingSignUp>(
    `SELECT email, name, password, confirmed_at AS "confirmedAt" FROM sign_ups
     WHERE token_hash = $1 AND expires_at > $2 FOR UPDATE`,
    [tokenHash, now],
  )
  const [signUp] = rows
  if (!signUp) return null
  const { email, name } = signUp
  if (signUp.confirmedAt) return { outcome: 'repeated', email, userId: null }
  await sql.query(
    `INSERT INTO users (id, email, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (email) DO NOTHING`,
    [ids.userId, email, name, now],
  )
  // Only one sign-up with this address gets the row that is not verified yet.
  const { rows: promoted } = await sql.query<{ id: string }>(
    `UPDATE users SET email_verified = true, name = CASE name WHEN '' THEN $2 ELSE name END, updated_at = $3
     WHERE email = $1 AND NOT email_verified RETURNING id`,
    [email, name, now],
  )
  const userId = promoted[0]?.id
  if (userId === undefined) return { outcome: 'taken', email, userId: null }
  await sql.query('DELETE FROM identities WHERE user_id = $1', [userId])
  await sql.query(
    `INSERT INTO identities (id, user_id, provider_id, account_id, password, created_at, updated_at)
     VALUES ($1, $2::uuid, 'credential', $2::uuid::text, $3, $4, $4)`,
    [ids.identityId, userId, signUp.password, now],
  )
  await sql.query(`UPDATE sign_ups SET confirmed_at = $2, password = '' WHERE token_hash = $1`, [tokenHash, now])
  return { outcome: 'confirmed', email, userId }
}

const INVITE = `
  INSERT INTO invitations (email, created_at, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (email) DO UPDATE SET expires_at = excluded.expires_at`

/** Allows an address to sign up while sign-up is by invitation. */
export async function insertInvitation(
  sql: Sql,
  email: string,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql.query(INVITE, [email, createdAt, expiresAt])
}

/** Returns whether the address has an invitation that has not expired. */
export async function hasInvitation(sql: Sql, email: string, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT FROM invitations WHERE email = $1 AND expires_at > $2', [email, now])
  return rowCount > 0
}

/** Records that the address of a user is theirs. */
export async function verifyUser(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.query('UPDATE users SET email_verified = true, updated_at = $2 WHERE id = $1 AND NOT email_verified', [
    userId,
    now,
  ])
}

/** Deletes the rows that links to a new password refer to. They hold nothing but the ID of the user. */
export async function deleteVerificationsOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM verifications WHERE value = $1', [userId])
}
