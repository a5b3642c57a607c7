import { setMaxListeners } from 'node:events'
import { createKeyUseRecorder, createKeyVerifier, type KeyUseRecorder, type VerifyApiKey } from '@subtext/core/api-keys'
import type { Context } from '@subtext/core/context'
import {
  type AcceptJob,
  createAcceptor,
  createEstimator,
  type EstimateRemaining,
  type SubmitPolicy,
} from '@subtext/core/jobs'
import { createRequestCounter, type RequestCounter } from '@subtext/core/usage'
import {
  cacheNameLookups,
  createNameResolver,
  createSecretBox,
  createWebhookUrlCheck,
  type SecretBox,
} from '@subtext/core/webhooks'
import { openDb } from '@subtext/db'
import type { RequestLimits } from '@subtext/queue'
import { createProducer, createRequestLimits, createSignals } from '@subtext/queue'
import { createLogger, createMetrics } from '@subtext/runtime'
import { type ApiEnv, localOrigin } from './env.ts'
import { createStreamPlaces, type EnterStream } from './http/event-stream.ts'
import { type ApiMetrics, createApiMetrics } from './http/metrics.ts'
import type { RequestLimitSettings } from './http/rate-limit.ts'

export interface ApiContext extends Context {
  accept: AcceptJob
  verifyKey: VerifyApiKey
  keyUses: Pick<KeyUseRecorder, 'note'>
  estimateRemaining: EstimateRemaining
  submitPolicy: SubmitPolicy
  secretBox: SecretBox
  requestLimits: RequestLimits
  metrics: ApiMetrics
  requestCounter: RequestCounter
  enterStream: EnterStream
  http: HttpSettings
  /** Aborted when the process begins to stop: waiting requests answer at once. */
  draining: AbortSignal
}

export interface HttpSettings {
  publicBaseUrl: string
  httpsOnly: boolean
  /** False opens the routes that are `openable`. */
  requireApiAuth: boolean
  trustProxyHops: number
  requestLimits: RequestLimitSettings
  isRedisUp: () => boolean
}

export interface OpenApiContext {
  context: ApiContext
  drain(): void
  close(): Promise<void>
}

/** A database that is there and does not answer is away: callers are told so instead of waiting. Milliseconds. */
export const DATABASE_PATIENCE = { connectTimeoutMs: 1_800, queryTimeoutMs: 3_000 }
/** Event streams of an account that are open at once, in this process. */
const MAX_STREAMS = 100

interface ContextOptions {
  metrics?: ApiMetrics
  /** Replaced by tests alone. */
  clock?: () => Date
  patience?: typeof DATABASE_PATIENCE
}

/** Opens everything the API needs. */
export function createContext(
  env: ApiEnv,
  {
    metrics = createApiMetrics(createMetrics()),
    clock = () => new Date(),
    patience = DATABASE_PATIENCE,
  }: ContextOptions = {},
): OpenApiContext {
  const log = createLogger('api', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    ...patience,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const queue = {
    url: env.REDIS_URL,
    prefix: env.QUEUE_PREFIX,
    onConnectionChange: (state: string, error?: Error) =>
      log.warn('redis connection', { state, error: error?.message }),
  }
  const producer = createProducer(queue)
  const signals = createSignals({ ...queue, onConnectionChange: undefined }, ['job', 'progress'])
  const requestLimits = createRequestLimits({
    ...queue,
    onChange: (state, error) => log.warn('request limits', { state, error: error?.message }),
    onFallback: metrics.limitFallback,
  })
  const draining = new AbortController()
  // Every request that waits listens, however many there are.
  setMaxListeners(0, draining.signal)
  const base: Context = { db, producer, signals, clock, log }
  const keyUses = createKeyUseRecorder(base)
  const requestCounter = createRequestCounter(base)

  return {
    context: {
      ...base,
      accept: createAcceptor(base),
      verifyKey: createKeyVerifier(base),
      keyUses,
      estimateRemaining: createEstimator(base),
      requestLimits,
      metrics,
      requestCounter,
      enterStream: createStreamPlaces(MAX_STREAMS),
      secretBox: createSecretBox(env.WEBHOOK_SECRET_KEY),
      submitPolicy: {
        proxiesConfigured: (env.PROXY_URLS ?? []).length > 0,
        checkWebhookUrl: createWebhookUrlCheck(
          { allowPrivate: env.WEBHOOK_ALLOW_PRIVATE, httpsOnly: env.WEBHOOK_HTTPS_ONLY },
          cacheNameLookups(createNameResolver()),
        ),
      },
      http: {
        publicBaseUrl: (env.PUBLIC_BASE_URL ?? localOrigin(env)).replace(/\/$/, ''),
        httpsOnly: env.HTTPS_ONLY,
        requireApiAuth: env.REQUIRE_API_AUTH,
        trustProxyHops: env.TRUST_PROXY_HOPS,
        requestLimits: {
          free: env.RATE_LIMIT_FREE,
          plus: env.RATE_LIMIT_PLUS,
          pro: env.RATE_LIMIT_PRO,
          admin: env.RATE_LIMIT_ADMIN,
          address: env.RATE_LIMIT_ADDRESS,
        },
        isRedisUp: producer.isConnected,
      },
      draining: draining.signal,
    },
    drain: () => draining.abort(),
    async close() {
      await keyUses.close()
      await requestCounter.close()
      await Promise.allSettled([producer.close(), signals.close(), requestLimits.close(), db.close()])
    },
  }
}
