import type { WebhookEventType } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { WorkOrigin } from '../jobs/job-row.ts'
import type { ClaimedDelivery } from './claim-sql.ts'
import { buildWebhookKeys } from './receiver-keys.ts'

export interface NewWebhookEvent extends Partial<WorkOrigin> {
  id: string
  deliveryId: string
  userId: string
  type: WebhookEventType
  subjectId: string
  url: string
  /** The exact bytes that every attempt sends. */
  body: Buffer
  createdAt: Date
}

/**
 * The parts of a statement that record those events for which `condition` holds, and their deliveries. Its parameters from `$first`
 * on are `eventValues`. The first attempt is due at once by the clock of PostgreSQL, which claims deliveries, even if that of this
 * process is ahead.
 */
export const insertEvents = (first: number, condition = ''): string => `given_event AS (
  SELECT * FROM jsonb_to_recordset($${first}::jsonb) AS e(id uuid, delivery_id uuid, user_id uuid, type text, subject_id uuid, url text,
    body_start int, body_length int, created_at timestamptz, receiver_key uuid, endpoint_key uuid, traceparent text,
    request_id text) ${condition}
), event AS (
  INSERT INTO webhook_events (id, user_id, type, subject_id, body, traceparent, request_id, created_at)
  SELECT id, user_id, type, subject_id, substr($${first + 1}::bytea, body_start, body_length), traceparent, request_id, created_at
  FROM given_event
), delivery AS (
  INSERT INTO webhook_deliveries (id, event_id, user_id, url, receiver_key, endpoint_key, ready, next_attempt_at, created_at,
    updated_at)
  SELECT delivery_id, id, user_id, url, receiver_key, endpoint_key, true, least(created_at, date_trunc('milliseconds', now())),
    created_at, created_at
  FROM given_event
)`

/** The bodies are one value, because an array of them would be sent as text of twice their length. */
export function eventValues(events: readonly NewWebhookEvent[]): [string, Buffer] {
  let bodyStart = 1
  const rows = events.map(
    ({ id, deliveryId, userId, type, subjectId, url, body, createdAt, traceparent, requestId }) => {
      const { receiverKey, endpointKey } = buildWebhookKeys(userId, url)
      const row = {
        id,
        delivery_id: deliveryId,
        user_id: userId,
        type,
        subject_id: subjectId,
        url,
        body_start: bodyStart,
        body_length: body.length,
        created_at: createdAt,
        receiver_key: receiverKey,
        endpoint_key: endpointKey,
        traceparent,
        request_id: requestId,
      }
      bodyStart += body.length
      return row
    },
  )
  return [JSON.stringify(rows), Buffer.concat(events.map(({ body }) => body))]
}

const RECORD_EVENTS = `WITH ${insertEvents(1)} SELECT`

/** Records an event and its delivery. Belongs in the transaction that makes the event a fact. */
export async function recordWebhookEvent(sql: Sql, event: NewWebhookEvent): Promise<void> {
  await sql.query(RECORD_EVENTS, eventValues([event]))
}

export interface AttemptOutcome {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
  /** The beginning of the response, as text. */
  responseBody: string | null
  /** Whether the attempt ended quickly. */
  quick: boolean
  next: { status: 'delivered' | 'failed' } | { retryInSeconds: number }
}

/** Conditions for disabling an endpoint; both must hold. */
export interface DisablePolicy {
  /** Seconds for which every attempt has failed. */
  afterSeconds: number
  /** Number of different events that have failed. */
  failedEvents: number
}

/**
 * Records an attempt that was not acknowledged, the next step, and what it shows about receiver and endpoint, in one statement.
 * An expired lease is sufficient until another deliverer has claimed the delivery. Returns null if one has, which then records
 * its own attempt.
 */
