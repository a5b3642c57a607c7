import {
  type AttemptOutcome,
  type ClaimedDelivery,
  type DisablePolicy,
  leaseDeliveries,
  listClaimableDeliveries,
  listLeasedDeliveries,
  lockClaims,
  queueDueDeliveries,
  recordAttempt,
  skipDeliveries,
} from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { type ClaimCapacity, SMALL_BYTES, selectDeliveries } from './select-deliveries.ts'

export interface ClaimOptions {
  capacity: ClaimCapacity
  /** Limit of concurrent attempts per receiver, across all processes. */
  receiverCap: number
  /** Longer than an attempt can take. */
  leaseSeconds: number
  /** Whether to claim the deliveries of deliverers that died. */
  takeOver: boolean
}

export interface Claim {
  deliveries: ClaimedDelivery[]
  /** Deliveries set aside because their endpoints are disabled. */
  skipped: number
  /** More deliveries may be due than this claim looked at. */
  more: boolean
}

/** Claims deliveries that are due, as far as there is capacity, and loads their bodies. */
export async function claimDueDeliveries(ctx: Pick<Context, 'db'>, options: ClaimOptions): Promise<Claim> {
  const token = randomId()
  const { chosen, skipped, more } = await ctx.db.transaction(async (sql) => {
    await lockClaims(sql)
    const more = await queueDueDeliveries(sql, options.takeOver)
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

/** Records the outcome of an attempt and logs it in one line. False: another deliverer has the delivery now. */
export async function settleAttempt(
  ctx: Pick<Context, 'db' | 'log'>,
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  policy: DisablePolicy,
): Promise<boolean> {
  const settled = await recordAttempt(ctx.db, delivery, outcome, policy)
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
