import { setTimeout as sleep } from 'node:timers/promises'
import { UNAVAILABLE_BLOBS } from '@subtext/blobs/testing'
import { LANES, type Lane } from '@subtext/contracts'
import { buildSpeech } from '@subtext/contracts/testing'
import { createRecentFailures } from '@subtext/core/coordination'
import { createClaimer } from '@subtext/core/jobs'
import { oldestCurrent } from '@subtext/core/videos'
import { openDb } from '@subtext/db'
import { createConsumer, createNotifier, createProducer } from '@subtext/queue'
import { createLogger, createMetrics } from '@subtext/runtime'
import { createExtractor, type Summarizer } from '@subtext/summarize'
import {
  createJobMetrics,
  createLargeVideos,
  indexInline,
  processJob,
  startSweeping,
  type WorkerContext,
} from '@subtext/worker/testing'
import type { VideoSource } from '@subtext/youtube'
import { handleCalls } from './child-process.ts'
import { buildVideo, CONTENT, NO_USAGE, TRACK } from './sample-results.ts'

/** What a worker process has to do. */
export interface WorkOptions {
  databaseUrl: string
  redisUrl: string
  prefix: string
  concurrency: number
  /** Milliseconds for which each job waits. Default: 0. */
  waitMs?: number
  /** Default: both. */
  lanes?: readonly Lane[]
  /** Whether the worker has no free slots, and only sweeps. */
  isFull?: boolean
}

const CUES = buildSpeech(600)
const NOTHING_CLEANED = { removed_duplicates: 0, removed_non_speech: 0, characters_before: 0, characters_after: 0 }

const source: VideoSource = {
  fetchVideo: async (videoId) => ({
    info: buildVideo(videoId),
    tracks: [TRACK],
    fetchTranscript: async () => ({ cues: CUES, cleaning: NOTHING_CLEANED }),
  }),
  // Also of a video that is stored, so that every job waits.
  async fetchComments() {
    if (waitMs > 0) await sleep(waitMs)
    return []
  },
}
let waitMs = 0

const summarizer: Summarizer = {
  model: 'none',
  promptVersion: '1',
  canTranslate: false,
  isFree: true,
  async summarize(_source, modes, { onSummary }) {
    for (const mode of modes) await onSummary({ mode, content: CONTENT, model: 'none', usage: NO_USAGE })
    return []
  },
}

const MAX_RUNNING = 5
const LEASE_SECONDS = 15

function createWorkerContext({ databaseUrl, redisUrl, prefix }: WorkOptions): WorkerContext {
  const clock = () => new Date()
  const queue = { url: redisUrl, prefix }
  const db = openDb({ url: databaseUrl, maxConnections: 10 })
  return {
    db,
    producer: createProducer(queue),
    notifier: createNotifier(queue, ['cancel']),
    clock,
    log: createLogger('worker', 'info'),
    source,
    openEpisode: () => {
      throw new Error('There are no episodes.')
    },
    summarizer,
    extractor: createExtractor({ extractive: summarizer, model: null }),
    blobs: UNAVAILABLE_BLOBS,
    infographics: null,
    publicBaseUrl: 'https://api.example.org',
    fetchThumbnail: async () => null,
    indexTranscript: indexInline,
    libraryFiller: { fill: async () => {} },
    recentFailures: createRecentFailures(),
    claim: createClaimer({ db }, MAX_RUNNING, () => ({
      leaseSeconds: LEASE_SECONDS,
      notBefore: oldestCurrent({ clock }),
    })),
    largeVideos: createLargeVideos(),
    spending: { dailyLimitUsd: null, patienceMs: 0, countRefused: () => {} },
    work: {
      leaseSeconds: LEASE_SECONDS,
      timeoutMs: 900_000,
      accountMaxRunning: MAX_RUNNING,
      retention: { resultsDays: 0, cacheDays: 0, webhooksDays: 0 },
      maxWaitSeconds: 0,
      retrySchedule: [2, 10, 30],
    },
    metrics: { jobs: createJobMetrics(createMetrics()), countWoken: () => {}, countExtraction: () => {} },
  }
}

/** Starts a worker as in a deployment. It runs until the end, so that no round pays for its connections. */
async function start(options: WorkOptions): Promise<void> {
  const ctx = createWorkerContext(options)
  waitMs = options.waitMs ?? 0
  if (options.isFull) {
    startSweeping(ctx, () => LANES.map((lane) => [lane, { slots: options.concurrency, free: 0, reserve: 1 }]))
    return
  }
  const never = new AbortController().signal
  const consumer = createConsumer({
    url: options.redisUrl,
    prefix: options.prefix,
    lanes: options.lanes ?? LANES,
    concurrency: options.concurrency,
    deadAfterSeconds: LEASE_SECONDS,
    process: (jobId, capacity) => processJob(ctx, jobId, never, capacity),
    onError: (error) => ctx.log.error('queue error', { error }),
  })
  startSweeping(ctx, consumer.capacities)
}

handleCalls({ start })
