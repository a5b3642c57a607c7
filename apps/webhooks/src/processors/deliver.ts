import { type ClaimedDelivery, listSigningSecrets, settleAttempt } from '@subtext/core/webhooks'
import type { WebhooksContext } from '../context.ts'
import { buildHeaders } from '../delivery/build-request.ts'
import { classify } from '../delivery/classify.ts'

/**
 * Makes one attempt and records its outcome, through an outage of the database until `stopping` aborts: what a receiver
 * has acknowledged must not be sent again. Returns the seconds until the next attempt, or null if there is none.
 */
export async function deliver(
  ctx: WebhooksContext,
  delivery: ClaimedDelivery,
  stopping: AbortSignal,
): Promise<number | null> {
  const secrets = await listSigningSecrets(ctx, delivery.userId)
  const startedAt = ctx.clock()
  if (delivery.attemptNo === 1) countLag(ctx, delivery, startedAt)
  const started = performance.now()
  const outcome = await ctx.sender.send(delivery.url, buildHeaders(delivery, secrets, startedAt), delivery.body)
  const durationMs = Math.round(performance.now() - started)
  ctx.metrics.deliveries.attemptEnded(outcome, durationMs / 1_000)
  const next = classify(outcome, {
    attemptNo: delivery.scheduleNo,
    schedule: ctx.retrySchedule,
    random: Math.random(),
    now: ctx.clock(),
  })
  const { statusCode, error } = outcome
  const quick = durationMs < ctx.slowAfterMs
  const settled = { startedAt, durationMs, statusCode, error, quick, next }
  const isRecorded = await ctx.persist(stopping, () =>
    settleAttempt(ctx, delivery, settled, ctx.disablePolicy).catch((error: unknown) => {
      ctx.outage.note(error)
      throw error
    }),
  )
  if (isRecorded && 'status' in next) ctx.metrics.deliveries.ended(next.status)
  return 'retryInSeconds' in next ? next.retryInSeconds : null
}

/** The clocks of the process that wrote the event and of this one may differ a little. */
function countLag({ metrics }: WebhooksContext, { pace, createdAt }: ClaimedDelivery, startedAt: Date): void {
  const seconds = Math.max(0, startedAt.getTime() - createdAt.getTime()) / 1_000
  metrics.deliveries.firstAttemptBegan({ pace }, seconds)
}
