import { byPlan, MAX_FAILING_ENDPOINTS, type Plan, SPENDING_DAYS } from '@subtext/contracts'
import type { Context } from '../context.ts'
import { type DeliveryDemand, type LaneDemand, readDeliveryDemand, readLaneDemand } from './demand-sql.ts'
import {
  countAccounts,
  countKeys,
  type DaySpending,
  type FailingEndpoint,
  type KeyCounts,
  listFailingEndpoints,
  type ModelSpending,
  sumSpendingByDay,
  sumSpendingByModel,
} from './operations-sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface OperationsOverview {
  lanes: LaneDemand[]
  deliveries: DeliveryDemand
  failingEndpoints: FailingEndpoint[]
  /** Newest first, without gaps. */
  days: DaySpending[]
  modelsLastHour: ModelSpending[]
  accounts: Record<Plan, number>
  keys: KeyCounts
}

/** Returns the load of the service, its costs, and the number of its users. */
export async function readOperations({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<OperationsOverview> {
  const now = clock()
  const dates = Array.from({ length: SPENDING_DAYS }, (_, days) => dateOf(now.getTime() - days * DAY_MS))
  const oldest = new Date(`${dates.at(-1)}T00:00:00Z`)
  // Runs one statement after another, because an overview must not occupy several connections that users need.
  const lanes = await readLaneDemand(db)
  const deliveries = await readDeliveryDemand(db)
  const failingEndpoints = await listFailingEndpoints(db, MAX_FAILING_ENDPOINTS)
  const days = new Map((await sumSpendingByDay(db, oldest)).map((day) => [day.date, day]))
  const modelsLastHour = await sumSpendingByModel(db, new Date(now.getTime() - HOUR_MS), now)
  const accounts = new Map((await countAccounts(db)).map((row) => [row.plan, row.accounts]))
  const keys = await countKeys(db, now)
  return {
    lanes,
    deliveries,
    failingEndpoints,
    days: dates.map((date) => days.get(date) ?? { date, videos: 0, tokens: 0, costUsd: 0 }),
    modelsLastHour,
    accounts: byPlan((plan) => accounts.get(plan) ?? 0),
    keys,
  }
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
