import type { Context } from '@subtext/core/context'
import { type ClaimOptions, createSecretBox, type DisablePolicy, type SecretBox } from '@subtext/core/webhooks'
import { openDb } from '@subtext/db'
import { createSignals, type Signals } from '@subtext/queue'
import { createLogger, type Metrics } from '@subtext/runtime'
import { createSender, type Sender } from './delivery/send.ts'
import type { WebhooksEnv } from './env.ts'
import type { SlotTerms } from './slots.ts'

/** For the whole attempt, whatever the peer does. */
const ATTEMPT_TIMEOUT_MS = 15_000
/** A database connection that says nothing for so long is lost, though nobody has said so. */
const QUERY_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 2_000
/** Longer than an attempt can take: a delivery whose process died becomes due again after it. */
const LEASE_SECONDS = 30
const PATIENCE_MS = 250
const POLL_INTERVAL_MS = 1_000
const MAX_BYTES_UNDER_WAY = 64 * 1024 * 1024
const FAILED_EVENTS_TO_DISABLE = 10

/** Milliseconds; those of the service unless given. */
export interface Timing {
  /** Of the whole attempt. */
  attemptTimeoutMs?: number | undefined
  /** After which an attempt steps aside. */
  patienceMs?: number | undefined
  /** How long a lost signal, or a delivery left by a process that died, can wait beyond its time. */
  lookAgainMs?: number | undefined
}

export interface WebhooksContext extends Pick<Context, 'db' | 'clock' | 'log'> {
  signals: Pick<Signals, 'listen'>
  sender: Sender
  secretBox: SecretBox
  retrySchedule: readonly number[]
  disablePolicy: DisablePolicy
  claimTerms: Omit<ClaimOptions, 'capacity'>
  slotTerms: Omit<SlotTerms, 'onFree'>
  lookAgainMs: number
  /** An attempt that takes longer makes its receiver a slow one. */
  slowAfterMs: number
  countAttempt: (labels: { result: string }) => void
}

export function createContext(
  env: WebhooksEnv,
  metrics: Metrics,
  { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, patienceMs = PATIENCE_MS, lookAgainMs = POLL_INTERVAL_MS }: Timing = {},
): { context: WebhooksContext; close: () => Promise<void> } {
  const log = createLogger('webhooks', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const signals = createSignals(
    {
      url: env.REDIS_URL,
      prefix: env.QUEUE_PREFIX,
      onConnectionChange: (state, error) => log.warn('redis connection', { state, error: error?.message }),
    },
    ['delivery'],
  )
  const sender = createSender({
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    httpsOnly: env.WEBHOOK_HTTPS_ONLY,
    attemptTimeoutMs,
  })
  return {
    context: {
      db,
      clock: () => new Date(),
      log,
      signals,
      sender,
      secretBox: createSecretBox(env.WEBHOOK_SECRET_KEY),
      retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
      disablePolicy: { afterSeconds: env.WEBHOOK_DISABLE_AFTER, failedEvents: FAILED_EVENTS_TO_DISABLE },
      claimTerms: { receiverCap: env.WEBHOOK_RECEIVER_CONCURRENCY, leaseSeconds: LEASE_SECONDS },
      slotTerms: {
        concurrency: env.WEBHOOK_CONCURRENCY,
        patienceMs,
        maxBytes: MAX_BYTES_UNDER_WAY,
      },
      lookAgainMs,
      slowAfterMs: attemptTimeoutMs / 3,
      countAttempt: metrics.counter(
        'subtext_webhook_attempts_total',
        'Attempts of deliveries, by class of answer or failure.',
        ['result'],
      ),
    },
    async close() {
      await Promise.allSettled([sender.close(), signals.close(), db.close()])
    },
  }
}
