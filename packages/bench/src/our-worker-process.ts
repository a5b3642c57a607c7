import { createClaimer } from '@subtext/core/jobs'
import { openDb } from '@subtext/db'
import { createConsumer, createNotifier, createProducer } from '@subtext/queue'
import { createLogger } from '@subtext/runtime'
import type { Summarizer } from '@subtext/summarize'
import {
  createLargeVideos,
  createRecentFailures,
  processJob,
  startSweeping,
  type WorkerContext,
} from '@subtext/worker/testing'
import type { VideoSource } from '@subtext/youtube'
import { answerQuestions } from './child-process.ts'
import { buildCues, buildVideo, CONTENT, NO_USAGE, TRACK } from './sample-results.ts'
import type { WorkOrder, WorkReport } from './worker-trial.ts'

const CUES = buildCues(600)
const NOTHING_CLEANED = { removed_duplicates: 0, removed_non_speech: 0, characters_before: 0, characters_after: 0 }

const source: VideoSource = {
  fetchVideo: async (videoId) => ({
    info: buildVideo(videoId),
    tracks: [TRACK],
    fetchTranscript: async () => ({ cues: CUES, cleaning: NOTHING_CLEANED }),
  }),
  fetchComments: async () => [],
}

const summarizer: Summarizer = {
  model: 'none',
  promptVersion: '1',
  canTranslate: false,
  async summarize(_source, modes, { onSummary }) {
    for (const mode of modes) await onSummary({ mode, content: CONTENT, model: 'none', usage: NO_USAGE })
    return []
  },
}

const MAX_RUNNING = 5

function createWorkerContext({ databaseUrl, redisUrl, prefix }: WorkOrder): WorkerContext {
  const queue = { url: redisUrl, prefix }
  const db = openDb({ url: databaseUrl, maxConnections: 10 })
  return {
    db,
    producer: createProducer(queue),
    notifier: createNotifier(queue, ['cancel']),
    clock: () => new Date(),
    log: createLogger('worker', 'info'),
    source,
    summarizer,
    recentFailures: createRecentFailures(),
    claim: createClaimer({ db }, MAX_RUNNING),
    largeVideos: createLargeVideos(),
    work: {
      leaseSeconds: 15,
      timeoutMs: 900_000,
      accountMaxRunning: MAX_RUNNING,
      retention: { resultsDays: 0, cacheDays: 0, webhooksDays: 0 },
      retrySchedule: [2, 10, 30],
    },
    countJob: () => onEnd(),
  }
}

let context: WorkerContext | undefined
let onEnd = (): void => {}

/** Takes the jobs that wait, until so many have ended. */
async function work(order: WorkOrder): Promise<WorkReport> {
  context ??= createWorkerContext(order)
  const ctx = context
  const never = new AbortController().signal
  const began = performance.now()
  let ended = 0
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  onEnd = () => {
    if (++ended === order.count) finish()
  }
  const consumer = createConsumer({
    url: order.redisUrl,
    prefix: order.prefix,
    lanes: ['high', 'normal'],
    concurrency: order.concurrency,
    deadAfterSeconds: 15,
    process: (jobId, capacity) => processJob(ctx, jobId, never, capacity),
    onError: (error) => ctx.log.error('queue error', { error }),
  })
  const stopSweeping = startSweeping(ctx, consumer.capacities)
  await finished
  const seconds = (performance.now() - began) / 1_000
  await Promise.all([stopSweeping(), consumer.close()])
  return { count: ended, seconds }
}

answerQuestions({ work })
