import { LANES } from '@subtext/contracts'
import type { Db, DbMonitor, PoolUse } from '@subtext/db'
import { NOTIFICATIONS, type Notification } from '@subtext/queue'
import { type Metrics, shareFor } from '@subtext/runtime'
import { readDeliveryDemand, readLaneDemand } from './operations/index.ts'
import { SPENDING_SCOPES, type SpendingSettings } from './spending/index.ts'
import { readCheckDemand } from './subscriptions/index.ts'

/** Creates the metrics of a process's connections to PostgreSQL. */
export function createDatabaseMetrics(metrics: Metrics): DbMonitor {
  const connections = metrics.gauge('subtext_db_pool_connections', 'Connections of the process to PostgreSQL.', {
    state: ['used', 'idle'],
  })
  const waiting = metrics.gauge('subtext_db_pool_waiting', 'Statements and transactions waiting for a connection.', {})
  const waits = metrics.duration('subtext_db_pool_wait_seconds', 'Wait for a connection to PostgreSQL.', {})
  const statements = metrics.duration(
    'subtext_db_statement_seconds',
    'Duration of statements, from the request to the last row. Outside of transactions it includes the wait for a connection.',
    { outcome: ['succeeded', 'failed'] },
  )
  return {
    opened(readUse: () => PoolUse) {
      connections(async () => {
        const { used, idle } = readUse()
        return [
          [{ state: 'used' }, used],
          [{ state: 'idle' }, idle],
        ]
      })
      waiting(async () => [[{}, readUse().waiting]])
    },
    waited: (seconds) => waits({}, seconds),
    executed: (seconds, succeeded) => statements({ outcome: succeeded ? 'succeeded' : 'failed' }, seconds),
  }
}

/** Called with notifications and wake-ups that were lost because Redis was unavailable. */
export type CountLost = (kind: Notification | 'wake', amount?: number) => void

/** Creates the counter of wake-ups and notifications that did not reach Redis. */
export function createLossCounter(metrics: Metrics): CountLost {
  const count = metrics.counter(
    'subtext_notifications_lost_total',
    'Notifications to other processes, and wake-ups of jobs (`wake`), that were lost because Redis was unavailable. Each costs time, never work.',
    { kind: ['wake', ...NOTIFICATIONS] },
  )
  return (kind, amount) => count({ kind }, amount)
}

/** Creates the counter of calls of the model that were not made because of a spending limit. */
export function createSpendingCounter(metrics: Metrics): SpendingSettings['countRefused'] {
  return metrics.counter(
    'subtext_spending_refused_total',
    'Calls of the language model that were not made because their cost would not fit into a spending limit: `job`, `batch`, `month` those of accounts, `day` that of the installation.',
    { limit: SPENDING_SCOPES },
  )
}

/** How long a process reports the same numbers, in milliseconds. */
const DEMAND_INTERVAL_MS = 5_000

/** Creates the gauges of what the whole service has to do. Returns a function that sets the database they are read from. */
export function createDemandMetrics(metrics: Metrics): (db: Pick<Db, 'query'>) => void {
  const jobs = metrics.gauge(
    'subtext_jobs',
    'Jobs that are waiting for a worker, or running, in the whole service. Numbers above 10,000 are estimates.',
    { lane: LANES, state: ['waiting', 'running'] },
  )
  const oldestJob = metrics.gauge(
    'subtext_jobs_oldest_waiting_seconds',
    'Age of the oldest job waiting for a worker; 0 if none is waiting. Jobs held back for others of their account do not count.',
    { lane: LANES },
  )
  const deliveries = metrics.gauge(
    'subtext_webhooks_pending',
    'Webhook deliveries that have not ended, in the whole service: due, waiting for the time of their next attempt, or in progress. At most 10,000 of each are counted.',
    { state: ['due', 'scheduled', 'in_progress'] },
  )
  const oldestDelivery = metrics.gauge(
    'subtext_webhooks_oldest_due_seconds',
    'For how long the oldest delivery has been due that another process could make; 0 if there is none. Receivers with an attempt in progress do not count.',
    {},
  )
  const checks = metrics.gauge(
    'subtext_source_checks_due',
    'Sources of subscriptions that are due to be looked at, in the whole service.',
    {},
  )
  const oldestCheck = metrics.gauge(
    'subtext_source_checks_oldest_due_seconds',
    'For how long the oldest source of a subscription has been due to be looked at; 0 if none is.',
    {},
  )
  return (db) => {
    const now = () => performance.now()
    const lanes = shareFor(DEMAND_INTERVAL_MS, now, () => readLaneDemand(db))
    const webhooks = shareFor(DEMAND_INTERVAL_MS, now, () => readDeliveryDemand(db))
    jobs(async () =>
      (await lanes()).flatMap(({ lane, waiting, running }) => [
        [{ lane, state: 'waiting' }, waiting],
        [{ lane, state: 'running' }, running],
      ]),
    )
    oldestJob(async () => (await lanes()).map(({ lane, oldestWaitingSeconds }) => [{ lane }, oldestWaitingSeconds]))
    deliveries(async () => {
      const { due, scheduled, inProgress } = await webhooks()
      return [
        [{ state: 'due' }, due],
        [{ state: 'scheduled' }, scheduled],
        [{ state: 'in_progress' }, inProgress],
      ]
    })
    const watches = shareFor(DEMAND_INTERVAL_MS, now, () => readCheckDemand(db))
    checks(async () => [[{}, (await watches()).due]])
    oldestCheck(async () => [[{}, (await watches()).oldestDueSeconds]])
    oldestDelivery(async () => [[{}, (await webhooks()).oldestDueSeconds]])
  }
}
