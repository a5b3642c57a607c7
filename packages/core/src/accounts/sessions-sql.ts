import type { Plan } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { OwnQuota } from '../plans/own-quota.ts'

/** A session and the account it belongs to. */
export interface SessionHolder {
  sessionId: string
  userId: string
  plan: Plan
  ownQuota: OwnQuota
  isOperator: boolean
  /** When the session ends, if an operator sees the account in it. */
  supportUntil: Date | null
  /** When the person last proved who they are. */
  authenticatedAt: Date
  expiresAt: Date
}

/** A condition: the person with this ID, in SQL, may see accounts for support. NULL: whoever can run commands may. */
export const mayGiveSupport = (id: string): string => `(${id} IS NULL OR EXISTS (
  SELECT FROM users o WHERE o.id = ${id} AND o.is_operator AND o.suspended_at IS NULL AND o.deleted_at IS NULL))`

const FIND = `
  SELECT s.id AS "sessionId", s.user_id AS "userId", u.plan, u.is_operator AS "isOperator",
    jsonb_build_object('daily', u.quota_daily, 'monthly', u.quota_monthly) AS "ownQuota",
    s.support_until AS "supportUntil", s.authenticated_at AS "authenticatedAt",
    least(s.expires_at, s.support_until) AS "expiresAt"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.token = $1 AND least(s.expires_at, s.support_until) > $2 AND u.email_verified AND u.deleted_at IS NULL
    AND u.suspended_at IS NULL AND ${mayGiveSupport('s.support_by')}`

/**
 * Finds the holder of a session. Returns null if it is unknown, has ended or has expired, or if the account is suspended, or the
 * operator who sees it in the session.
 */
export async function findSessionHolder(sql: Sql, token: string, now: Date): Promise<SessionHolder | null> {
  return (await sql.query<SessionHolder>(FIND, [token, now])).rows[0] ?? null
}

/** Extends a session. Returns false if it has ended or was extended in the meantime. */
export async function extendSession(
  sql: Sql,
  { sessionId, expiresAt }: Pick<SessionHolder, 'sessionId' | 'expiresAt'>,
  { until, now }: { until: Date; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE sessions SET expires_at = $3, updated_at = $4 WHERE id = $1 AND expires_at = $2',
    [sessionId, expiresAt, until, now],
  )
  return rowCount === 1
}

/** Ends the sessions in which an operator sees accounts for support, and the links to others. */
export async function endSupportBy(sql: Sql, operatorId: string): Promise<void> {
  await sql.query(
    `WITH links_gone AS (DELETE FROM sign_in_links WHERE support_by = $1) DELETE FROM sessions WHERE support_by = $1`,
    [operatorId],
  )
}
