import type { WebhookEventType } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { WorkOrigin } from '../jobs/job-row.ts'

/** The pace of the last attempt at a receiver. `new` if there was none. */
export type ReceiverPace = 'quick' | 'slow' | 'new'

export interface ClaimedDelivery extends WorkOrigin {
  id: string
  eventId: string
  type: WebhookEventType
  /** The job or the batch that the event is about, or the event itself. */
  subjectId: string
  userId: string
  url: string
  /** Number of the attempt to be made, from 1. */
  attemptNo: number
  /** The number of the attempt within the current schedule; a redelivery starts a new schedule. */
  scheduleNo: number
  token: string
  /** When the event happened. */
  createdAt: Date
  pace: ReceiverPace
  body: Buffer
}

/** A delivery that could be made now. */
export interface ClaimableDelivery {
  id: string
  /** Length of the body. */
  bytes: number
  pace: ReceiverPace
  /** Whether its account is suspended, or its endpoint is disabled and its owner has not requested a redelivery. */
  disabled: boolean
}

const CLAIM_LOCK = 20_261_121
const MAX_ROWS = 500
const MAX_RECEIVERS = 1_000
/** Number of deliveries at the head of a receiver's line among which one for each path is chosen. */
const LINE_HEAD = 10
/** Number of deliveries among which this head is sought: those for paths with a running attempt are passed over. */
const MAX_PASSED = 50

/**
 * Keeps other processes from claiming until the transaction ends, so that attempts at a receiver are counted over all
 * processes. A process that stalls, or loses its connection, loses the lock with its session.
 */
export async function lockClaims(sql: Sql): Promise<void> {
  await sql.query(
    `SELECT set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '5s', true),
       pg_advisory_xact_lock($1)`,
    [CLAIM_LOCK],
  )
}

/**
 * Adds deliveries that have become due to the lines of their receivers: later attempts and, with `takeOver`, those that a dead
 * deliverer had claimed. Returns true if there may be more.
 */
