import type { WebhookEventType } from '@subtext/contracts'
import type { Sql } from '../client.ts'

/** How the last attempt at a receiver went: it was over quickly, or kept somebody waiting; `new`: there was none. */
export type ReceiverPace = 'quick' | 'slow' | 'new'

export interface ClaimedDelivery {
  id: string
  eventId: string
  type: WebhookEventType
  userId: string
  url: string
  /** Number of the attempt that this claim allows, from 1. */
  attemptNo: number
  /** The same within the current schedule, which a redelivery begins anew. */
  scheduleNo: number
  token: string
  pace: ReceiverPace
  body: Buffer
}

/** A delivery that could be made now; `bytes` is the length of its body. */
export interface ClaimableDelivery {
  id: string
  bytes: number
  pace: ReceiverPace
  /** Its endpoint is disabled, and nobody has asked for it. */
  disabled: boolean
}

const CLAIM_LOCK = 20_261_121
const ROWS_AT_ONCE = 500
const RECEIVERS_AT_ONCE = 1_000
/** How far behind its first delivery another path of a receiver is found. */
const LINE_LOOKED_AT = 10

/**
 * Until the transaction ends, nobody else claims: what is under way at a receiver is counted over all processes. A
 * process that stops in between, or whose connection does, loses the lock with its session.
 */
export async function lockClaims(sql: Sql): Promise<void> {
  await sql.query(
    `SELECT set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '5s', true),
       pg_advisory_xact_lock($1)`,
    [CLAIM_LOCK],
  )
}

/**
 * Puts into the lines before their receivers what has become due: later attempts, and what a deliverer that died had
 * taken. True: there may be more.
 */
