import type { Plan } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** A session and the account it belongs to. */
export interface SessionHolder {
  sessionId: string
  userId: string
  plan: Plan
  isOperator: boolean
  /** When the person last proved who they are. */
  authenticatedAt: Date
  expiresAt: Date
}

const FIND = `
  SELECT s.id AS "sessionId", s.user_id AS "userId", u.plan, u.is_operator AS "isOperator",
    s.authenticated_at AS "authenticatedAt", s.expires_at AS "expiresAt"
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.token = $1 AND s.expires_at > $2 AND u.email_verified AND u.deleted_at IS NULL`

/** Finds the holder of a session. Returns null if it is unknown, has ended or has expired. */
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
