import { type BlobStore, createBlobStore } from '@subtext/blobs'
import type { Context } from '@subtext/core/context'
import { createRecentFailures, openDatabaseClock, type RecentFailures } from '@subtext/core/coordination'
import { type ClaimJob, createAcceptor, createClaimer, type SweepProducer } from '@subtext/core/jobs'
import { createLibraryFiller, type IndexTranscript, type LibraryFiller } from '@subtext/core/library'
import type { RetentionPolicy } from '@subtext/core/retention'
import { createDownloader } from '@subtext/core/sources'
import type { SpendingSettings } from '@subtext/core/spending'
import { oldestCurrent } from '@subtext/core/videos'
import { openDb } from '@subtext/db'
import { createRenderer } from '@subtext/documents'
import { openModel } from '@subtext/llm'
import { promptLimitsOf, selectPricing } from '@subtext/llm/settings'
import { createModelSlots, createNotifier, createProducer, createSharedTimes } from '@subtext/queue'
import { createLogger, endsWithin, type FirstTimes, type Logger, publicBaseUrlOf } from '@subtext/runtime'
import {
  createHttpTokenProvider,
  createThumbnailSource,
  createYoutubeSource,
  DOUBT_MS,
  type FetchThumbnail,
  type VideoSource,
  withSamplePages,
  withSampleVideos,
} from '@subtext/youtube'
import type { DigestLaneContext } from './digests/work-on-digest.ts'
import { selectRetention, type WorkerEnv } from './env.ts'
import type { CountExtraction, CountWoken, JobMetrics, WorkerMetrics } from './metrics.ts'
import { createLargeVideos, type LargeVideos } from './pipeline/large-videos.ts'
import { createFeedLister } from './podcasts/list-feed.ts'
import { createEpisodeOpener, type OpenEpisode } from './podcasts/open-episode.ts'
import { withSamplePodcast } from './podcasts/with-sample-podcast.ts'
import type { SourceLaneContext } from './sources/work-on-source.ts'
import type { CheckContext } from './subscriptions/check-source.ts'
import type { ItemContext } from './subscriptions/item-context.ts'
import { createThreadedIndexer } from './threads/index-in-thread.ts'
import { openThreads, type Threads } from './threads/open-threads.ts'
import { createThreadedCaptionReader } from './threads/read-captions-in-thread.ts'
import { createThreadedFileReader } from './threads/read-file-in-thread.ts'
import { createThreadedSummarizer } from './threads/summarize-in-thread.ts'
import { createWriters, type Writers, type WritingParts } from './writers.ts'

export interface WorkerContext extends Context, Writers {
  producer: SweepProducer
  source: VideoSource
  openEpisode: OpenEpisode
  blobs: BlobStore
  fetchThumbnail: FetchThumbnail
  recentFailures: RecentFailures
  indexTranscript: IndexTranscript
  libraryFiller: LibraryFiller
  /** Origin at which callers reach the API. */
  publicBaseUrl: string
  work: WorkSettings
  spending: SpendingSettings
  claim: ClaimJob
  largeVideos: LargeVideos
  metrics: { jobs: JobMetrics; countWoken: CountWoken; countExtraction: CountExtraction }
}

export interface WorkSettings {
  leaseSeconds: number
  timeoutMs: number
  /** Maximum number of an account's running jobs in a lane while other accounts wait for slots. */
  accountMaxRunning: number
  /** Null if the `purge` command, not this worker, deletes expired data. */
  retention: RetentionPolicy | null
  /** Seconds before the second, third, ... attempt. */
  retrySchedule: readonly number[]
  /** Maximum total time that a job waits while no egress is available; 0 retries it by the schedule instead. */
  maxWaitSeconds: number
}

const CONNECT_TIMEOUT_MS = 2_000
const CLOSE_TIMEOUT_MS = 1_500
const MINUTE_MS = 60_000
/**
 * Returns how long to wait for an answer of the database before the connection counts as lost. Short enough to extend leases
 * over another connection before they expire.
 */
const selectQueryTimeout = (leaseSeconds: number): number =>
  Math.min(30_000, Math.max(2_000, (leaseSeconds * 1_000) / 3))

