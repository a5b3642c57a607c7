import { UNAVAILABLE_BLOBS } from '@subtext/blobs/testing'
import type { Lane } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { createRecentFailures } from '@subtext/core/coordination'
import { createAcceptor, createClaimer } from '@subtext/core/jobs'
import { newJob } from '@subtext/core/testing'
import { openDb } from '@subtext/db'
import { createTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { createConsumer, createNotifier, createProducer } from '@subtext/queue'
import { testQueue } from '@subtext/queue/testing'
import { createMetrics } from '@subtext/runtime'
import { createExtractiveSummarizer, createExtractor } from '@subtext/summarize'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'
import { createWorkerMetrics } from '../metrics.ts'
import { createLargeVideos } from '../pipeline/large-videos.ts'
import { startSweeping } from '../processors/maintenance.ts'
import { processJob } from '../processors/process-job.ts'
import { indexInline } from '../threads/index-in-thread.ts'

export interface LaneTrialOptions {
  concurrency?: number
  maxRunning?: number
}

export interface RunningJob {
  id: string
  userId: string
  lane: Lane
}

/** A worker in this process whose jobs run until they are told to end, so that tests can count what starts in between. */
export interface LaneTrial {
  submit(userId: string, lane: Lane, count: number): Promise<void>
  /** Starts the worker. */
  start(): void
  /** Returns the jobs that are running now, in the order of their start. */
  running(): Promise<RunningJob[]>
  /** Counts the jobs of a lane that have started so far, those of one account or all. */
  countStarted(lane: Lane, userId?: string): Promise<number>
  /** Lets a running job end, and resolves when it has ended. */
  finish(job: RunningJob): Promise<void>
  close(): Promise<void>
}

/** Longer than any test takes on a busy machine. */
const LEASE_SECONDS = 600
const NEVER = new AbortController().signal
const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const NOTHING_CLEANED = { removed_duplicates: 0, removed_non_speech: 0, characters_before: 0, characters_after: 0 }
const ignore = (): void => {}

/** Holds every job back at its first step, by the ID of its video. */
interface Gates {
  pass(videoId: string): Promise<void>
  open(videoId: string): void
  openAll(): void
}

function createGates(): Gates {
  const waiting = new Map<string, () => void>()
  const opened = new Set<string>()
  let allOpen = false
  return {
    async pass(videoId) {
      if (allOpen || opened.has(videoId)) return
      await new Promise<void>((resolve) => waiting.set(videoId, resolve))
    },
    // A job is running before it reaches its gate.
    open(videoId) {
      opened.add(videoId)
      waiting.get(videoId)?.()
    },
    openAll() {
      allOpen = true
      for (const resolve of waiting.values()) resolve()
    },
  }
}

function createPorts(gates: Gates): Pick<WorkerContext, 'source' | 'openEpisode' | 'summarizer'> {
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
  return {
    openEpisode: () => {
      throw new Error('There are no episodes.')
    },
    source: {
      async fetchVideo(videoId) {
        await gates.pass(videoId)
        const cues = [{ startMs: 0, durationMs: 1_000, text: 'one' }]
        return {
          info: newVideoInfo(videoId),
          tracks: [TRACK],
          fetchTranscript: async () => ({ cues, cleaning: NOTHING_CLEANED }),
        }
      },
      fetchComments: async () => [],
    },
    summarizer: {
      model: 'none',
      promptVersion: '1',
      canTranslate: false,
      async summarize(_source, modes, { onSummary }) {
        const content = { overview: [], sections: [] }
        for (const mode of modes) await onSummary({ mode, content, model: 'none', usage })
        return []
      },
    },
  }
}

/** Opens the context of a worker whose jobs wait at `gates`. Returns the function that closes it. */
async function openTrialContext(gates: Gates, maxRunning: number) {
  const database = await createTestDatabase()
  const db = openDb({ url: database.url, maxConnections: 12 })
  const queue = testQueue()
  const producer = createProducer(queue)
  const notifier = createNotifier(queue, ['cancel'])
  const ctx: WorkerContext = {
    db,
    producer,
    notifier,
    clock: () => new Date(),
    log: { info: ignore, warn: ignore, error: ignore },
    ...createPorts(gates),
    blobs: UNAVAILABLE_BLOBS,
    extractor: createExtractor({ extractive: createExtractiveSummarizer(), model: null }),
    infographics: null,
    publicBaseUrl: 'https://api.example.org',
    fetchThumbnail: async () => null,
    indexTranscript: indexInline,
    libraryFiller: { fill: async () => {} },
    recentFailures: createRecentFailures(),
    spending: { dailyLimitUsd: null, patienceMs: 0, countRefused: () => {} },
    work: {
      leaseSeconds: LEASE_SECONDS,
      timeoutMs: LEASE_SECONDS * 1_000,
      retrySchedule: [],
      maxWaitSeconds: 0,
      accountMaxRunning: maxRunning,
      retention: { resultsDays: 0, cacheDays: 0, webhooksDays: 0 },
    },
    claim: createClaimer({ db }, maxRunning, () => ({ leaseSeconds: LEASE_SECONDS })),
    largeVideos: createLargeVideos(),
    metrics: createWorkerMetrics(createMetrics()),
  }
  const close = async (): Promise<void> => {
    await Promise.all([producer.close(), notifier.close(), db.close()])
    await database.drop()
  }
  return { ctx, db, queue, close }
}

const RUNNING = 'lease_token IS NOT NULL'

export async function openLaneTrial({ concurrency = 8, maxRunning = 5 }: LaneTrialOptions = {}): Promise<LaneTrial> {
  const gates = createGates()
  const { ctx, db, queue, close } = await openTrialContext(gates, maxRunning)
  const accept = createAcceptor(ctx)
  const stops: (() => Promise<unknown>)[] = []
  return {
    async submit(userId, lane, count) {
      const jobs = Array.from({ length: count }, () =>
        newJob({ id: newId(), userId, lane, priority: lane, videoId: newId().slice(-11) }),
      )
      await Promise.all(jobs.map(accept))
    },
    start() {
      const consumer = createConsumer({
        ...queue,
        lanes: ['high', 'normal'],
        concurrency,
        deadAfterSeconds: LEASE_SECONDS,
        onError: ignore,
        process: (jobId, capacity) => processJob(ctx, jobId, NEVER, capacity).catch(() => true),
      })
      stops.push(startSweeping(ctx, consumer.capacities), consumer.pause, consumer.close)
    },
    async running() {
      const { rows } = await db.query<RunningJob>(
        `SELECT id, user_id AS "userId", lane FROM jobs WHERE ${RUNNING} ORDER BY started_at, id`,
      )
      return rows
    },
    async countStarted(lane, userId) {
      const { rows } = await db.query<{ jobs: number }>(
        `SELECT count(*)::int AS jobs FROM jobs
         WHERE lane = $1 AND ($2::uuid IS NULL OR user_id = $2) AND started_at IS NOT NULL`,
        [lane, userId ?? null],
      )
      return rows[0]?.jobs ?? 0
    },
    async finish({ id }) {
      const { rows } = await db.query<{ videoId: string }>('SELECT video_id AS "videoId" FROM jobs WHERE id = $1', [id])
      gates.open(rows[0]?.videoId ?? '')
      const running = `SELECT id FROM jobs WHERE id = $1 AND ${RUNNING}`
      await waitUntil('the job has ended', async () => (await db.query(running, [id])).rows.length === 0)
    },
    async close() {
      gates.openAll()
      for (const stop of stops) await stop()
      await close()
    },
  }
}
