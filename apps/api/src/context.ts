import {
  type AcceptJob,
  type Context,
  createAcceptor,
  createEstimator,
  createKeyVerifier,
  type EstimateRemaining,
  type SubmitPolicy,
  type VerifyApiKey,
} from '@subtext/core'
import { openDb } from '@subtext/db'
import { createProducer, createSignals } from '@subtext/queue'
import { createLogger } from '@subtext/runtime'
import { type ApiEnv, localOrigin } from './env.ts'

export interface ApiContext extends Context {
  accept: AcceptJob
  verifyKey: VerifyApiKey
  estimateRemaining: EstimateRemaining
  submitPolicy: SubmitPolicy
  http: HttpSettings
  /** Aborted when the process begins to stop: waiting requests answer at once. */
  draining: AbortSignal
}

export interface HttpSettings {
  publicBaseUrl: string
  httpsOnly: boolean
  trustProxyHops: number
  isRedisUp: () => boolean
}

export interface OpenApiContext {
  context: ApiContext
  drain(): void
  close(): Promise<void>
}

/** A database that is there and does not answer is away: callers are told so instead of waiting. */
const QUERY_TIMEOUT_MS = 3_000

/** Opens everything the API needs. `clock` is replaced by tests alone. */
export function createContext(env: ApiEnv, clock: () => Date = () => new Date()): OpenApiContext {
  const log = createLogger('api', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const queue = {
    url: env.REDIS_URL,
    prefix: env.QUEUE_PREFIX,
    onConnectionChange: (state: string, error?: Error) =>
      log.warn('redis connection', { state, error: error?.message }),
  }
  const producer = createProducer(queue)
  const signals = createSignals({ ...queue, onConnectionChange: undefined }, ['job'])
  const draining = new AbortController()
  const base: Context = { db, producer, signals, clock, log }

  return {
    context: {
      ...base,
      accept: createAcceptor(base),
      verifyKey: createKeyVerifier(base),
      estimateRemaining: createEstimator(base),
      submitPolicy: {
        proxiesConfigured: (env.PROXY_URLS ?? []).length > 0,
        allowPrivateWebhooks: env.WEBHOOK_ALLOW_PRIVATE,
      },
      http: {
        publicBaseUrl: (env.PUBLIC_BASE_URL ?? localOrigin(env)).replace(/\/$/, ''),
        httpsOnly: env.HTTPS_ONLY,
        trustProxyHops: env.TRUST_PROXY_HOPS,
        isRedisUp: producer.isConnected,
      },
      draining: draining.signal,
    },
    drain: () => draining.abort(),
    async close() {
      await Promise.allSettled([producer.close(), signals.close(), db.close()])
    },
  }
}
