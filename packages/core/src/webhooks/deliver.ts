import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { createBatcher } from '../coordination/batcher.ts'
import {
  type ClaimedDelivery,
  leaseDeliveries,
  listClaimableDeliveries,
  listLeasedDeliveries,
  lockClaims,
  queueDueDeliveries,
  skipDeliveries,
} from './claim-sql.ts'
import {
  type AttemptOutcome,
  type DeliveredAttempt,
  type DisablePolicy,
  recordDelivered,
  recordFailedAttempt,
} from './events-sql.ts'
import { type ClaimCapacity, SMALL_BYTES, selectDeliveries } from './select-deliveries.ts'

export interface ClaimOptions {
  capacity: ClaimCapacity
  /** Limit of concurrent attempts per receiver, across all processes. */
  receiverCap: number
  /** Longer than an attempt can take, with the time until it begins. */
  leaseSeconds: number
  /** Whether to look for deliveries that have become due by the passing of time, besides those that are ready. */
  queueDue: boolean
  /** Whether to claim the deliveries of deliverers that died as well. */
  takeOver: boolean
}

export interface DeliveryClaim {
  deliveries: ClaimedDelivery[]
  /** Deliveries set aside because their endpoints are disabled. */
  skipped: number
  /** Whether more deliveries may be due than this claim examined. */
  more: boolean
}

/** Claims due deliveries, within the capacity, and loads their bodies. */
export async function claimDueDeliveries(ctx: Pick<Context, 'db'>, options: ClaimOptions): Promise<DeliveryClaim> {
  const token = randomId()
  const { chosen, skipped, more } = await ctx.db.transaction(async (sql) => {
    await lockClaims(sql)
    const more = options.queueDue && (await queueDueDeliveries(sql, options.takeOver))
    const found = await listClaimableDeliveries(sql, {
      from: randomId(),
      cap: options.receiverCap,
      limit: options.capacity.all.slots,
      smallBytes: SMALL_BYTES,
    })
    const disabledIds = found.filter(({ disabled }) => disabled).map(({ id }) => id)
    const skipped = disabledIds.length > 0 ? await skipDeliveries(sql, disabledIds) : 0
    const chosen = selectDeliveries(
      found.filter(({ disabled }) => !disabled),
      options.capacity,
    )
    if (chosen.length > 0) await leaseDeliveries(sql, chosen, { token, leaseSeconds: options.leaseSeconds })
    return { chosen, skipped, more: more || skipped > 0 }
  })
  const deliveries = chosen.length > 0 ? await listLeasedDeliveries(ctx.db, chosen, token) : []
  return { deliveries, skipped, more }
}

/** Records the outcome of an attempt and logs it in one line. Returns false if another deliverer has the delivery now. */
export type RecordAttempt = (delivery: ClaimedDelivery, outcome: AttemptOutcome) => Promise<boolean>

/** Attempts that are acknowledged within this time are recorded together. */
const GATHER_MS = 5
const MAX_STATEMENTS = 2
const MAX_ATTEMPTS_PER_STATEMENT = 200

/** Creates the function that records outcomes: acknowledged attempts that end together in one statement, others alone. */
export function createAttemptRecorder(ctx: Pick<Context, 'db' | 'log'>, policy: DisablePolicy): RecordAttempt {
  const recordAcknowledged = createBatcher<DeliveredAttempt, boolean>({
    run: (attempts) => recordDelivered(ctx.db, attempts),
    gatherMs: GATHER_MS,
    parallel: MAX_STATEMENTS,
    max: MAX_ATTEMPTS_PER_STATEMENT,
  })
  const record = async (
    delivery: ClaimedDelivery,
    outcome: AttemptOutcome,
  ): Promise<{ endpointDisabled: boolean } | null> => {
    const isDelivered = 'status' in outcome.next && outcome.next.status === 'delivered'
    if (!isDelivered) return recordFailedAttempt(ctx.db, delivery, outcome, policy)
    return (await recordAcknowledged({ delivery, outcome })) ? { endpointDisabled: false } : null
  }
  return async (delivery, outcome) => {
    const settled = await record(delivery, outcome)
    ctx.log.info('attempt', {
      delivery_id: delivery.id,
      event_id: delivery.eventId,
      event: delivery.type,
      attempt: delivery.attemptNo,
      status_code: outcome.statusCode,
      error: outcome.error,
      duration_ms: outcome.durationMs,
      outcome: settled ? outcome.next : 'lease_lost',
      ...(settled?.endpointDisabled && { endpoint: 'disabled' }),
    })
    return settled !== null
  }
}
