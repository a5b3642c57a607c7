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
  const started = performance.now()
  const outcome = await ctx.sender.send(delivery.url, buildHeaders(delivery, secrets, startedAt), delivery.body)
  ctx.countAttempt({ result: outcome.error ?? `${Math.floor(outcome.statusCode / 100)}xx` })
  const durationMs = Math.round(performance.now() - started)
  const next = classify(outcome, {
    attemptNo: delivery.scheduleNo,
    schedule: ctx.retrySchedule,
    random: Math.random(),
    now: ctx.clock(),
  })
  const { statusCode, error } = outcome
  const quick = durationMs < ctx.slowAfterMs
  const settled = { startedAt, durationMs, statusCode, error, quick, next }
  await ctx.persist(stopping, () =>
    settleAttempt(ctx, delivery, settled, ctx.disablePolicy).catch((error: unknown) => {
      ctx.outage.note(error)
      throw error
    }),
  )
  return 'retryInSeconds' in next ? next.retryInSeconds : null
}
