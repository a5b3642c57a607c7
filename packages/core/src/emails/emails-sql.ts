import type { Sql } from '@subtext/db'

export interface NewEmail {
  id: string
  /** Null if the address has no account. */
  userId: string | null
  recipient: string
  kind: string
  data: object
  /** A link that signs in the person who opens it, encrypted. */
  sealed?: { bytes: Uint8Array; keyId: string }
  /** Identifies the occasion, if there must be only one email about it. */
  dedupeKey?: string
  createdAt: Date
  /** The email is not sent after that time. */
  expiresAt: Date
}

const INSERT = `
  INSERT INTO emails (id, user_id, recipient, kind, data, sealed, key_id, dedupe_key, next_attempt_at, expires_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $9)
  ON CONFLICT (dedupe_key) DO NOTHING`

/** Stores an email to be sent. Does nothing if there is one for the same occasion. */
export async function insertEmail(sql: Sql, email: NewEmail): Promise<void> {
  const { id, userId, recipient, kind, data, sealed, dedupeKey, createdAt, expiresAt } = email
  await sql.query(INSERT, [
    id,
    userId,
    recipient,
    kind,
    JSON.stringify(data),
    sealed?.bytes ?? null,
    sealed?.keyId ?? null,
    dedupeKey ?? null,
    createdAt,
    expiresAt,
  ])
}

export interface ClaimedEmail {
  id: string
  recipient: string
  kind: string
  data: Record<string, unknown>
  sealed: Uint8Array | null
  keyId: string | null
  createdAt: Date
  expiresAt: Date
  /** Number of this attempt, from 1. */
  attempt: number
}

const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT id FROM emails WHERE ended_at IS NULL AND next_attempt_at <= $1
  ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
)
UPDATE emails e SET lease_token = $2, attempts = attempts + 1, next_attempt_at = $1::timestamptz + make_interval(secs => $3)
FROM due WHERE e.id = due.id
RETURNING e.id, e.recipient, e.kind, e.data, e.sealed, e.key_id AS "keyId", e.created_at AS "createdAt",
  e.expires_at AS "expiresAt", e.attempts AS attempt`

/** Claims due emails for `leaseSeconds`. If this process dies, another one sends them after that time. */
export async function claimEmails(
  sql: Sql,
  { token, now, leaseSeconds, limit }: { token: string; now: Date; leaseSeconds: number; limit: number },
): Promise<ClaimedEmail[]> {
  return (await sql.query<ClaimedEmail>(CLAIM, [now, token, leaseSeconds, limit])).rows
}

/** Records that a claimed email was sent or, with `error`, given up. Deletes its link. */
export async function endEmail(
  sql: Sql,
  { id, token, now, error }: { id: string; token: string; now: Date; error: string | null },
): Promise<void> {
  await sql.query(
    `UPDATE emails SET ended_at = $3, error = $4, sealed = NULL, key_id = NULL, lease_token = NULL
     WHERE id = $1 AND lease_token = $2 AND ended_at IS NULL`,
    [id, token, now, error],
  )
}

/** Hands back a claimed email for another attempt at `at`. */
export async function postponeEmail(
  sql: Sql,
  { id, token, at }: { id: string; token: string; at: Date },
): Promise<void> {
  await sql.query(
    'UPDATE emails SET next_attempt_at = $3, lease_token = NULL WHERE id = $1 AND lease_token = $2 AND ended_at IS NULL',
    [id, token, at],
  )
}
