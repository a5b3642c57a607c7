import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { createAcceptor, createClaimer } from '@subtext/core/jobs'
import { openDb } from '@subtext/db'
import { createTestDatabase, newJob } from '@subtext/db/testing'
import { createConsumer, createNotifier, createProducer } from '@subtext/queue'
import { testQueue } from '@subtext/queue/testing'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'
import { createLargeVideos } from '../pipeline/large-videos.ts'
import { createRecentFailures } from '../pipeline/recent-failures.ts'
import { startSweeping } from '../processors/maintenance.ts'
import { processJob } from '../processors/process-job.ts'

export interface LaneTrialOptions {
  /** Milliseconds that each job takes, apart from its database work. */
  jobMs: number
  concurrency?: number
  maxRunning?: number
}

/** A worker in this process whose jobs only sleep. */
export interface LaneTrial {
  submit(userId: string, lane: Lane, count: number): Promise<string[]>
  /** Starts the worker. */
  start(): void
  /** Returns the milliseconds from acceptance to start, or null for jobs that have not started. */
  waits(jobIds: string[]): Promise<(number | null)[]>
  /** Counts the jobs that are running now, by account. */
  running(lane: Lane): Promise<Map<string, number>>
  close(): Promise<void>
}

const NEVER = new AbortController().signal
const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const NOTHING_CLEANED = { removed_duplicates: 0, removed_non_speech: 0, characters_before: 0, characters_after: 0 }
const ignore = (): void => {}

function createPorts(jobMs: number): Pick<WorkerContext, 'source' | 'summarizer'> {
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
  return {
    source: {
      async fetchVideo(videoId) {
        await sleep(jobMs)
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

/** Opens the context of a worker whose jobs only sleep, and returns how to close it. */
async function openTrialContext({ jobMs, maxRunning }: Required<Omit<LaneTrialOptions, 'concurrency'>>) {
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
    ...createPorts(jobMs),
    recentFailures: createRecentFailures(),
    work: {
      leaseSeconds: 15,
      timeoutMs: 60_000,
      retrySchedule: [],
      accountMaxRunning: maxRunning,
      retention: { resultsDays: 0, cacheDays: 0, webhooksDays: 0 },
    },
    claim: createClaimer({ db }, maxRunning),
    largeVideos: createLargeVideos(),
    countJob: ignore,
  }
  const close = async (): Promise<void> => {
    await Promise.all([producer.close(), notifier.close(), db.close()])
    await database.drop()
  }
  return { ctx, db, queue, close }
}

export async function openLaneTrial({ jobMs, concurrency = 8, maxRunning = 5 }: LaneTrialOptions): Promise<LaneTrial> {
  const { ctx, db, queue, close } = await openTrialContext({ jobMs, maxRunning })
  const accept = createAcceptor(ctx)
  const stops: (() => Promise<unknown>)[] = []
  return {
    async submit(userId, lane, count) {
      const jobs = Array.from({ length: count }, () =>
        newJob({ id: newId(), userId, lane, priority: lane, videoId: newId().slice(-11) }),
      )
      await Promise.all(jobs.map(accept))
      return jobs.map(({ id }) => id)
    },
    start() {
      const consumer = createConsumer({
        ...queue,
        lanes: ['high', 'normal'],
        concurrency,
        deadAfterSeconds: 15,
        onError: ignore,
        process: (jobId, capacity) => processJob(ctx, jobId, NEVER, capacity).catch(ignore),
      })
      stops.push(startSweeping(ctx, consumer.capacities), consumer.pause, consumer.close)
    },
    async waits(jobIds) {
      const { rows } = await db.query<{ ms: number | null }>(
        'SELECT (extract(epoch FROM started_at - created_at) * 1000)::float AS ms FROM jobs WHERE id = ANY ($1::uuid[])',
        [jobIds],
      )
      return rows.map(({ ms }) => ms)
    },
    async running(lane) {
      const { rows } = await db.query<{ userId: string; jobs: number }>(
        `SELECT user_id AS "userId", count(*)::int AS jobs FROM jobs
         WHERE lane = $1 AND lease_token IS NOT NULL GROUP BY 1`,
        [lane],
      )
      return new Map(rows.map(({ userId, jobs }) => [userId, jobs]))
    },
    async close() {
      for (const stop of stops) await stop()
      await close()
    },
  }
}

/** Returns the value that the given share of values does not exceed. Missing values count as larger than all others. */
export function percentile(values: (number | null)[], share: number): number {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
