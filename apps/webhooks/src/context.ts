import type { Context } from '@subtext/core/context'
import { createOutageQueue, openDatabaseClock, type PersistWrite } from '@subtext/core/coordination'
import {
  type ClaimOptions,
  createAttemptRecorder,
  createSecretBox,
  type RecordAttempt,
  type SecretBox,
} from '@subtext/core/webhooks'
import { openDb } from '@subtext/db'
import { createNotifier, type Notifier } from '@subtext/queue'
import { createLogger, endsWithin } from '@subtext/runtime'
import { createSender, type Sender } from './delivery/send.ts'
import type { WebhooksEnv } from './env.ts'
import type { WebhooksMetrics } from './metrics.ts'
import { createRecentOutage, type RecentOutage } from './recent-outage.ts'
import type { SlotOptions } from './slots.ts'

/** Limits the duration of the whole attempt, whatever the receiver does. */
const ATTEMPT_TIMEOUT_MS = 15_000
/** A database connection without a response for this long counts as lost, even if no error was reported. */
const QUERY_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 2_000
const CLOSE_TIMEOUT_MS = 1_500
/** A delivery whose process has died becomes due again after this time. Attempts begin early enough to end before. */
const LEASE_SECONDS = 30
/** The part of a lease that is kept for recording the outcome. */
const RECORD_MS = 5_000
const DETACH_AFTER_MS = 250
const PROMPT_MS = 50
const POLL_INTERVAL_MS = 1_000
const MAX_BYTES_IN_PROGRESS = 64 * 1024 * 1024
const FAILED_EVENTS_TO_DISABLE = 10

/**
 * How long after a database outage a deliverer leaves the deliveries of others alone. A delivery may have been acknowledged
 * during the outage; its deliverer is recording that now, and the delivery must not be sent again. Long enough for `persist` to
 * record the outcomes of all attempts.
 */
const SETTLE_MS = 5_000

/** Values that tests may change, in milliseconds, bytes and seconds. The defaults are those of the service. */
export interface Tuning {
  /** Timeout of the whole attempt. */
  attemptTimeoutMs?: number | undefined
  /** Time after which an attempt that is still running releases its slot. */
  detachAfterMs?: number | undefined
  /** An attempt that ends within this time lets another delivery be claimed in advance. */
  promptMs?: number | undefined
  /** How late a delivery can be when its notification was lost or its process has died. */
  pollIntervalMs?: number | undefined
  /** Limit for the size of all bodies in memory. */
  maxBytes?: number | undefined
  /** Time after which a database connection without a response counts as lost. */
  queryTimeoutMs?: number | undefined
  /** Time, in seconds, after which another deliverer takes over a delivery whose outcome is not recorded. */
  leaseSeconds?: number | undefined
}

export interface WebhooksContext extends Pick<Context, 'db' | 'clock' | 'log'> {
  notifier: Pick<Notifier, 'subscribe' | 'checkConnection'>
  sender: Sender
  secretBox: SecretBox
  retrySchedule: readonly number[]
  recordAttempt: RecordAttempt
  claimOptions: Omit<ClaimOptions, 'capacity' | 'queueDue' | 'takeOver'>
  persist: PersistWrite
  outage: RecentOutage
  slotOptions: Omit<SlotOptions, 'onFree'>
  pollIntervalMs: number
  /** Time after the claim of a delivery within which its attempt may begin. */
  beginWithinMs: number
  /** A receiver whose attempt takes longer counts as slow. */
  slowAfterMs: number
  metrics: WebhooksMetrics
}

export function createContext(
  env: WebhooksEnv,
  metrics: WebhooksMetrics,
  {
    attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
    detachAfterMs = DETACH_AFTER_MS,
    promptMs = PROMPT_MS,
    pollIntervalMs = POLL_INTERVAL_MS,
    maxBytes = MAX_BYTES_IN_PROGRESS,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    leaseSeconds = LEASE_SECONDS,
  }: Tuning = {},
): { context: WebhooksContext; close: () => Promise<void> } {
  const log = createLogger('webhooks', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs,
    monitor: metrics.database,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const databaseClock = openDatabaseClock(db, log)
  const notifier = createNotifier(
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
      clock: databaseClock.now,
      log,
      notifier,
      sender,
      secretBox: createSecretBox(env.WEBHOOK_SECRET_KEY),
      retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
      recordAttempt: createAttemptRecorder(
        { db, log },
        { afterSeconds: env.WEBHOOK_DISABLE_AFTER, failedEvents: FAILED_EVENTS_TO_DISABLE },
      ),
      persist: createOutageQueue(),
      outage: createRecentOutage(SETTLE_MS),
      claimOptions: { receiverCap: env.WEBHOOK_RECEIVER_CONCURRENCY, leaseSeconds },
      slotOptions: { concurrency: env.WEBHOOK_CONCURRENCY, detachAfterMs, promptMs, maxBytes },
      beginWithinMs: leaseSeconds * 1_000 - attemptTimeoutMs - RECORD_MS,
      pollIntervalMs,
      slowAfterMs: attemptTimeoutMs / 3,
      metrics,
    },
    async close() {
      databaseClock.close()
      await endsWithin(CLOSE_TIMEOUT_MS, Promise.allSettled([sender.close(), notifier.close(), db.close()]))
    },
  }
}
