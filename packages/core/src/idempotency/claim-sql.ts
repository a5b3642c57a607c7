import type { Sql } from '@subtext/db'

export interface IdempotentRequest {
  userId: string
  key: string
  /** Hash of everything that makes two requests the same. */
  requestHash: Uint8Array
  /** ID for the resource that the request creates, unless one has already been chosen for this key. */
  resourceId: string
}

/**
 * The right to carry out the request of a key, until `lockedUntil`. Every later write names that time (fencing). The time
 * differs for every claim: a claim is taken over only after its time has passed, and extended only to a later time.
 */
export interface IdempotencyClaim {
  userId: string
  key: string
  resourceId: string
  lockedUntil: Date
  /** Whether an earlier claim expired without a reply. Its request may have created the resource, or may still do so. */
  takenOver: boolean
}

export interface IdempotencyRecord {
  sameRequest: boolean
  resourceId: string
  /** Null while the request is being carried out. */
  reply: string | null
  /** Seconds since the first request with the key. */
  ageSeconds: number
  /** Seconds until the claim can be taken over. */
  secondsLeft: number
}

const LIFETIME = "interval '24 hours'"

// Succeeds for a key that is free, one that has expired, and one whose claim for the same request has run out.
const CLAIM = `
INSERT INTO idempotency_keys AS k (user_id, key, request_hash, resource_id, locked_until, created_at)
VALUES ($1, $2, $3, $4, date_trunc('milliseconds', now()) + make_interval(secs => $5), now())
ON CONFLICT (user_id, key) DO UPDATE SET
  request_hash = excluded.request_hash,
  resource_id = CASE WHEN k.created_at <= now() - ${LIFETIME} THEN excluded.resource_id ELSE k.resource_id END,
  created_at = CASE WHEN k.created_at <= now() - ${LIFETIME} THEN excluded.created_at ELSE k.created_at END,
  response = NULL,
  locked_until = excluded.locked_until
WHERE k.created_at <= now() - ${LIFETIME}
  OR (k.response IS NULL AND k.locked_until <= now() AND k.request_hash = excluded.request_hash)
RETURNING resource_id AS "resourceId", locked_until AS "lockedUntil"`

/** Claims the key. Returns null if it is taken; see `findIdempotencyRecord`. */
export async function claimIdempotencyKey(
  sql: Sql,
  { userId, key, requestHash, resourceId }: IdempotentRequest,
  lockSeconds: number,
): Promise<IdempotencyClaim | null> {
  const { rows } = await sql.query<Pick<IdempotencyClaim, 'resourceId' | 'lockedUntil'>>(CLAIM, [
    userId,
    key,
    requestHash,
    resourceId,
    lockSeconds,
  ])
  return rows[0] ? { userId, key, ...rows[0], takenOver: rows[0].resourceId !== resourceId } : null
}

/** Describes a taken key. Returns null if it has been released in the meantime. */
export async function findIdempotencyRecord(
  sql: Sql,
  { userId, key, requestHash }: Omit<IdempotentRequest, 'resourceId'>,
): Promise<IdempotencyRecord | null> {
  const { rows } = await sql.query<IdempotencyRecord>(
    `SELECT request_hash = $3 AS "sameRequest", resource_id AS "resourceId", response #>> '{}' AS reply,
       extract(epoch FROM now() - created_at)::float AS "ageSeconds",
       extract(epoch FROM locked_until - now())::float AS "secondsLeft"
     FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND created_at > now() - ${LIFETIME}`,
    [userId, key, requestHash],
  )
  return rows[0] ?? null
}

/** Extends a claim to `lockSeconds` from now, and returns its end. Returns null if it has been taken over. */
export async function extendIdempotencyClaim(
  sql: Sql,
  { userId, key, lockedUntil }: IdempotencyClaim,
  lockSeconds: number,
): Promise<Date | null> {
  const { rows } = await sql.query<Pick<IdempotencyClaim, 'lockedUntil'>>(
    `UPDATE idempotency_keys
     SET locked_until = greatest(locked_until, date_trunc('milliseconds', now()) + make_interval(secs => $4))
     WHERE user_id = $1 AND key = $2 AND locked_until = $3 AND response IS NULL
     RETURNING locked_until AS "lockedUntil"`,
    [userId, key, lockedUntil, lockSeconds],
  )
  return rows[0]?.lockedUntil ?? null
}

/** Stores the reply for repeated requests. Returns false if the claim has been taken over. */
export async function storeIdempotentReply(
  sql: Sql,
  { userId, key, lockedUntil }: IdempotencyClaim,
  reply: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotency_keys SET response = to_jsonb($4::text)
     WHERE user_id = $1 AND key = $2 AND locked_until = $3 AND response IS NULL`,
    [userId, key, lockedUntil, reply],
  )
  return rowCount === 1
}

/** Ends a claim without a reply. The same request may be sent again at once, and creates the same resource. */
export async function unlockIdempotencyKey(sql: Sql, { userId, key, lockedUntil }: IdempotencyClaim): Promise<void> {
  await sql.query(
    `UPDATE idempotency_keys SET locked_until = date_trunc('milliseconds', now())
     WHERE user_id = $1 AND key = $2 AND locked_until = $3 AND response IS NULL`,
    [userId, key, lockedUntil],
  )
}

/** Deletes a key whose request was refused, so that it can be reused. Returns false if the request did create something. */
export async function deleteIdempotencyKey(sql: Sql, { userId, key, lockedUntil }: IdempotencyClaim): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM idempotency_keys k WHERE user_id = $1 AND key = $2 AND locked_until = $3 AND response IS NULL
       AND NOT EXISTS (SELECT FROM jobs WHERE id = k.resource_id)
       AND NOT EXISTS (SELECT FROM batches WHERE id = k.resource_id)`,
    [userId, key, lockedUntil],
  )
  return rowCount === 1
}

/** Deletes up to `limit` expired keys and returns how many. Any number of processes may do so at once. */
export async function deleteExpiredIdempotencyKeys(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH due AS MATERIALIZED (
       SELECT ctid AS place FROM idempotency_keys WHERE created_at <= now() - ${LIFETIME}
       ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(SELECT place FROM due))`,
    [limit],
  )
  return rowCount
}