export async function queueDueDeliveries(sql: Sql, takeOver: boolean): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH due AS (
       SELECT id FROM webhook_deliveries WHERE status = 'pending' AND NOT ready AND next_attempt_at <= now()
         AND ($2 OR lease_token IS NULL)
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d SET ready = true, lease_token = NULL FROM due WHERE d.id = due.id`,
    [MAX_ROWS, takeOver],
  )
  return rowCount === MAX_ROWS
}

/**
 * Lists deliveries that could be made now, in turns from quick, slow and new receivers, and with small bodies (up to
 * `smallBytes`) and others, up to `limit` of each. Quick and new receivers are ordered by running attempts, then by
 * waiting time. Slow ones are ordered by the time of their last attempt, so that a long line gains nothing. A receiver
 * gets at most `cap` attempts at once. Slow and new receivers get at most one per path, from the head of their line; a path that
 * does not respond holds up the others only with dozens of deliveries.
 *
 * Steps from receiver to receiver in the index, starting at `from`, up to a thousand receivers, however long their
 * lines. With a random `from`, the work is limited and no receiver is always last.
 */
export async function listClaimableDeliveries(
  sql: Sql,
  { from, cap, limit, smallBytes }: { from: string; cap: number; limit: number; smallBytes: number },
): Promise<ClaimableDelivery[]> {
  const values = [from, MAX_RECEIVERS, cap, limit, smallBytes, LINE_HEAD, MAX_PASSED]
  const { rows } = await sql.query<ClaimableDelivery>(LIST_CLAIMABLE, values)
  return rows
}

// A scalar subquery, because a join would be planned as a scan of all users while the table has no statistics.
const isSuspended = (userId: string): string =>
  `coalesce((SELECT u.suspended_at IS NOT NULL FROM users u WHERE u.id = ${userId}), false)`

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
  SELECT head.id, head.user_id, head.endpoint_key, head.forced, head.next_attempt_at, pace, octet_length(event.body) AS bytes,
    CASE pace WHEN 'slow' THEN known_since END AS slow_since,
    $3 - free + row_number() OVER (PARTITION BY key ORDER BY head.next_attempt_at, head.id) AS place
  FROM receivers CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY endpoint_key ORDER BY next_attempt_at, id) AS nth_of_path FROM (
        SELECT * FROM (
          SELECT id, user_id, event_id, endpoint_key, forced, next_attempt_at FROM webhook_deliveries
          WHERE ready AND receiver_key = receivers.key AND next_attempt_at <= now()
          ORDER BY next_attempt_at LIMIT CASE WHEN free <= 0 THEN 0 WHEN pace = 'quick' THEN free ELSE $7::int END
        ) waiting
        WHERE pace = 'quick' OR endpoint_key <> ALL (busy)
        ORDER BY next_attempt_at LIMIT CASE WHEN pace = 'quick' THEN free ELSE $6::int END
      ) line
    ) numbered
    WHERE pace = 'quick' OR nth_of_path = 1
    ORDER BY next_attempt_at LIMIT GREATEST(0, free)
  ) head JOIN webhook_events event ON event.id = head.event_id
), ranked AS (
  SELECT *, row_number() OVER (
    PARTITION BY pace, bytes <= $5 ORDER BY place, slow_since, next_attempt_at, id
  ) AS rank FROM places
)
SELECT ranked.id, ranked.bytes, ranked.pace,
  (NOT ranked.forced AND endpoint.disabled_at IS NOT NULL) OR ${isSuspended('ranked.user_id')} AS disabled
FROM ranked LEFT JOIN webhook_endpoints endpoint ON endpoint.key = ranked.endpoint_key
WHERE rank <= $4
ORDER BY rank, ranked.next_attempt_at, ranked.id`

/**
 * Leases deliveries for `leaseSeconds`. The time of the next attempt becomes the end of the lease, so that the
 * deliveries of a deliverer that dies become due again.
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
 * Skips due deliveries to the endpoints of these deliveries, which are disabled or belong to suspended accounts, some hundreds at a
 * time. They are kept and shown, and sent only when their owner requests it. Returns their number.
 */
export async function skipDeliveries(sql: Sql, ids: string[]): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH endpoints AS (
       SELECT DISTINCT receiver_key, endpoint_key FROM webhook_deliveries WHERE id = ANY($1::uuid[])
     ), chosen AS (
       SELECT d.id FROM webhook_deliveries d JOIN endpoints USING (receiver_key, endpoint_key)
       WHERE d.ready AND (NOT d.forced OR ${isSuspended('d.user_id')}) LIMIT $2 FOR UPDATE OF d SKIP LOCKED
     ), in_use AS (
       UPDATE webhook_endpoints e SET updated_at = now() FROM endpoints
       WHERE e.key = endpoints.endpoint_key AND e.updated_at <= now() - interval '1 day'
     )
     UPDATE webhook_deliveries d SET status = 'skipped', ready = false, forced = false, updated_at = now()
     FROM chosen WHERE d.id = chosen.id`,
    [ids, MAX_ROWS],
  )
  return rowCount
}

const listLeased = (body: string): string => `
SELECT d.id, d.event_id AS "eventId", e.type, d.user_id AS "userId", d.url, d.attempts + 1 AS "attemptNo",
  d.attempts + 1 - d.schedule_base AS "scheduleNo", e.created_at AS "createdAt",
  e.subject_id AS "subjectId", e.traceparent, e.request_id AS "requestId",
  CASE WHEN r.quick THEN 'quick' WHEN r.quick IS NULL THEN 'new' ELSE 'slow' END AS pace, ${body} AS body
FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
  LEFT JOIN webhook_receivers r ON r.key = d.receiver_key
WHERE d.id = ANY($1::uuid[]) AND d.lease_token = $2
ORDER BY array_position($1::uuid[], d.id)`

// Bytes are sent as hexadecimal digits, which takes twice the space, and longer on both sides.
const LIST_LEASED_TEXTS = listLeased("convert_from(e.body, 'UTF8')")
const LIST_LEASED_BYTES = listLeased('e.body')

/** PostgreSQL's code for text with invalid bytes (`character_not_in_repertoire`). */
const NOT_TEXT = '22021'

/** Lists the deliveries leased under this token, with the bytes to send, in the order of `ids`. */
export async function listLeasedDeliveries(sql: Sql, ids: string[], token: string): Promise<ClaimedDelivery[]> {
  type Row = Omit<ClaimedDelivery, 'token' | 'body'> & { body: string | Buffer }
  const values = [ids, token]
  const { rows } = await sql.query<Row>(LIST_LEASED_TEXTS, values).catch((error: { code?: string }) => {
    // Bodies are JSON. A body that is not valid text is sent as it is.
    if (error.code === NOT_TEXT) return sql.query<Row>(LIST_LEASED_BYTES, values)
    throw error
  })
  return rows.map(({ body, ...row }) => ({ ...row, body: Buffer.isBuffer(body) ? body : Buffer.from(body), token }))
}
