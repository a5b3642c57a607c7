import type { ClaimedDelivery, FindSigningSecrets } from '@subtext/core/webhooks'
import { type Span, withLogFields, withSpan } from '@subtext/runtime'
import type { WebhooksContext } from '../context.ts'
import { buildHeaders } from '../delivery/build-request.ts'
import { classify } from '../delivery/classify.ts'

export interface DeliverOptions {
  findSecrets: FindSigningSecrets
  /** The time of `performance.now()` after which the attempt may not begin, because its lease may expire before it ends. */
  beginBy: number
  /** Called when the attempt has ended, before its outcome is recorded. */
  onEnd: () => void
  /** Aborts when outcomes are no longer to be recorded. */
  stopping: AbortSignal
}

/**
 * Makes one attempt and records its outcome, through an outage of the database until `stopping` aborts: what a receiver
 * has acknowledged must not be sent again. Returns the seconds until the next attempt, or null if there is none, or if the
 * attempt could not begin in time or its outcome not be recorded.
 */
export function deliver(
  ctx: WebhooksContext,
  delivery: ClaimedDelivery,
  options: DeliverOptions,
): Promise<number | null> {
  const attributes = {
    'http.request.method': 'POST',
    'server.address': URL.canParse(delivery.url) ? new URL(delivery.url).hostname : null,
    'messaging.message.id': delivery.eventId,
    'subtext.event': delivery.type,
    'subtext.attempt': delivery.attemptNo,
  }
  return withLogFields({ ...describeSubject(delivery), request_id: delivery.requestId ?? undefined }, () =>
    withSpan('deliver webhook', { kind: 'client', parent: delivery.traceparent, attributes }, (span) =>
      attempt(ctx, delivery, span, options).catch((error: unknown) => {
        span.fail('outcome_not_recorded')
        ctx.log.error('could not record the outcome of an attempt', { delivery_id: delivery.id, error })
        return null
      }),
    ),
  )
}

/** Returns the log field that names what the event is about. */
const describeSubject = ({ type, subjectId }: ClaimedDelivery): Record<string, string> =>
  type.startsWith('job.') ? { job_id: subjectId } : type.startsWith('batch.') ? { batch_id: subjectId } : {}

async function attempt(
  ctx: WebhooksContext,
  delivery: ClaimedDelivery,
  span: Span,
  { findSecrets, beginBy, onEnd, stopping }: DeliverOptions,
): Promise<number | null> {
  const secrets = await findSecrets(delivery.userId)
  if (stopping.aborted || performance.now() > beginBy) {
    span.fail('not_begun')
    ctx.log.warn('did not begin an attempt in time; it is made when the lease expires', { delivery_id: delivery.id })
    return null
  }
  const startedAt = ctx.clock()
  if (delivery.attemptNo === 1) countLag(ctx, delivery, startedAt)
  const started = performance.now()
  const outcome = await ctx.sender.send(delivery.url, buildHeaders(delivery, secrets, startedAt), delivery.body)
  const durationMs = Math.round(performance.now() - started)
  onEnd()
  ctx.metrics.deliveries.attemptEnded(outcome, durationMs / 1_000)
  const next = classify(outcome, {
    attemptNo: delivery.scheduleNo,
    schedule: ctx.retrySchedule,
    random: Math.random(),
    now: ctx.clock(),
  })
  const { statusCode, error, responseBody } = outcome
  span.setAttributes({ 'http.response.status_code': statusCode })
  if (!('status' in next) || next.status === 'failed') span.fail(error ?? String(statusCode))
  const quick = durationMs < ctx.slowAfterMs
  const settled = { startedAt, durationMs, statusCode, error, responseBody, quick, next }
  const isRecorded = await ctx.persist(stopping, () =>
    ctx.recordAttempt(delivery, settled).catch((error: unknown) => {
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