/** How long a call waits for running ones whose reservations leave too little for it. Most end sooner. */
const SPENDING_PATIENCE_MS = 30_000
const selectSpending = (env: WorkerEnv, metrics: WorkerMetrics): SpendingSettings => ({
  dailyLimitUsd: env.DAILY_SPEND_LIMIT_USD ?? null,
  patienceMs: SPENDING_PATIENCE_MS,
  countRefused: metrics.countSpendingRefused,
})

/** Limits of the process that draws infographics. One takes a fraction of a second and about 200 MB. */
const RENDER_LIMITS = { maxRenders: 1, cpuMs: 30_000, memoryBytes: 512 * 1024 ** 2 }

interface OpenWorkerContext {
  context: WorkerContext
  sources: SourceLaneContext
  subscriptions: CheckContext & ItemContext
  digests: DigestLaneContext
  close: () => Promise<void>
}

/** Opens everything that a worker needs. */
export function createContext(
  env: WorkerEnv,
  metrics: WorkerMetrics,
  queryTimeoutMs = selectQueryTimeout(env.JOB_LEASE_SECONDS),
): OpenWorkerContext {
  const log = createLogger('worker', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs,
    monitor: metrics.database,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const databaseClock = openDatabaseClock(db, log)
  const clock = databaseClock.now
  const queue = { url: env.REDIS_URL, prefix: env.QUEUE_PREFIX }
  const producer = createProducer({ ...queue, onLost: (jobs) => metrics.countLost('wake', jobs) })
  const notifier = createNotifier({ ...queue, onLost: metrics.countLost }, ['cancel', 'listing'])
  const modelSlots = createModelSlots({ ...queue, group: 'batch', maxCalls: env.MODEL_CONCURRENCY })
  const doubtTimes = createSharedTimes({ ...queue, name: 'doubts', keepMs: DOUBT_MS })
  const threads = openThreads()
  const model = openModel(env, { gate: modelSlots, monitor: metrics.model, log })
  if (model) metrics.observeModelSlots(modelSlots)
  const renderer = createRenderer({ ...RENDER_LIMITS, observe: metrics.renders.observe })
  metrics.renders.watch(renderer)
  const extractive = createThreadedSummarizer(threads)
  const indexTranscript = createThreadedIndexer(threads)
  const { source, pages, openEpisode, listFeed } = createSource(env, { threads, doubtTimes, metrics, log })
  const context: WorkerContext = {
    db,
    producer,
    notifier,
    clock,
    log,
    blobs: createBlobStore(env.BLOB_STORE_URL, metrics.blobs),
    source,
    openEpisode,
    fetchThumbnail: createThumbnailSource({ origin: env.YOUTUBE_ORIGIN, hasSamples: env.SAMPLE_VIDEOS }),
    indexTranscript,
    libraryFiller: createLibraryFiller({ db, clock, log }, indexTranscript),
    ...createWriters(env, { extractive, model, metrics }, renderer),
    publicBaseUrl: publicBaseUrlOf(env),
    largeVideos: createLargeVideos(),
    recentFailures: createRecentFailures(),
    claim: createClaimer({ db }, env.ACCOUNT_MAX_RUNNING, () => ({
      leaseSeconds: env.JOB_LEASE_SECONDS,
      notBefore: oldestCurrent({ clock }),
    })),
    metrics,
    spending: selectSpending(env, metrics),
    work: selectWork(env),
  }
  return {
    context,
    sources: {
      ...{ db, notifier, clock, log, pages, listFeed, listingEnded: metrics.listingEnded },
      ...selectListingSettings(env),
    },
    digests: createDigestContext(env, context, { model, extractive, metrics }),
    subscriptions: { ...selectSubscriptionSettings(env, metrics), ...context, pages, accept: createAcceptor(context) },
    async close() {
      renderer.close()
      databaseClock.close()
      const open = [producer, notifier, modelSlots, doubtTimes, threads, db]
      await endsWithin(CLOSE_TIMEOUT_MS, Promise.allSettled(open.map((each) => each.close())))
    },
  }
}

const selectWork = (env: WorkerEnv): WorkSettings => ({
  ...selectListingSettings(env),
  timeoutMs: env.JOB_TIMEOUT_SECONDS * 1_000,
  retention: env.PURGE_IN_WORKERS ? selectRetention(env) : null,
  accountMaxRunning: env.ACCOUNT_MAX_RUNNING,
})

const createDigestContext = (
  env: WorkerEnv,
  { db, notifier, clock, log, spending }: WorkerContext,
  { model, extractive, metrics }: WritingParts,
): DigestLaneContext => ({
  ...{ db, notifier, clock, log, spending, model, extractive },
  ...selectListingSettings(env),
  limits: promptLimitsOf(env),
  digestEnded: metrics.digestEnded,
})

const selectSubscriptionSettings = (env: WorkerEnv, { checkEnded, itemWorked }: WorkerMetrics) => ({
  planQuotas: env.PLAN_QUOTAS,
  submitPolicy: { spending: { model: selectPricing(env), dailyLimitUsd: env.DAILY_SPEND_LIMIT_USD ?? null } },
  leaseSeconds: env.JOB_LEASE_SECONDS,
  checkIntervalMs: env.SOURCE_CHECK_MINUTES * MINUTE_MS,
  itemRetrySchedule: env.SOURCE_RETRY_SCHEDULE,
  checkEnded,
  itemWorked,
})

/** Settings that jobs, listings and digests share. */
const selectListingSettings = (
  env: WorkerEnv,
): Pick<SourceLaneContext, 'leaseSeconds' | 'retrySchedule' | 'maxWaitSeconds'> => ({
  leaseSeconds: env.JOB_LEASE_SECONDS,
  retrySchedule: env.JOB_RETRY_SCHEDULE,
  maxWaitSeconds: env.JOB_MAX_WAIT_SECONDS,
})

/**
 * These videos have been public for years, in all countries. A deleted one would serve as well: any answer shows that the
 * egress works.
 */
const CONTROL_VIDEO_IDS = ['jNQXAC9IVRw', 'dQw4w9WgXcQ', '9bZkp7q19f0']

interface SourceParts {
  threads: Threads
  doubtTimes: FirstTimes
  metrics: WorkerMetrics
  log: Logger
}

function createSource(
  env: WorkerEnv,
  { threads, doubtTimes, metrics, log }: SourceParts,
): Pick<WorkerContext, 'source' | 'openEpisode'> & Pick<SourceLaneContext, 'pages' | 'listFeed'> {
  const clients = env.YOUTUBE_CLIENTS
  const readCaptions = createThreadedCaptionReader(threads)
  const source = createYoutubeSource({
    origin: env.YOUTUBE_ORIGIN,
    proxyUrls: env.PROXY_URLS ?? [],
    clients,
    restMs: env.BLOCKED_EGRESS_REST_SECONDS * 1_000,
    readCaptions,
    doubtTimes,
    controlVideoIds: CONTROL_VIDEO_IDS,
    tokens: env.PO_TOKEN_ORIGIN ? createHttpTokenProvider(env.PO_TOKEN_ORIGIN) : undefined,
    monitor: metrics.platform,
    log: (message, fields) => log.warn(message, fields),
  })
  const podcasts = openPodcasts(env, threads)
  if (!env.SAMPLE_VIDEOS) return { source, pages: source.pages, ...podcasts }
  return {
    ...podcasts,
    source: withSampleVideos(source, { clients, readCaptions }),
    pages: withSamplePages(source.pages, { clients }),
  }
}

/** Opens what reads feeds and their transcripts. */
function openPodcasts(
  env: WorkerEnv,
  threads: Threads,
): Pick<WorkerContext, 'openEpisode'> & Pick<SourceLaneContext, 'listFeed'> {
  const origin = publicBaseUrlOf(env)
  const guarded = createDownloader({ allowPrivate: env.WEBHOOK_ALLOW_PRIVATE })
  const download = env.SAMPLE_VIDEOS ? withSamplePodcast(guarded, origin) : guarded
  return {
    openEpisode: createEpisodeOpener(download, createThreadedFileReader(threads)),
    listFeed: createFeedLister(download, origin),
  }
}
