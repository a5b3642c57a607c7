import { setTimeout as sleep } from 'node:timers/promises'
import type { CostReservation, ReserveCost, SummaryUsage } from '@subtext/contracts'
import type { Db, Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import { type PersistWrite, retryThroughOutage } from '../coordination/retry-through-outage.ts'
import { listCounters, type SpendingSubject, spendingExceeded } from './limits.ts'
import { chargeReservation, releaseReservation, reserveSpending, type SpendingScope } from './spending-sql.ts'

export interface SpendingSettings {
  /** The operator's limit for a UTC day. Null: none. */
  dailyLimitUsd: number | null
  /** How long a call waits for running ones whose reservations leave too little. */
  patienceMs: number
  /** Called for every call that does not fit. */
  countRefused: (labels: { limit: SpendingScope }) => void
}

type ReserveContext = Pick<Context, 'clock' | 'log'> & { db: Db; spending: SpendingSettings }

interface ReserveOptions {
  signal: AbortSignal
  persist?: PersistWrite
}

const POLL_MS = 250

/**
 * Creates the function that sets the cost of a call aside. While the database is unavailable it waits: without a reservation nothing
 * is called. All calls of a job that may run at the same time have to use the same one: what else is reserved for the job is left
 * from a process that was killed, and nobody will release it.
 */
export function createReserver(
  ctx: ReserveContext,
  subject: SpendingSubject,
  { signal, persist = retryThroughOutage }: ReserveOptions,
): ReserveCost {
  let running = 0
  return async (maxCostUsd) => {
    const id = newId()
    const { dailyLimitUsd, patienceMs, countRefused } = ctx.spending
    const giveUpAt = performance.now() + patienceMs
    for (;;) {
      signal.throwIfAborted()
      const isAlone = running === 0
      const now = ctx.clock()
      const counters = listCounters(subject, now, dailyLimitUsd)
      const wanted = { id, userId: subject.userId, counters, amountUsd: maxCostUsd, now }
      const reserved = await persist(signal, () => reserveSpending(ctx.db, wanted))
      if (reserved.outcome === 'reserved') {
        const reservedUsd = maxCostUsd ?? 0
        if (reservedUsd > 0) running++
        return openReservation(ctx, { id, maxCostUsd: reservedUsd }, { persist, onOver: () => void running-- })
      }
      const isBusy = reserved.outcome === 'waits' && !(isAlone && reserved.limit.scope === 'job')
      if (!isBusy || performance.now() >= giveUpAt) {
        countRefused({ limit: reserved.limit.scope })
        throw spendingExceeded(reserved.limit, now, isBusy)
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}

/** How long the release of a reservation waits for an unavailable database. If it fails, the reservation stays. */
const RELEASE_TIMEOUT_MS = 10_000

function openReservation(
  { db, log }: Pick<ReserveContext, 'db' | 'log'>,
  { id, maxCostUsd }: Pick<CostReservation, 'id' | 'maxCostUsd'>,
  { persist, onOver }: { persist: PersistWrite; onOver: () => void },
): CostReservation {
  let isOver = maxCostUsd === 0
  return {
    id,
    maxCostUsd,
    keep() {
      if (!isOver) onOver()
      isOver = true
    },
    async release() {
      if (isOver) return
      isOver = true
      await persist(AbortSignal.timeout(RELEASE_TIMEOUT_MS), () => releaseReservation(db, id)).catch((error: Error) =>
        log.warn('reservation not released', { error: error.message }),
      )
      onOver()
    },
  }
}

/**
 * Records a cost and charges the reservation of its call, together. `write` returns the cost that it has recorded, or null if it has
 * not, as for a job that has ended: the reservation then stays.
 */
export async function recordCharged<T extends { costUsd: number }>(
  db: Db,
  { costUsd, reservation }: Pick<SummaryUsage, 'costUsd' | 'reservation'>,
  write: (sql: Sql) => Promise<T | null>,
): Promise<T | null> {
  if (!reservation) return write(db)
  const recorded = await (costUsd > 0
    ? db.transaction(async (sql) => {
        const written = await write(sql)
        if (written) await chargeReservation(sql, reservation.id, written.costUsd)
        return written
      })
    : write(db))
  if (!recorded) reservation.keep()
  return recorded
}
