import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestBlobs } from '@subtext/blobs/testing'
import {
  type CaptionTrack,
  type CleaningReport,
  type Cue,
  type JobOptions,
  ServiceError,
  type SummaryMode,
  type VideoComment,
} from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { createRecentFailures } from '@subtext/core/coordination'
import { createClaimer, type Job, type NewJob } from '@subtext/core/jobs'
import { storeJob } from '@subtext/core/testing'
import { oldestCurrent } from '@subtext/core/videos'
import { openPrismaDb, type PrismaDb } from '@subtext/db/prisma'
import { createTestDatabase } from '@subtext/db/testing'
import { openTcpLink, type TcpLink } from '@subtext/embedded/testing'
import { createMetrics, type Metrics } from '@subtext/runtime'
import { createExtractiveSummarizer, createExtractor, type UnwrittenSummary } from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import { createWorkerMetrics } from '../metrics.ts'
import { createLargeVideos } from '../pipeline/large-videos.ts'
import { processJob } from '../processors/process-job.ts'
import { indexInline } from '../threads/index-in-thread.ts'

const TRACKS: CaptionTrack[] = [
  { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
  { key: '.de', language: 'de', kind: 'manual', name: 'Deutsch', isDefault: false },
]
const OPTIONS: JobOptions = {
  summary_modes: ['tldr'],
  max_transcript_length: 10_000_000,
  include_comments: false,
  generate_infographic: false,
}
const NOTHING_CLEANED: CleaningReport = {
  removed_duplicates: 0,
  removed_non_speech: 0,
  characters_before: 24,
  characters_after: 24,
}

export const newCues = (language: string): Cue[] =>
  ['one', 'two', 'three'].map((word, index) => ({
    startMs: index * 1_000,
    durationMs: 900,
    text: `${word} (${language})`,
  }))

/** Stubs of the platform and the summarizer that record their calls and behave as the test says. */
export interface Stubs {
  videos: string[]
  captions: string[]
  summaries: SummaryMode[]
  /** Run before each answer. */
  beforeVideo: (signal: AbortSignal) => Promise<void>
  beforeSummary: (mode: SummaryMode, signal: AbortSignal) => Promise<void>
  /** Modes that cannot be written, with the reason. */
  unwritable: Map<SummaryMode, Omit<UnwrittenSummary, 'mode'>>
  /** Null if not available. */
  comments: VideoComment[] | null
  /** Null if not available. */
  thumbnail: Uint8Array | null
}

/** The context of a worker, with a store that tests can also read through Prisma. */
type TestContext = WorkerContext & { db: PrismaDb }

export interface TestWorker {
  ctx: TestContext
  /** The metrics of `ctx`. */
  registry: Metrics
  stubs: Stubs
  outcomes: unknown[]
  notifications: string[]
  /** Stores a job. */
  submit(overrides?: Partial<Omit<NewJob, 'options'>>, options?: Partial<JobOptions>): Promise<Job>
  /** Processes a job until its attempt ends. `stopping` aborts when the worker stops. */
  run(job: { id: string }, stopping?: AbortSignal): Promise<void>
  /** Returns the row of a job. */
  row(job: { id: string }): ReturnType<typeof findRow>
  /** Ends the pauses of all jobs, as if their time had come. */
  passTime(): Promise<void>
  /** From now on, connects to the database through a link that the test can cut and heal. */
  useBreakableLink(): Promise<TcpLink>
  close(): Promise<void>
}

const findRow = (ctx: TestContext, id: string) => ctx.db.prisma.job.findUniqueOrThrow({ where: { id } })

const newStubs = (): Stubs => ({
  videos: [],
  captions: [],
  summaries: [],
  beforeVideo: async () => {},
  beforeSummary: async () => {},
  unwritable: new Map(),
  comments: null,
  thumbnail: null,
})

function createStubPorts(
  stubs: Stubs,
): Pick<
  WorkerContext,
  'source' | 'openEpisode' | 'fetchThumbnail' | 'summarizer' | 'extractor' | 'infographics' | 'publicBaseUrl'
> {
  return {
    fetchThumbnail: async () => stubs.thumbnail,
    extractor: createExtractor({ extractive: createExtractiveSummarizer(), model: null }),
    infographics: null,
    publicBaseUrl: 'https://api.example.org',
    openEpisode: () => {
      throw new Error('There are no episodes.')
    },
    source: {
      async fetchVideo(videoId, { signal }) {
        stubs.videos.push(videoId)
        await stubs.beforeVideo(signal)
        return {
          info: newVideoInfo(videoId),
          tracks: TRACKS,
          async fetchTranscript(track) {
            stubs.captions.push(track.key)
            return { cues: newCues(track.language), cleaning: NOTHING_CLEANED }
          },
        }
      },
      async fetchComments() {
        if (!stubs.comments) throw new ServiceError('UPSTREAM_BLOCKED')
        return stubs.comments
      },
    },
    summarizer: {
      model: 'stub-model',
      promptVersion: '1',
      canTranslate: true,
      async summarize(_source, modes, { signal, onSummary }) {
        const unwritten = []
        for (const mode of modes) {
          stubs.summaries.push(mode)
          await stubs.beforeSummary(mode, signal)
          const failure = stubs.unwritable.get(mode)
          if (failure) unwritten.push({ mode, ...failure })
          else {
            const content = { overview: [{ text: `${mode} text`, segmentIds: [1, 2] }], sections: [] }
            const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, cacheWriteTokens: 1, costUsd: 0.01 }
            await onSummary({ mode, content, model: 'stub-model', usage })
          }
        }
        return unwritten
      },
    },
  }
}

