import { type ClaimJob, type Context, createClaimer, type RetentionPolicy } from '@subtext/core'
import { openDb } from '@subtext/db'
import { createProducer, createSharedSlots, createSignals, type SharedSlots } from '@subtext/queue'
import { createLogger, type Metrics } from '@subtext/runtime'
import { createAnthropicModel } from './adapters/anthropic.ts'
import { createPlatformMonitor } from './adapters/youtube/monitor.ts'
import { createHttpTokenProvider } from './adapters/youtube/token-provider.ts'
import { createYoutubeSource } from './adapters/youtube/youtube-source.ts'
import { createDoor, type Door } from './door.ts'
import type { WorkerEnv } from './env.ts'
import { createCostComputer } from './model-prices.ts'
import { LARGE_AT_ONCE } from './pipeline/large-videos.ts'
import type { Summarizer, VideoSource } from './pipeline/ports.ts'
import { createModelSummarizer } from './summarizers/model/model-summarizer.ts'
import { withSubstitute } from './summarizers/with-substitute.ts'
import { createThreadPool, type ThreadPool } from './threads/pool.ts'
import { createCaptionReader } from './threads/read-captions-apart.ts'
import { createApartSummarizer } from './threads/summarize-apart.ts'

export interface WorkerContext extends Context {
  source: VideoSource
  summarizer: Summarizer
  work: WorkSettings
  claim: ClaimJob
  largeVideos: Door
  countJob: (labels: { outcome: string }) => void
}

export interface WorkSettings {
  leaseSeconds: number
  timeoutMs: number
  /** Jobs of a lane an account may have under way when others want the slots. */
  accountMaxRunning: number
  retention: RetentionPolicy
  /** Pauses before the second, third, ... try in seconds. */
  retrySchedule: readonly number[]
}

const CONNECT_TIMEOUT_MS = 2_000
/**
 * A connection that says nothing for so long is lost, though nobody has said so. Leases have to be prolonged over others
 * before they run out.
 */
const queryTimeoutMs = (leaseSeconds: number): number => Math.min(10_000, Math.max(2_000, (leaseSeconds * 1_000) / 3))

/** Of the calls that all workers may make at once, a worker that knows nothing of the others makes a fourth. */
const SHARE_ALONE = 4
/** No call of the model takes longer. */
const MODEL_CALL_MS = 6 * 60_000

/** Opens everything a worker needs. */
export function createContext(
  env: WorkerEnv,
  metrics: Metrics,
): { context: WorkerContext; close: () => Promise<void> } {
  const log = createLogger('worker', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs: queryTimeoutMs(env.JOB_LEASE_SECONDS),
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const queue = { url: env.REDIS_URL, prefix: env.QUEUE_PREFIX }
  const producer = createProducer(queue)
  const signals = createSignals(queue, ['cancel'])
  const modelSlots = createSharedSlots({
    ...queue,
    name: 'model',
    most: env.MODEL_CONCURRENCY,
    mostAlone: Math.max(1, Math.floor(env.MODEL_CONCURRENCY / SHARE_ALONE)),
    holdMs: MODEL_CALL_MS,
  })
  const threads = createThreadPool()
  const context: WorkerContext = {
    db,
    producer,
    signals,
    clock: () => new Date(),
    log,
    source: createYoutubeSource({
      origin: env.YOUTUBE_ORIGIN,
      proxyUrls: env.PROXY_URLS ?? [],
      clients: env.YOUTUBE_CLIENTS,
      restMs: env.BLOCKED_EXIT_REST_SECONDS * 1_000,
      readCaptions: createCaptionReader(threads),
      tokens: env.PO_TOKEN_ORIGIN ? createHttpTokenProvider(env.PO_TOKEN_ORIGIN) : undefined,
      monitor: createPlatformMonitor(metrics.counter),
      log: (message, fields) => log.warn(message, { ...fields }),
    }),
    summarizer: createSummarizer(env, modelSlots, threads),
    largeVideos: createDoor(LARGE_AT_ONCE),
    claim: createClaimer({ db }, env.ACCOUNT_MAX_RUNNING),
    countJob: metrics.counter('subtext_jobs_total', 'Tries of jobs, by what became of them.', ['outcome']),
    work: {
      leaseSeconds: env.JOB_LEASE_SECONDS,
      timeoutMs: env.JOB_TIMEOUT_SECONDS * 1_000,
      retention: {
        resultsDays: env.RETENTION_RESULTS_DAYS,
        cacheDays: env.RETENTION_CACHE_DAYS,
        webhooksDays: env.RETENTION_WEBHOOKS_DAYS,
      },
      accountMaxRunning: env.ACCOUNT_MAX_RUNNING,
      retrySchedule: env.JOB_RETRY_SCHEDULE,
    },
  }
  return {
    context,
    async close() {
      await Promise.allSettled([producer.close(), signals.close(), modelSlots.close(), threads.close(), db.close()])
    },
  }
}

function createSummarizer(env: WorkerEnv, gate: SharedSlots, threads: ThreadPool): Summarizer {
  if (env.SUMMARIZER === 'extractive' || !env.ANTHROPIC_API_KEY) return createApartSummarizer(threads)
  const model = createAnthropicModel({
    apiKey: env.ANTHROPIC_API_KEY,
    baseUrl: env.ANTHROPIC_BASE_URL,
    model: env.SUMMARY_MODEL,
    gate,
  })
  const summarizer = createModelSummarizer(model, {
    computeCostUsd: createCostComputer(env.MODEL_PRICES),
    maxPromptTokens: env.SUMMARY_MAX_PROMPT_TOKENS,
  })
  return withSubstitute(summarizer, createApartSummarizer(threads))
}
