import type { DeliveryStatus, WebhookEventType } from '@subtext/contracts'
import { HIGHEST_ID, LOWEST_ID, type PageRequest, type Sql } from '@subtext/db'

export interface WebhookAttempt {
  attemptNo: number
  startedAt: Date
  durationMs: number
  statusCode: number | null
  error: string | null
}

/** An attempt with the beginning of the receiver's response. */
export interface StoredAttempt extends WebhookAttempt {
  responseBody: string | null
}

/** What was sent: the beginning of the event's body, and the size of the whole. */
export interface SentBody {
  start: Buffer
  bytes: number
}

const SENT = `SELECT substring(e.body FROM 1 FOR $3) AS start, length(e.body) AS bytes
  FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id WHERE d.user_id = $1 AND d.id = $2`

/** Returns the first bytes of the body that every attempt of a delivery sends. */
export async function findSentBody(sql: Sql, userId: string, id: string, maxBytes: number): Promise<SentBody | null> {
  const [row] = (await sql.query<SentBody>(SENT, [userId, id, maxBytes])).rows
  return row ?? null
}

/** A delivery as shown to its owner. */
export interface StoredWebhookDelivery {
  id: string
  eventId: string
  type: WebhookEventType
  /** The job or batch that the event is about. */
  subjectId: string
  url: string
  status: DeliveryStatus
  attempts: number
  /** Whether an attempt is being made. */
  underWay: boolean
  nextAttemptAt: Date
  createdAt: Date
  updatedAt: Date
  lastAttempt: WebhookAttempt | null
}

type DeliveryRow = Omit<StoredWebhookDelivery, 'lastAttempt'> & {
  [K in keyof WebhookAttempt]: WebhookAttempt[K] | null
}

// An expired lease belongs to a deliverer that died.
const UNDER_WAY = "d.status = 'pending' AND d.lease_token IS NOT NULL AND d.next_attempt_at > now()"
const COLUMNS = `d.id, d.event_id AS "eventId", e.type, e.subject_id AS "subjectId", d.url, d.status, d.attempts,
  ${UNDER_WAY} AS "underWay", d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt",
  d.updated_at AS "updatedAt", a.attempt_no AS "attemptNo", a.started_at AS "startedAt",
  a.duration_ms AS "durationMs", a.status_code AS "statusCode", a.error`
const EVENTS = 'JOIN webhook_events e ON e.id = d.event_id'
const LAST_ATTEMPT = 'LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.attempt_no = d.attempts'

function toDelivery(row: DeliveryRow): StoredWebhookDelivery {
  const { attemptNo, startedAt, durationMs, statusCode, error, ...delivery } = row
  const lastAttempt =
    attemptNo !== null && startedAt !== null && durationMs !== null
      ? { attemptNo, startedAt, durationMs, statusCode, error }
      : null
  return { ...delivery, lastAttempt }
}

const FIND = `SELECT ${COLUMNS} FROM webhook_deliveries d ${EVENTS} ${LAST_ATTEMPT} WHERE d.user_id = $1 AND d.id = $2`

/** Finds a delivery of this account. */
export async function findWebhookDelivery(sql: Sql, userId: string, id: string): Promise<StoredWebhookDelivery | null> {
  const [row] = (await sql.query<DeliveryRow>(FIND, [userId, id])).rows
  return row ? toDelivery(row) : null
}

/** Null matches everything. */
export interface DeliveryFilter {
  status: DeliveryStatus | null
  type: WebhookEventType | null
  subjectId: string | null
}

export interface DeliveryPage {
  deliveries: StoredWebhookDelivery[]
  /** Number of all deliveries that match the filter, as of the same moment. */
  total: number
}

// The limits of a page are row values, and the order uses all of their columns, because then only one index fits: with
// `user_id = $1 ... ORDER BY id DESC`, the planner may choose to walk through the deliveries of all users by their ID.
function pageStatements(hasStatus: boolean, hasType: boolean, hasSubject: boolean): { page: string; total: string } {
  const columns = hasStatus ? 'd.status, d.id' : 'd.user_id, d.id'
  const row = (id: string): string => `(${hasStatus ? '$2::delivery_status' : '$1::uuid'}, ${id})`
  const more = [
    // A parameter that the text does not use would have no type.
    hasStatus ? '' : ' AND $2::text IS NULL',
    hasType ? ' AND e.type = $3' : ' AND $3::text IS NULL',
    hasSubject ? ' AND e.subject_id = $4' : ' AND $4::uuid IS NULL',
  ].join('')
  const own = `${hasStatus ? 'd.user_id = $1 AND ' : ''}(${columns}) >= ${row(`'${LOWEST_ID}'::uuid`)}`
  const from = `webhook_deliveries d ${hasType || hasSubject ? EVENTS : ''}`
  const total = `SELECT count(*)::int AS total FROM ${from}
    WHERE ${own} AND (${columns}) <= ${row(`'${HIGHEST_ID}'::uuid`)}${more}`
  // Skipped rows are read from the index; only the rows of the page are read from the tables.
  const page = `SELECT ${COLUMNS}, (${total}) AS total
    FROM (SELECT d.id FROM ${from} WHERE ${own} AND (${columns}) < ${row('$5::uuid')}${more}
      ORDER BY ${columns.replaceAll(',', ' DESC,')} DESC OFFSET $6 LIMIT $7) chosen
    JOIN webhook_deliveries d ON d.id = chosen.id ${EVENTS} ${LAST_ATTEMPT} ORDER BY d.id DESC`
  return { page, total }
}

/** Lists a page of an account's deliveries, newest first. */
export async function listWebhookDeliveries(
  sql: Sql,
  userId: string,
  { status, type, subjectId }: DeliveryFilter,
  { before, skip, limit }: PageRequest,
): Promise<DeliveryPage> {
  const statements = pageStatements(status !== null, type !== null, subjectId !== null)
  const filter = [userId, status, type, subjectId]
  const { rows } = await sql.query<DeliveryRow & { total: number }>(statements.page, [
    ...filter,
    before ?? HIGHEST_ID,
    skip,
    limit,
  ])
  const [first] = rows
  if (first) return { deliveries: rows.map(({ total: _, ...row }) => toDelivery(row)), total: first.total }
  const counted = await sql.query<{ total: number }>(statements.total, filter)
  return { deliveries: [], total: counted.rows[0]?.total ?? 0 }
}
