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

/** Records that the person has just proved who they are. */
export async function confirmSession(sql: Sql, userId: string, sessionId: string, now: Date): Promise<void> {
  await sql.query('UPDATE sessions SET authenticated_at = $3, updated_at = $3 WHERE user_id = $1 AND id = $2', [
    userId,
    sessionId,
    now,
  ])
}

export interface StoredSession {
  id: string
  createdAt: Date
  expiresAt: Date
  ipAddress: string | null
  userAgent: string | null
}

const LIST = `
  SELECT id, created_at AS "createdAt", expires_at AS "expiresAt", ip_address AS "ipAddress", user_agent AS "userAgent"
  FROM sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT $3`

/** Lists the sessions of a user that have not expired, newest first. */
export async function listSessions(sql: Sql, userId: string, now: Date, limit: number): Promise<StoredSession[]> {
  return (await sql.query<StoredSession>(LIST, [userId, now, limit])).rows
}

/** Ends a session. Returns false if the user has no such session. */
export async function deleteSession(sql: Sql, userId: string, sessionId: string): Promise<boolean> {
  return (await sql.query('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [userId, sessionId])).rowCount > 0
}

/** Ends the session with this token, if there is one. */
export async function deleteSessionByToken(sql: Sql, token: string): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE token = $1', [token])
}
