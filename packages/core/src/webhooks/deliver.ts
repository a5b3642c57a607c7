import { type AttemptOutcome, type ClaimedDelivery, claimDeliveries, recordAttempt } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

/** Deliveries that are due, leased for `leaseSeconds`; more than an attempt can take. */
export const claimDueDeliveries = (
  ctx: Pick<Context, 'db'>,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> => claimDeliveries(ctx.db, { token: randomId(), limit, leaseSeconds })

/** Settles an attempt; says so in one line. */
export async function settleAttempt(
  ctx: Pick<Context, 'db' | 'log'>,
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
): Promise<void> {
  const settled = await recordAttempt(ctx.db, delivery, outcome)
  ctx.log.info('attempt', {
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.type,
    attempt: delivery.attemptNo,
    status_code: outcome.statusCode,
    error: outcome.error,
    duration_ms: outcome.durationMs,
    outcome: settled ? outcome.next : 'lease lost',
  })
}