const createJobHelpers = (ctx: TestContext): Pick<TestWorker, 'run' | 'row' | 'passTime'> => ({
  async run(job, stopping = new AbortController().signal) {
    await processJob(ctx, job.id, stopping)
  },
  row: ({ id }) => findRow(ctx, id),
  async passTime() {
    await ctx.db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
  },
})

const STUB_PRODUCER: WorkerContext['producer'] = {
  wakeJobs: async () => {},
  isConnected: () => true,
  findMissing: async (jobs) => jobs,
  keepRole: async () => true,
  dropRole: async () => {},
}

/** Opens the context of a worker on a new database, with stubs for the outside world. */
export async function openTestWorker(): Promise<TestWorker> {
  const database = await createTestDatabase()
  const db = openPrismaDb({ url: database.url, maxConnections: 8 })
  const stubs = newStubs()
  const files = await openTestBlobs()
  const outcomes: unknown[] = []
  const notifications: string[] = []
  const closing: (() => Promise<void>)[] = []
  const registry = createMetrics()
  const ctx: TestContext = {
    db,
    producer: STUB_PRODUCER,
    notifier: { publish: async (kind) => void notifications.push(kind), subscribe: () => () => {} },
    clock: () => new Date(),
    log: { info: (_message, fields) => outcomes.push(fields?.outcome), warn: () => {}, error: () => {} },
    ...createStubPorts(stubs),
    blobs: files.blobs,
    indexTranscript: indexInline,
    libraryFiller: { fill: async () => {} },
    recentFailures: createRecentFailures(),
    claim: createClaimer({ db }, 5, () => ({ leaseSeconds: ctx.work.leaseSeconds, notBefore: oldestCurrent(ctx) })),
    largeVideos: createLargeVideos(),
    spending: { dailyLimitUsd: null, patienceMs: 0, countRefused: () => {} },
    work: {
      leaseSeconds: 30,
      timeoutMs: 20_000,
      accountMaxRunning: 5,
      retention: { resultsDays: 0, cacheDays: 0, webhooksDays: 0 },
      retrySchedule: [0, 0],
      maxWaitSeconds: 3_600,
    },
    metrics: createWorkerMetrics(registry),
  }
  return {
    ctx,
    registry,
    stubs,
    outcomes,
    notifications,
    ...createJobHelpers(ctx),
    async submit(overrides = {}, options = {}) {
      // Times are stored in whole milliseconds, and what a refresh replaces must be older.
      if (overrides.forceRefresh) await sleep(5)
      const job = await storeJob(
        db,
        {
          videoId: randomUUID().slice(0, 11),
          quota: { daily: 3, monthly: 3 },
          ...overrides,
          options: { ...OPTIONS, ...options },
        },
        3,
      )
      return (await findRow(ctx, job.id)) as unknown as Job
    },
    async useBreakableLink() {
      const link = await openTcpLink(database.url)
      const linked = openPrismaDb({ url: link.url, maxConnections: 4, onIdleError: () => {} })
      ctx.db = linked
      closing.push(linked.close, link.close)
      return link
    },
    async close() {
      for (const end of closing) await end()
      await db.close()
      await database.drop()
      await files.remove()
    },
  }
}
