import { createDatabaseMetrics } from '@subtext/core/metrics'
import type { ReceiverPace } from '@subtext/core/webhooks'
import { createProcessMetrics, type Metrics } from '@subtext/runtime'
import { FAILURES } from './delivery/classify-failure.ts'
import type { SendOutcome } from './delivery/send.ts'

const RESULTS = ['1xx', '2xx', '3xx', '4xx', '5xx', ...FAILURES] as const
type Result = (typeof RESULTS)[number]
const PACES = ['quick', 'slow', 'new'] as const satisfies ReceiverPace[]

/** Attempts end within 15 seconds, and deliveries may wait for hours. */
const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const LAG_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600]

/** Receives what happens to deliveries. Durations are in seconds. */
export interface DeliveryMetrics {
  attemptEnded(outcome: SendOutcome, seconds: number): void
  /** The first attempt of an event has begun this long after the event. */
  firstAttemptBegan(labels: { pace: ReceiverPace }, seconds: number): void
  ended(status: 'delivered' | 'failed' | 'skipped', count?: number): void
}

const resultOf = ({ error, statusCode }: SendOutcome): Result =>
  error ?? (`${Math.floor((statusCode ?? 0) / 100)}xx` as Result)

function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const attempts = metrics.counter(
    'subtext_webhook_attempts_total',
    'Attempts at a delivery, by the class of the response or the kind of failure.',
    { result: RESULTS },
  )
  const seconds = metrics.duration('subtext_webhook_attempt_seconds', 'Duration of attempts.', {}, ATTEMPT_SECONDS)
  const lag = metrics.duration(
    'subtext_webhook_lag_seconds',
    'Time from an event to the first attempt to deliver it, by how the receiver responded before. Slow receivers get one delivery at a time.',
    { pace: PACES },
    LAG_SECONDS,
  )
  const ended = metrics.counter(
    'subtext_webhook_deliveries_total',
    'Deliveries that have ended: acknowledged, given up, or set aside because their endpoint is disabled.',
    { status: ['delivered', 'failed', 'skipped'] },
  )
  return {
    attemptEnded(outcome, duration) {
      attempts({ result: resultOf(outcome) })
      seconds({}, duration)
    },
    firstAttemptBegan: lag,
    ended: (status, count) => ended({ status }, count),
  }
}

/** Creates all metrics of a webhook sender. */
export function createWebhooksMetrics(metrics: Metrics) {
  const slots = metrics.gauge(
    'subtext_webhook_slots',
    'Slots for attempts. An attempt that waits for a slow receiver holds none.',
    { state: ['busy', 'free'] },
  )
  return {
    process: createProcessMetrics(metrics),
    deliveries: createDeliveryMetrics(metrics),
    observeSlots(read: () => { busy: number; free: number }) {
      slots(async () => {
        const { busy, free } = read()
        return [
          [{ state: 'busy' }, busy],
          [{ state: 'free' }, free],
        ]
      })
    },
    database: createDatabaseMetrics(metrics),
  }
}
export type WebhooksMetrics = ReturnType<typeof createWebhooksMetrics>
