import type { Sql } from '@subtext/db'

/**
 * What a limit covers: a job, a batch, an account in a UTC month, or the whole installation on a UTC day. The order is the one in
 * which counters are locked.
 */
export const SPENDING_SCOPES = ['batch', 'day', 'job', 'month'] as const
export type SpendingScope = (typeof SPENDING_SCOPES)[number]

/** A counter, with the limit that its caller knows. Those of batches and months are read from the store. */
export interface SpendingCounter {
  scope: SpendingScope
  id: string
  /** First day of the period, or the day on which the job or batch was created, as `YYYY-MM-DD`. */
  startsOn: string
  limitUsd: number | null
}

/** Where a limit is and what counts toward it. */
export interface LimitState {
  scope: SpendingScope
  limitUsd: number
  usedUsd: number
  reservedUsd: number
}

/**
 * `waits`: it would fit without the reservations of other calls. `refused`: it does not fit in any case. Both name the limit.
 */
export type ReserveOutcome = { outcome: 'reserved' } | { outcome: 'waits' | 'refused'; limit: LimitState }

const columnsOf = (counters: readonly SpendingCounter[]): unknown[] => [
  counters.map(({ scope }) => scope),
  counters.map(({ id }) => id),
  counters.map(({ startsOn }) => startsOn),
  counters.map(({ limitUsd }) => limitUsd),
]

// Columns $2 to $5 are those of `columnsOf`, and $1 is the account.
const WANTED = `
wanted AS MATERIALIZED (
  SELECT w.scope, w.id, w.starts_on, CASE w.scope
    WHEN 'month' THEN (SELECT monthly_limit_usd FROM users WHERE id = $1::uuid)
    WHEN 'batch' THEN (SELECT max_cost_usd FROM batches WHERE id = w.id)
    ELSE w.limit_usd END AS limit_usd
  FROM unnest($2::text[], $3::uuid[], $4::date[], $5::numeric[]) AS w(scope, id, starts_on, limit_usd)
)`

/** All statements lock counters in this order, so that no two of them wait for each other. */
const lockCounters = (source: string): string => `
held AS MATERIALIZED (
  SELECT c.scope, c.id, c.starts_on, c.used_usd, c.reserved_usd FROM spending_counters c
  WHERE (c.scope, c.id, c.starts_on) IN (SELECT scope, id, starts_on FROM ${source})
  ORDER BY c.scope, c.id, c.starts_on FOR UPDATE
)`

/** Whether the amount in $6 fits into each limit. An unknown amount (null) fits only where there is no limit. */
const STATE = `
state AS MATERIALIZED (
  SELECT w.scope, w.limit_usd, h.used_usd, h.reserved_usd, h.scope IS NULL AS missing,
    w.limit_usd IS NULL OR coalesce(h.used_usd + h.reserved_usd + $6::numeric <= w.limit_usd, false) AS fits,
    w.limit_usd IS NULL OR coalesce(h.used_usd + $6::numeric <= w.limit_usd, false) AS could_fit
  FROM wanted w LEFT JOIN held h ON (h.scope, h.id, h.starts_on) = (w.scope, w.id, w.starts_on)
)`
const ALL_FIT = 'NOT EXISTS (SELECT FROM state WHERE missing OR NOT fits)'
const SAME_COUNTER = '(c.scope, c.id, c.starts_on) = (h.scope, h.id, h.starts_on)'
const LIST_STATE = `scope, limit_usd::float8 AS "limitUsd", used_usd::float8 AS "usedUsd", reserved_usd::float8 AS "reservedUsd",
  missing, fits, could_fit AS "couldFit"`

// The counters are read under their locks, so that concurrent calls cannot exceed a limit together.
const RESERVE = `
WITH ${WANTED}, ${lockCounters('wanted')}, ${STATE}, written AS (
  INSERT INTO spending_reservations (id, user_id, scopes, scope_ids, scope_starts, amount_usd, created_at)
  SELECT $7, $1, $2, $3, $4, $6, $8 WHERE $6::numeric > 0 AND ${ALL_FIT}
  ON CONFLICT (id) DO NOTHING RETURNING id
), raised AS (
  UPDATE spending_counters c SET reserved_usd = c.reserved_usd + $6 FROM held h
  WHERE EXISTS (SELECT FROM written) AND ${SAME_COUNTER}
)
SELECT ${LIST_STATE}, EXISTS (SELECT FROM spending_reservations WHERE id = $7) AS existed FROM state`

const CHARGE_SHARED = `
WITH ${WANTED}, ${lockCounters('wanted')}, ${STATE}, raised AS (
  UPDATE spending_counters c SET used_usd = c.used_usd + $6 FROM held h WHERE ${ALL_FIT} AND ${SAME_COUNTER}
)
SELECT ${LIST_STATE}, false AS existed FROM state`

const OPEN = `
INSERT INTO spending_counters (scope, id, starts_on, user_id)
SELECT scope, id, starts_on, CASE WHEN scope <> 'day' THEN $1::uuid END
FROM unnest($2::text[], $3::uuid[], $4::date[]) AS w(scope, id, starts_on)
ORDER BY scope, id, starts_on
ON CONFLICT DO NOTHING`

const COUNTERS_OF_RESERVATION = `
named AS (
  SELECT n.* FROM reservation r, unnest(r.scopes, r.scope_ids, r.scope_starts) AS n(scope, id, starts_on)
), ${lockCounters('named')}`

