import { openPrismaDb } from '@subtext/db/prisma'
import { createNotifier, createProducer, createRequestLimits } from '@subtext/queue'
import type { Logger } from '@subtext/runtime'
import type { ApiEnv } from './env.ts'
import type { ApiMetrics } from './metrics.ts'

/** The part of DATABASE_TIMEOUT_SECONDS that is reserved for sending the error. */
const REFUSAL_MS = 100

interface ConnectionOptions {
  log: Logger
  metrics: ApiMetrics
  redisTimeoutMs: number | undefined
}

/** Opens the connections to PostgreSQL and Redis. */
export function openConnections(env: ApiEnv, { log, metrics, redisTimeoutMs }: ConnectionOptions) {
  const db = openPrismaDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    deadlineMs: env.DATABASE_TIMEOUT_SECONDS * 1_000 - REFUSAL_MS,
    monitor: metrics.database,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const queue = queueOptions(env, log, redisTimeoutMs)
  const { countLost } = metrics
  const producer = createProducer({ ...queue, onLost: (jobs) => countLost('wake', jobs) })
  const notifier = createNotifier({ ...queue, onConnectionChange: undefined, onLost: countLost }, [
    'job',
    'progress',
    'source',
  ])
  const requestLimits = createRequestLimits({
    ...queue,
    onChange: (state, error) => log.warn('request limits', { state, error: error?.message }),
    onFallback: metrics.countFallback,
  })
  return { db, queue, producer, notifier, requestLimits }
}

const queueOptions = (env: ApiEnv, log: Logger, timeoutMs: number | undefined) => ({
  url: env.REDIS_URL,
  prefix: env.QUEUE_PREFIX,
  timeoutMs,
  onConnectionChange: (state: string, error?: Error) => log.warn('redis connection', { state, error: error?.message }),
})
