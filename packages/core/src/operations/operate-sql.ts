import { type Plan, ServiceError } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { validate as isUuid } from 'uuid'
import type { OwnQuota } from '../plans/own-quota.ts'

/** What operators can change about an account. */
export interface OperatedState {
  id: string
  email: string
  plan: Plan
  emailVerified: boolean
  ownQuota: OwnQuota
  suspendedAt: Date | null
  suspendedFor: string | null
}

const COLUMNS = `id, email, plan, email_verified AS "emailVerified",
  jsonb_build_object('daily', quota_daily, 'monthly', quota_monthly) AS "ownQuota", suspended_at AS "suspendedAt",
  suspended_for AS "suspendedFor"`

const LOCK = `SELECT ${COLUMNS} FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`

/** Finds an account and keeps others from changing it until the transaction ends. Throws `NOT_FOUND`. */
export async function lockOperated(sql: Sql, userId: string): Promise<OperatedState> {
  const [account] = isUuid(userId) ? (await sql.query<OperatedState>(LOCK, [userId])).rows : []
  if (!account) throw new ServiceError('NOT_FOUND')
  return account
}

/** Returns the ID of the account with this address, in lower case, or null if there is none. */
export async function findAccountId(sql: Sql, email: string): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>('SELECT id FROM users WHERE email = $1 AND deleted_at IS NULL', [
    email,
  ])
  return rows[0]?.id ?? null
}

export async function updatePlanAndQuota(
  sql: Sql,
  userId: string,
  { plan, ownQuota }: Pick<OperatedState, 'plan' | 'ownQuota'>,
): Promise<void> {
  await sql.query('UPDATE users SET plan = $2::text::plan, quota_daily = $3, quota_monthly = $4 WHERE id = $1', [
    userId,
    plan,
    ownQuota.daily,
    ownQuota.monthly,
  ])
}

export async function updateOperator(sql: Sql, userId: string, isOperator: boolean): Promise<void> {
  await sql.query('UPDATE users SET is_operator = $2 WHERE id = $1', [userId, isOperator])
}

// What people can have without a key ends here. Keys and connected applications are refused for as long as the account is
// suspended, so that they work again when it is restored.
const SUSPEND = `
WITH account AS (
  UPDATE users SET suspended_at = coalesce(suspended_at, $2), suspended_for = $3 WHERE id = $1 RETURNING id
), sessions_gone AS (DELETE FROM sessions USING account WHERE user_id = account.id),
codes_gone AS (DELETE FROM oauth_codes USING account WHERE user_id = account.id),
links_gone AS (DELETE FROM sign_in_links USING account WHERE user_id = account.id)
SELECT FROM account`

/** Suspends an account and ends its sessions. */
export async function suspendAccountRow(sql: Sql, userId: string, reason: string | null, now: Date): Promise<void> {
  await sql.query(SUSPEND, [userId, now, reason])
}

export async function restoreAccountRow(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET suspended_at = NULL, suspended_for = NULL WHERE id = $1', [userId])
}
