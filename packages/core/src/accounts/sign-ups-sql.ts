import type { Sql } from '@subtext/db'

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
