import type { WebhookEventType } from '@subtext/contracts'
import type { Sql } from '../client.ts'

export interface NewWebhookEvent {
  id: string
  deliveryId: string
  userId: string
  type: WebhookEventType
  subjectId: string
  url: string
  /** What every attempt sends, byte for byte. */
  body: Buffer
  createdAt: Date
}

/** Records the event and its delivery; belongs into the transaction that made the event a fact. */
export async function recordWebhookEvent(sql: Sql, event: NewWebhookEvent): Promise<void> {
  await sql.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at) VALUES ($1, $3, $4, $5, $7, $8)
       RETURNING id
     )
     INSERT INTO webhook_deliveries (id, event_id, user_id, url, next_attempt_at, created_at, updated_at)
     SELECT $2, event.id, $3, $6, $8, $8, $8 FROM event`,
    [event.id, event.deliveryId, event.userId, event.type, event.subjectId, event.url, event.body, event.createdAt],
  )
}

export interface ClaimedDelivery {
  id: string
  eventId: string
  type: WebhookEventType
  userId: string
  url: string
  /** Number of the attempt that this claim allows, from 1. */
  attemptNo: number
  token: string
  body: Buffer
}

/**
 * Takes up to `limit` deliveries that are due. The lease is the next attempt's time pushed ahead by `leaseSeconds`: a
 * deliverer that dies leaves a delivery that becomes due again by itself.
 */
export async function claimDeliveries(
  sql: Sql,
  { token, limit, leaseSeconds }: { token: string; limit: number; leaseSeconds: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql.query<Omit<ClaimedDelivery, 'token'>>(
    `WITH due AS (
       SELECT id FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now()
       ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE webhook_deliveries d
       SET lease_token = $1, next_attempt_at = now() + make_interval(secs => $3), updated_at = now()
       FROM due WHERE d.id = due.id
       RETURNING d.id, d.event_id, d.user_id, d.url, d.attempts
     )
     SELECT c.id, c.event_id AS "eventId", e.type, c.user_id AS "userId", c.url, c.attempts + 1 AS "attemptNo", e.body
     FROM claimed c JOIN webhook_events e ON e.id = c.event_id`,
    [token, limit, leaseSeconds],
  )
  return rows.map((row) => ({ ...row, token }))
}

export interface AttemptOutcome {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  next: { status: 'delivered' | 'failed' } | { retryInSeconds: number }
}

/**
 * Writes what became of an attempt and what follows, together. False: the lease was lost, and another deliverer's
 * account of the attempt stands.
 */
export async function recordAttempt(sql: Sql, delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<boolean> {
  const { next } = outcome
  const { rowCount } = await sql.query(
    `WITH settled AS (
       UPDATE webhook_deliveries
       SET attempts = $3, lease_token = NULL, updated_at = now(), status = $8::delivery_status,
         next_attempt_at = now() + make_interval(secs => $9)
       WHERE id = $1 AND lease_token = $2 AND status = 'pending' AND attempts = $3 - 1
       RETURNING id
     )
     INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms, status_code, error)
     SELECT id, $3, $4, $5, $6, $7 FROM settled`,
    [
      delivery.id,
      delivery.token,
      delivery.attemptNo,
      outcome.startedAt,
      outcome.durationMs,
      outcome.statusCode,
      outcome.error,
      'status' in next ? next.status : 'pending',
      'status' in next ? 0 : next.retryInSeconds,
    ],
  )
  return rowCount === 1
}

/** Secrets that sign now, the current one first. */
export async function listSigningSecrets(sql: Sql, userId: string): Promise<string[]> {
  const { rows } = await sql.query<{ secret: string }>(
    `SELECT secret FROM webhook_secrets WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > now())
     ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`,
    [userId],
  )
  return rows.map((row) => row.secret)
}

/** Until the transaction ends, nobody else changes this account's secrets. */
export async function lockWebhookSecrets(sql: Sql, userId: string): Promise<void> {
  await sql.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId])
}

/** Makes `secret` the current one; the former signs beside it for another `overlapHours`. */
export async function replaceWebhookSecret(
  sql: Sql,
  { id, userId, secret, overlapHours }: { id: string; userId: string; secret: string; overlapHours: number },
): Promise<void> {
  await sql.query(
    `WITH former AS (
       UPDATE webhook_secrets SET expires_at = now() + make_interval(hours => $4)
       WHERE user_id = $2 AND expires_at IS NULL
     )
     INSERT INTO webhook_secrets (id, user_id, secret, created_at) VALUES ($1, $2, $3, now())`,
    [id, userId, secret, overlapHours],
  )
}