export async function recordFailedAttempt(
  sql: Sql,
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  policy: DisablePolicy,
): Promise<{ endpointDisabled: boolean } | null> {
  const { next } = outcome
  const { rows } = await sql.query<{ endpointDisabled: boolean }>(RECORD_FAILED, [
    delivery.id,
    delivery.token,
    delivery.attemptNo,
    outcome.startedAt,
    outcome.durationMs,
    outcome.statusCode,
    outcome.error,
    'status' in next ? next.status : 'pending',
    'status' in next ? 0 : next.retryInSeconds,
    outcome.quick,
    buildWebhookKeys(delivery.userId, delivery.url).endpointUrl,
    policy.afterSeconds,
    policy.failedEvents,
    outcome.responseBody,
  ])
  return rows[0] ?? null
}

const RECORD_FAILED = `
WITH settled AS (
  UPDATE webhook_deliveries
  SET attempts = $3, lease_token = NULL, ready = false, forced = false, updated_at = now(),
    status = $8::delivery_status, next_attempt_at = now() + make_interval(secs => $9)
  WHERE id = $1 AND coalesce(lease_token, $2) = $2 AND status = 'pending' AND attempts = $3 - 1
  RETURNING id, user_id, receiver_key, endpoint_key
), attempt AS (
  INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms, status_code, error, response_body)
  SELECT id, $3, $4, $5, $6, $7, $14 FROM settled
), receiver AS (
  INSERT INTO webhook_receivers AS r (key, quick, updated_at) SELECT receiver_key, $10, now() FROM settled
  ON CONFLICT (key) DO UPDATE SET quick = excluded.quick, updated_at = excluded.updated_at
  WHERE NOT (r.quick AND excluded.quick) OR r.updated_at <= now() - interval '1 day'
), failing AS (
  INSERT INTO webhook_endpoints AS e (key, user_id, url, failing_since, failed_events, updated_at)
  SELECT endpoint_key, user_id, $11, $4, 1, now() FROM settled
  ON CONFLICT (key) DO UPDATE SET updated_at = excluded.updated_at, (failed_events, disabled_at) = (
    SELECT events, COALESCE(e.disabled_at, CASE
      WHEN e.failing_since <= now() - make_interval(secs => $12) AND events >= $13::int THEN now()
    END)
    FROM (
      SELECT e.failed_events + (NOT EXISTS (
        SELECT FROM webhook_attempts a WHERE a.delivery_id = $1 AND a.started_at >= e.failing_since
      ))::int AS events
    ) AS counted
  )
  RETURNING key, user_id, url, failing_since, disabled_at
), notice AS (
  -- One email, however many attempts are made at an endpoint while it is disabled.
  INSERT INTO emails (id, user_id, recipient, kind, data, dedupe_key, next_attempt_at, expires_at, created_at)
  SELECT gen_random_uuid(), u.id, u.email, 'endpoint_disabled', jsonb_build_object('url', f.url),
    concat_ws(' ', 'endpoint', f.key, extract(epoch FROM f.failing_since)), now(), now() + interval '3 days', now()
  FROM failing f JOIN users u ON u.id = f.user_id AND u.email_verified AND u.deleted_at IS NULL
  WHERE f.disabled_at IS NOT NULL
  ON CONFLICT (dedupe_key) DO NOTHING
)
SELECT EXISTS (SELECT FROM failing WHERE disabled_at IS NOT NULL) AS "endpointDisabled" FROM settled`

/** An attempt that the receiver has acknowledged. */
export interface DeliveredAttempt {
  delivery: Pick<ClaimedDelivery, 'id' | 'token' | 'attemptNo'>
  outcome: Pick<AttemptOutcome, 'startedAt' | 'durationMs' | 'statusCode' | 'responseBody' | 'quick'>
}

/**
 * Records acknowledged attempts, like `recordFailedAttempt`, in one statement for all of them. Returns for each whether it was
 * recorded; otherwise another deliverer has the delivery.
 */
