import { createProducer } from '@subtext/queue'
import { Queue } from 'bullmq'
import { v7 as newId } from 'uuid'
import type { Benchmark } from './benchmark.ts'
import type { Child } from './child-process.ts'
import { compare, type Side } from './compare.ts'
import type { TestBed } from './test-bed.ts'

/** What a worker process has to do. */
export interface WorkOptions {
  databaseUrl: string
  redisUrl: string
  prefix: string
  concurrency: number
  /** Number of waiting jobs; the round is over when they have ended. */
  count: number
}

export interface WorkReport {
  count: number
  seconds: number
}

const CONCURRENCY = 8
const ROUNDS = 5
const OUR_JOBS = 200
const BASELINE_JOBS = 800
const USER = newId()
// Different from those of the API benchmarks, whose accepted jobs are still queued.
const OUR_PREFIX = 'bench-work'
const BASELINE_PREFIX = 'baseline-work'

interface WorkerSetup {
  testBed: TestBed
  ours: Child
  baseline: Child
  enqueueOurs(jobIds: string[]): Promise<void>
  enqueueBaseline(jobIds: string[]): Promise<void>
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
    workBenchmark(setup, 'a video seen before', () => 'keptkeptkep'),
    workBenchmark(setup, 'a new video', () => newId().slice(-11)),
  ]
}

function workBenchmark(
  { testBed, ours, baseline, enqueueOurs, enqueueBaseline }: WorkerSetup,
  what: string,
  nextVideo: () => string,
): Benchmark {
  const options = { redisUrl: testBed.servers.redisUrl, concurrency: CONCURRENCY }
  const seed = async (
    db: { query: (text: string, values: unknown[]) => Promise<unknown> },
    count: number,
  ): Promise<string[]> => {
    const jobs = Array.from({ length: count }, () => ({ id: newId(), video: nextVideo() }))
    const ids = jobs.map(({ id }) => id)
    await db.query(INSERT_JOBS, [ids, jobs.map(({ video }) => video), USER])
    return ids
  }
  const oursSide: Side = {
    process: ours,
    prepare: async () => enqueueOurs(await seed(testBed.db, OUR_JOBS)),
    run: () =>
      ours.call<WorkReport>('work', {
        ...options,
        databaseUrl: testBed.url,
        prefix: OUR_PREFIX,
        count: OUR_JOBS,
      } satisfies WorkOptions),
  }
  const baselineSide: Side = {
    process: baseline,
    prepare: async () => enqueueBaseline(await seed(testBed.baseline, BASELINE_JOBS)),
    run: () =>
      baseline.call<WorkReport>('work', {
        ...options,
        databaseUrl: testBed.baselineUrl,
        prefix: BASELINE_PREFIX,
        count: BASELINE_JOBS,
      } satisfies WorkOptions),
  }
  return { name: `do a job without work, ${what}`, run: () => compare(testBed, oursSide, baselineSide, ROUNDS) }
}

const INSERT_JOBS = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, $3, 'normal', 'normal', video_id,
  '{"max_transcript_length":10000000,"include_comments":false,"summary_modes":["tldr"],"generate_infographic":false}',
  now() + interval '1 hour', now(), now()
FROM unnest($1::uuid[], $2::text[]) AS j(id, video_id)`