const CHARGE = `
WITH reservation AS MATERIALIZED (
  SELECT *, least($2::numeric, amount_usd) AS charged FROM spending_reservations WHERE id = $1 FOR UPDATE
), ${COUNTERS_OF_RESERVATION}, lowered AS (
  UPDATE spending_reservations s SET amount_usd = s.amount_usd - r.charged FROM reservation r WHERE s.id = r.id
)
UPDATE spending_counters c SET used_usd = c.used_usd + r.charged, reserved_usd = c.reserved_usd - r.charged
FROM held h, reservation r WHERE ${SAME_COUNTER}`

const RELEASE = `
WITH reservation AS MATERIALIZED (
  DELETE FROM spending_reservations WHERE id = $1 RETURNING *
), ${COUNTERS_OF_RESERVATION}
UPDATE spending_counters c SET reserved_usd = c.reserved_usd - r.amount_usd
FROM held h, reservation r WHERE ${SAME_COUNTER}`

interface StateRow {
  scope: SpendingScope
  limitUsd: number | null
  usedUsd: number | null
  reservedUsd: number | null
  missing: boolean
  fits: boolean
  couldFit: boolean
  existed: boolean
}

function toOutcome(rows: StateRow[]): ReserveOutcome {
  const blocking = rows.filter(({ fits }) => !fits)
  const worst = blocking.find(({ couldFit }) => !couldFit) ?? blocking[0]
  if (!worst || rows[0]?.existed) return { outcome: 'reserved' }
  const { scope, limitUsd, usedUsd, reservedUsd, couldFit } = worst
  const limit = { scope, limitUsd: limitUsd ?? 0, usedUsd: usedUsd ?? 0, reservedUsd: reservedUsd ?? 0 }
  return { outcome: couldFit ? 'waits' : 'refused', limit }
}

/** Runs a statement on counters, and runs it again if it had to create some of them first. */
async function runOnCounters(
  sql: Sql,
  statement: string,
  { userId, counters }: { userId: string; counters: readonly SpendingCounter[] },
  values: unknown[],
): Promise<ReserveOutcome> {
  const parameters = [userId, ...columnsOf(counters), ...values]
  const { rows } = await sql.query<StateRow>(statement, parameters)
  if (rows.every(({ missing }) => !missing)) return toOutcome(rows)
  await sql.query(OPEN, parameters.slice(0, 4))
  return toOutcome((await sql.query<StateRow>(statement, parameters)).rows)
}

export interface NewReservation {
  id: string
  userId: string
  counters: readonly SpendingCounter[]
  /** Null if it is unknown. */
  amountUsd: number | null
  now: Date
}

/**
 * Adds an amount to the reservations of all counters, or to none if it does not fit into a limit. May be repeated with the same ID.
 */
export const reserveSpending = (sql: Sql, { id, amountUsd, now, ...owner }: NewReservation): Promise<ReserveOutcome> =>
  runOnCounters(sql, RESERVE, owner, [amountUsd, id, now])

/** Counts work that another account has paid for, unless it does not fit into a limit. Call it in the transaction that records it. */
export const chargeShared = (
  sql: Sql,
  { amountUsd, ...owner }: Pick<NewReservation, 'userId' | 'counters'> & { amountUsd: number },
): Promise<ReserveOutcome> => runOnCounters(sql, CHARGE_SHARED, owner, [amountUsd])

/** Turns a part of a reservation into spending. Call it in the transaction that records the cost. */
export async function chargeReservation(sql: Sql, id: string, amountUsd: number): Promise<void> {
  await sql.query(CHARGE, [id, amountUsd])
}

/** Ends a reservation. Does nothing if it has ended. */
export async function releaseReservation(sql: Sql, id: string): Promise<void> {
  await sql.query(RELEASE, [id])
}

export interface SpendingState {
  monthLimitUsd: number | null
  monthUsedUsd: number
  monthReservedUsd: number
  dayUsedUsd: number
}

/** Returns what counts toward the limits of an account and of the installation. `day` and `month`: first days of the periods. */
export async function findSpending(
  sql: Sql,
  userId: string,
  { day, month }: { day: string; month: string },
): Promise<SpendingState> {
  const { rows } = await sql.query<SpendingState>(
    `SELECT u.monthly_limit_usd::float8 AS "monthLimitUsd", coalesce(m.used_usd, 0)::float8 AS "monthUsedUsd",
       coalesce(m.reserved_usd, 0)::float8 AS "monthReservedUsd", coalesce(d.used_usd, 0)::float8 AS "dayUsedUsd"
     FROM (SELECT) AS one LEFT JOIN users u ON u.id = $1
       LEFT JOIN spending_counters m ON m.scope = 'month' AND m.id = $1 AND m.starts_on = $2::date
       LEFT JOIN spending_counters d ON d.scope = 'day' AND d.id = '00000000-0000-0000-0000-000000000000' AND d.starts_on = $3::date`,
    [userId, month, day],
  )
  return rows[0] ?? { monthLimitUsd: null, monthUsedUsd: 0, monthReservedUsd: 0, dayUsedUsd: 0 }
}

/** Deletes up to `limit` counters, and as many reservations, of periods that began before that time. Returns how many. */
export async function deleteOldSpending(sql: Sql, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const counters = await sql.query(
    `DELETE FROM spending_counters WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM spending_counters WHERE starts_on < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT $2))`,
    [before, limit],
  )
  const reservations = await sql.query(
    `DELETE FROM spending_reservations WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM spending_reservations WHERE created_at < $1 LIMIT $2))`,
    [before, limit],
  )
  return counters.rowCount + reservations.rowCount
}
