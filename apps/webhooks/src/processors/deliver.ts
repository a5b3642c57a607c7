import { type ClaimedDelivery, listSigningSecrets, settleAttempt } from '@subtext/core/webhooks'
import type { WebhooksContext } from '../context.ts'
import { buildHeaders } from '../delivery/build-request.ts'
import { classify } from '../delivery/classify.ts'

/** Makes one attempt and records its outcome. Returns the seconds until the next attempt, or null if there is none. */
export async function deliver(ctx: WebhooksContext, delivery: ClaimedDelivery): Promise<number | null> {
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
  await settleAttempt(ctx, delivery, { startedAt, durationMs, statusCode, error, quick, next }, ctx.disablePolicy)
  return 'retryInSeconds' in next ? next.retryInSeconds : null
}