export async function readyDueDeliveries(sql: Sql): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH due AS (
       SELECT id FROM webhook_deliveries WHERE status = 'pending' AND NOT ready AND next_attempt_at <= now()
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d SET ready = true, lease_token = NULL FROM due WHERE d.id = due.id`,
    [ROWS_AT_ONCE],
  )
  return rowCount === ROWS_AT_ONCE
}

/**
 * What could be made now: of quick, slow and new receivers, and of small bodies (up to `smallBytes`) and others, in turns,
 * up to `limit` of each. Among quick ones and new ones
 * that with least under way comes first, then who has waited longest; among slow ones that whose last attempt was
 * longest ago, so that a long line gains nothing. Of any receiver no more than `cap` less what is under way there already;
 * of those that are not quick one at a time for each path, among the first of their line.
 *
 * The lines are visited from one receiver to the next in the index, however long they are, beginning anywhere (`from`)
 * and up to a thousand: the work is bounded, and nobody is always last.
 */
export async function listClaimableDeliveries(
  sql: Sql,
  { from, cap, limit, smallBytes }: { from: string; cap: number; limit: number; smallBytes: number },
): Promise<ClaimableDelivery[]> {
  const values = [from, RECEIVERS_AT_ONCE, cap, limit, smallBytes, LINE_LOOKED_AT]
  const { rows } = await sql.query<ClaimableDelivery>(LIST_CLAIMABLE, values)
  return rows
}

const LIST_CLAIMABLE = `
WITH RECURSIVE visited AS (
  SELECT $1::uuid AS key, false AS wrapped, 0 AS nth
  UNION ALL
  SELECT next.key, next.wrapped, visited.nth + 1
  FROM visited CROSS JOIN LATERAL (
    (SELECT receiver_key AS key, visited.wrapped FROM webhook_deliveries
     WHERE ready AND receiver_key > visited.key ORDER BY receiver_key LIMIT 1)
    UNION ALL
    (SELECT receiver_key, true FROM webhook_deliveries WHERE ready AND NOT visited.wrapped
     ORDER BY receiver_key LIMIT 1)
    LIMIT 1
  ) next
  WHERE visited.nth < $2 AND (NOT next.wrapped OR next.key <= $1)
), under_way AS (
  SELECT receiver_key AS key, count(*)::int AS count, array_agg(endpoint_key) AS endpoints FROM webhook_deliveries
  WHERE lease_token IS NOT NULL AND next_attempt_at > now() GROUP BY receiver_key
), receivers AS (
  SELECT key, $3::int - COALESCE(under_way.count, 0) AS free, COALESCE(endpoints, '{}') AS busy, known.updated_at AS known_since,
    CASE WHEN known.quick THEN 'quick' WHEN known.quick IS NULL THEN 'new' ELSE 'slow' END AS pace
  FROM visited LEFT JOIN webhook_receivers known USING (key) LEFT JOIN under_way USING (key)
  WHERE nth > 0
), places AS (
  SELECT head.id, head.endpoint_key, head.forced, head.next_attempt_at, pace, octet_length(event.body) AS bytes,
    CASE pace WHEN 'slow' THEN known_since END AS slow_since,
    $3 - free + row_number() OVER (PARTITION BY key ORDER BY head.next_attempt_at, head.id) AS place
  FROM receivers CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY endpoint_key ORDER BY next_attempt_at, id) AS nth_of_path FROM (
        SELECT id, event_id, endpoint_key, forced, next_attempt_at FROM webhook_deliveries
        WHERE ready AND receiver_key = receivers.key AND next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT CASE WHEN free <= 0 THEN 0 WHEN pace = 'quick' THEN free ELSE $6::int END
      ) line
    ) numbered
    WHERE pace = 'quick' OR (nth_of_path = 1 AND endpoint_key <> ALL (busy))
    ORDER BY next_attempt_at LIMIT GREATEST(0, free)
  ) head JOIN webhook_events event ON event.id = head.event_id
), ranked AS (
  SELECT *, row_number() OVER (
    PARTITION BY pace, bytes <= $5 ORDER BY place, slow_since, next_attempt_at, id
  ) AS rank FROM places
)
SELECT ranked.id, ranked.bytes, ranked.pace, NOT ranked.forced AND endpoint.disabled_at IS NOT NULL AS disabled
FROM ranked LEFT JOIN webhook_endpoints endpoint ON endpoint.key = ranked.endpoint_key
WHERE rank <= $4
ORDER BY rank, ranked.next_attempt_at, ranked.id`

/**
 * Leases deliveries for `leaseSeconds`: the next attempt's time pushed ahead, so that those of a deliverer that dies
 * become due again by themselves.
 */
export async function leaseDeliveries(
  sql: Sql,
  ids: string[],
  { token, leaseSeconds }: { token: string; leaseSeconds: number },
): Promise<void> {
  await sql.query(
    `WITH chosen AS (
       SELECT id FROM webhook_deliveries WHERE id = ANY($1::uuid[]) AND ready FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d
     SET ready = false, lease_token = $2, next_attempt_at = now() + make_interval(secs => $3), updated_at = now()
     FROM chosen WHERE d.id = chosen.id`,
    [ids, token, leaseSeconds],
  )
}

/**
 * Sets aside what is due at the disabled endpoints of these deliveries, some hundreds at a time: kept and visible, sent
 * only when asked for. Returns their number.
 */
export async function skipDeliveries(sql: Sql, ids: string[]): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH endpoints AS (
       SELECT DISTINCT receiver_key, endpoint_key FROM webhook_deliveries WHERE id = ANY($1::uuid[])
     ), chosen AS (
       SELECT d.id FROM webhook_deliveries d JOIN endpoints USING (receiver_key, endpoint_key)
       WHERE d.ready AND NOT d.forced LIMIT $2 FOR UPDATE OF d SKIP LOCKED
     ), in_use AS (
       UPDATE webhook_endpoints e SET updated_at = now() FROM endpoints
       WHERE e.key = endpoints.endpoint_key AND e.updated_at <= now() - interval '1 day'
     )
     UPDATE webhook_deliveries d SET status = 'skipped', ready = false, updated_at = now()
     FROM chosen WHERE d.id = chosen.id`,
    [ids, ROWS_AT_ONCE],
  )
  return rowCount
}

/** What was leased under this token, with the bytes to send; those first that have waited longest. */
export async function listLeasedDeliveries(sql: Sql, ids: string[], token: string): Promise<ClaimedDelivery[]> {
  const { rows } = await sql.query<Omit<ClaimedDelivery, 'token'>>(
    `SELECT d.id, d.event_id AS "eventId", e.type, d.user_id AS "userId", d.url, d.attempts + 1 AS "attemptNo",
       d.attempts + 1 - d.schedule_base AS "scheduleNo",
       CASE WHEN r.quick THEN 'quick' WHEN r.quick IS NULL THEN 'new' ELSE 'slow' END AS pace, e.body
     FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
       LEFT JOIN webhook_receivers r ON r.key = d.receiver_key
     WHERE d.id = ANY($1::uuid[]) AND d.lease_token = $2
     ORDER BY d.created_at, d.id`,
    [ids, token],
  )
  return rows.map((row) => ({ ...row, token }))
}
