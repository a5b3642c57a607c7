import type { Lane } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** The work of a lane. Jobs that pause before another attempt are in neither number. */
export interface LaneDemand {
  lane: Lane
  waiting: number
  running: number
  /** Seconds since the oldest waiting job was accepted; 0 if none is waiting. Jobs held for others of their account do not count. */
  oldestWaitingSeconds: number
}

/** Returns the demand of every lane. The cost does not grow with the queues; numbers above 10,000 are estimates. */
export async function readLaneDemand(sql: Sql): Promise<LaneDemand[]> {
  const { rows } = await sql.query<LaneDemand>(
    `SELECT lane, waiting::int, running::int, oldest_waiting_seconds AS "oldestWaitingSeconds" FROM lane_demand ORDER BY lane`,
  )
  return rows
}

export interface DeliveryDemand {
  /** Deliveries whose next attempt is due. */
  due: number
  /** Deliveries that wait for the time of their next attempt. */
  scheduled: number
  /** Deliveries with an attempt in progress. */
  inProgress: number
  /** Seconds for which the oldest delivery that a further process could make has been due; 0 if there is none. */
  oldestDueSeconds: number
}

const MAX_COUNT = 10_000
const count = (condition: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM webhook_deliveries WHERE ${condition} LIMIT ${MAX_COUNT}) counted)`

const WAITING = "status = 'pending' AND NOT ready"

/** Returns the demand for webhook deliveries. Each part of a number stops at 10,000. */
export async function readDeliveryDemand(sql: Sql): Promise<DeliveryDemand> {
  const { rows } = await sql.query<DeliveryDemand>(
    `SELECT ${count('ready')} + ${count(`${WAITING} AND next_attempt_at <= now()`)} AS due,
       ${count(`${WAITING} AND lease_token IS NULL AND next_attempt_at > now()`)} AS scheduled,
       ${count('lease_token IS NOT NULL AND next_attempt_at > now()')} AS "inProgress",
       oldest_due_seconds AS "oldestDueSeconds"
     FROM delivery_demand`,
  )
  return rows[0] ?? { due: 0, scheduled: 0, inProgress: 0, oldestDueSeconds: 0 }
}