export async function recordDelivered(sql: Sql, attempts: readonly DeliveredAttempt[]): Promise<boolean[]> {
  const { rows } = await sql.query<{ id: string; token: string }>(RECORD_DELIVERED, [
    attempts.map(({ delivery }) => delivery.id),
    attempts.map(({ delivery }) => delivery.token),
    attempts.map(({ delivery }) => delivery.attemptNo),
    attempts.map(({ outcome }) => outcome.startedAt),
    attempts.map(({ outcome }) => outcome.durationMs),
    attempts.map(({ outcome }) => outcome.statusCode),
    attempts.map(({ outcome }) => outcome.quick),
    attempts.map(({ outcome }) => outcome.responseBody),
  ])
  const settled = new Set(rows.map(({ id, token }) => `${id} ${token}`))
  return attempts.map(({ delivery }) => settled.has(`${delivery.id} ${delivery.token}`))
}

// Endpoints are locked before receivers, as by failed attempts, and both in the order of their keys, so that concurrent
// statements cannot deadlock. A quick receiver that is still quick is written at most once a day, to show that it is in use.
const RECORD_DELIVERED = `
WITH attempted AS (
  SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::int[], $6::smallint[], $7::boolean[], $8::text[]
  ) AS a(id, token, attempt_no, started_at, duration_ms, status_code, quick, response_body)
), settled AS (
  UPDATE webhook_deliveries d
  SET attempts = a.attempt_no, lease_token = NULL, ready = false, forced = false, updated_at = now(),
    status = 'delivered', next_attempt_at = now()
  FROM attempted a
  WHERE d.id = a.id AND coalesce(d.lease_token, a.token) = a.token AND d.status = 'pending' AND d.attempts = a.attempt_no - 1
  RETURNING a.*, d.receiver_key, d.endpoint_key
), attempt AS (
  INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms, status_code, response_body)
  SELECT id, attempt_no, started_at, duration_ms, status_code, response_body FROM settled
), recovered AS (
  DELETE FROM webhook_endpoints WHERE key = ANY (ARRAY(
    SELECT key FROM webhook_endpoints WHERE key IN (SELECT endpoint_key FROM settled) ORDER BY key FOR UPDATE
  ))
), receiver AS (
  INSERT INTO webhook_receivers AS r (key, quick, updated_at)
  SELECT receiver_key, quick, now() FROM (
    SELECT receiver_key, bool_and(quick) AS quick FROM settled GROUP BY receiver_key
  ) used
  WHERE NOT EXISTS (
    SELECT FROM webhook_receivers known WHERE known.key = used.receiver_key
      AND known.quick AND used.quick AND known.updated_at > now() - interval '1 day'
  )
  ORDER BY receiver_key
  ON CONFLICT (key) DO UPDATE SET quick = excluded.quick, updated_at = excluded.updated_at
)
SELECT id, token FROM settled`

// Conflicts with the lock of the purge, which would otherwise delete the event with the delivery that has just become due. An
// expired lease belongs to a deliverer that died.
const REDELIVER = `
WITH event AS MATERIALIZED (
  SELECT id FROM webhook_events WHERE id = (SELECT event_id FROM webhook_deliveries WHERE id = $1 AND user_id = $2) FOR KEY SHARE
)
UPDATE webhook_deliveries
SET status = 'pending', ready = true, forced = true, lease_token = NULL,
  next_attempt_at = date_trunc('milliseconds', now()), redelivered_at = date_trunc('milliseconds', now()),
  schedule_base = CASE WHEN status = 'pending' THEN schedule_base ELSE attempts END, updated_at = now()
WHERE id = $1 AND user_id = $2 AND event_id = (SELECT id FROM event) AND (lease_token IS NULL OR next_attempt_at <= now())
  AND (redelivered_at IS NULL OR redelivered_at <= now() - make_interval(secs => $3))`

/**
 * Makes a delivery due at once, whatever its status and that of its endpoint. One that has ended starts a new schedule. Returns
 * false if the account has no such delivery, an attempt is being made, or a redelivery was requested within the last
 * `quietSeconds`.
 */
export async function queueRedelivery(
  sql: Sql,
  userId: string,
  deliveryId: string,
  quietSeconds = 0,
): Promise<boolean> {
  return (await sql.query(REDELIVER, [deliveryId, userId, quietSeconds])).rowCount === 1
}
