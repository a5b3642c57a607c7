import type { Lane } from '@subtext/contracts'
import { createProducer } from '@subtext/queue'
import { Queue } from 'bullmq'
import { v7 as newId } from 'uuid'
import type { Benchmark } from './benchmark.ts'
import type { Child } from './child-process.ts'
import { compare, type Side } from './compare.ts'
import type { TestBed } from './test-bed.ts'
import { updateStatistics } from './update-statistics.ts'

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

const CONCURRENCY = 8
const ROUNDS = 7
/** Enough for the compiler to be done before the first round. */
const JOBS = 400
/** As many as run at once have one job each, so that no job is held back for others of its account. */
const ACCOUNTS = Array.from({ length: 20 }, () => newId())
// Different from those of the API benchmarks, whose accepted jobs are still queued.
const OUR_PREFIX = 'bench-work'
const BASELINE_PREFIX = 'baseline-work'

interface WorkerSetup {
  testBed: TestBed
  ours: Child
  baseline: Child
  enqueueOurs(jobIds: string[]): Promise<void>
  enqueueBaseline(jobIds: string[]): Promise<void>
  started?: Promise<void>
}

export async function openWorkerBenchmarks(testBed: TestBed): Promise<Benchmark[]> {
  const { redisUrl } = testBed.servers
  const producer = createProducer({ url: redisUrl, prefix: OUR_PREFIX })
  testBed.onClose(producer.close)
  const queue = new Queue('jobs', { connection: { url: redisUrl }, prefix: BASELINE_PREFIX })
  testBed.onClose(() => queue.close())
  await queue.waitUntilReady()
  const setup: WorkerSetup = {
    testBed,
    ours: testBed.start(new URL('./our-worker-process.ts', import.meta.url)),
    baseline: testBed.start(new URL('./baseline-worker-process.ts', import.meta.url)),
    enqueueOurs: (jobIds) => producer.wakeJobs(jobIds.map((id) => ({ id, lane: 'normal' }))),
    async enqueueBaseline(jobIds) {
      await queue.addBulk(jobIds.map((jobId) => ({ name: 'process', data: { jobId } })))
    },
  }
  return [
    workBenchmark(setup, 'a video seen before', () => 'keptkeptkep', ACCOUNTS),
    workBenchmark(setup, 'a new video', () => newId().slice(-11), ACCOUNTS),
    workBenchmark(setup, 'a video seen before, one account', () => 'keptkeptkep', ACCOUNTS.slice(0, 1)),
  ]
}

function workBenchmark(setup: WorkerSetup, what: string, nextVideo: () => string, accounts: string[]): Benchmark {
  const { testBed, ours, baseline, enqueueOurs, enqueueBaseline } = setup
  const side = (process: Child, database: Database, count: number, enqueue: (ids: string[]) => Promise<void>): Side => {
    let ids: string[] = []
    return {
      process,
      async prepare() {
        const jobs = Array.from({ length: count }, () => ({ id: newId(), video: nextVideo() }))
        ids = jobs.map(({ id }) => id)
        await database.query(INSERT_JOBS, [ids, jobs.map(({ video }) => video), accounts])
        await updateStatistics(database)
      },
      async run() {
        const startedAt = performance.now()
        await Promise.all([process.call('waitForCount', count), enqueue(ids)])
        return { count, seconds: (performance.now() - startedAt) / 1_000 }
      },
      async verify() {
        const completed = (await database.query(COUNT_COMPLETED, [ids])).rows[0] as { jobs: number } | undefined
        if (completed?.jobs !== count) throw new Error(`${completed?.jobs} jobs were completed instead of ${count}.`)
      },
    }
  }
  return {
    name: `do a job without work, ${what}`,
    async run() {
      setup.started ??= startWorkers(setup)
      await setup.started
      const sides = {
        ours: side(ours, testBed.db, JOBS, enqueueOurs),
        floor: side(baseline, testBed.baseline, JOBS, enqueueBaseline),
      }
      return compare(testBed.servers, sides, ROUNDS)
    },
  }
}

async function startWorkers({ testBed, ours, baseline }: WorkerSetup): Promise<void> {
  // A worker sweeps up what the benchmarks of the API have accepted.
  await testBed.db.query("DELETE FROM jobs WHERE status = 'queued'")
  const options = { redisUrl: testBed.servers.redisUrl, concurrency: CONCURRENCY }
  await ours.call('start', { ...options, databaseUrl: testBed.url, prefix: OUR_PREFIX } satisfies WorkOptions)
  const baselineOptions = { ...options, databaseUrl: testBed.baselineUrl, prefix: BASELINE_PREFIX }
  await baseline.call('start', baselineOptions satisfies WorkOptions)
}

interface Database {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

const COUNT_COMPLETED = `SELECT count(*)::int AS jobs FROM jobs WHERE id = ANY ($1::uuid[]) AND status = 'completed'`

const INSERT_JOBS = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, ($3::uuid[])[1 + nth % cardinality($3::uuid[])], 'normal', 'normal', video_id,
  '{"max_transcript_length":10000000,"include_comments":false,"summary_modes":["tldr"],"generate_infographic":false}',
  now() + interval '1 hour', now(), now()
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS j(id, video_id, nth)`
