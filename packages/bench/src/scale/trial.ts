import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { createProducer, type Producer } from '@subtext/queue'
import { v7 as newId } from 'uuid'
import type { Child } from '../child-process.ts'
import { readFamilyMicros, readProcessMicros } from '../cpu-time.ts'
import type { WorkOptions } from '../our-worker-process.ts'
import type { TestBed } from '../test-bed.ts'

/** Measures how the service behaves at one scale after another. Throws if a round does not measure what it says. */
export interface ScaleTrial {
  name: string
  /** Returns the lines to print. */
  run(scale: ScaleContext): Promise<string[]>
}

export interface ScaleContext {
  testBed: TestBed
  say(text: string): void
}

/** Tasks of one trial, which no other trial sees. */
export interface TrialQueue {
  prefix: string
  producer: Producer
}

const TASKS_PER_CALL = 2_000
const ACCOUNTS = 200

export function openQueue({ testBed }: ScaleContext): TrialQueue {
  const prefix = `scale-${newId()}`
  const producer = createProducer({ url: testBed.servers.redisUrl, prefix })
  testBed.onClose(producer.close)
  return { prefix, producer }
}

/** Starts workers whose jobs wait for `waitMs` and do nothing else. */
export async function startWorkers(
  { testBed }: ScaleContext,
  count: number,
  options: Pick<WorkOptions, 'prefix' | 'concurrency'> & Partial<WorkOptions>,
): Promise<Child[]> {
  const workers = Array.from({ length: count }, () =>
    testBed.start(new URL('../our-worker-process.ts', import.meta.url)),
  )
  const servers = { databaseUrl: testBed.url, redisUrl: testBed.servers.redisUrl }
  await Promise.all(workers.map((worker) => worker.call('start', { ...servers, ...options } satisfies WorkOptions)))
  return workers
}

const INSERT_JOBS = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, md5((nth % $3)::text)::uuid, $2::lane, $2::lane, 'keptkeptkep',
  '{"max_transcript_length":10000000,"include_comments":true,"summary_modes":["tldr"],"generate_infographic":false}',
  now(), now(), now()
FROM unnest($1::uuid[]) WITH ORDINALITY AS j(id, nth)`

/** Stores jobs of many accounts that are due, and adds their tasks. Returns their IDs. */
export async function submitJobs(
  { testBed }: ScaleContext,
  { producer }: TrialQueue,
  count: number,
  lane: Lane = 'normal',
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (let start = 0; start < count; start += TASKS_PER_CALL) {
    const some = ids.slice(start, start + TASKS_PER_CALL)
    await testBed.db.query(INSERT_JOBS, [some, lane, ACCOUNTS])
    await producer.wakeJobs(some.map((id) => ({ id, lane })))
  }
  return ids
}

const COUNT_COMPLETED = `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
  count(*) FILTER (WHERE attempts <> 1 OR deaths > 0)::int AS repeated FROM jobs WHERE id = ANY ($1::uuid[])`

const POLL_MS = 100
const TIMEOUT_MS = 300_000

/** Waits until the jobs are completed. Throws if one of them was processed more than once. */
export async function untilCompleted({ testBed }: ScaleContext, ids: string[]): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await testBed.db.query<{ completed: number; repeated: number }>(COUNT_COMPLETED, [ids])
    const { completed = 0, repeated = 0 } = rows[0] ?? {}
    if (completed === ids.length) {
      if (repeated > 0) throw new Error(`${repeated} of ${ids.length} jobs were processed more than once.`)
      return
    }
    if (performance.now() > deadline) throw new Error(`${completed} of ${ids.length} jobs are completed.`)
    await sleep(POLL_MS)
  }
}

/** Deletes all jobs and what belongs to them, so that the next round begins with nothing. */
export const deleteJobs = ({ testBed }: ScaleContext) => testBed.db.query('TRUNCATE jobs CASCADE')

/** CPU time in microseconds. */
export interface Spent {
  seconds: number
  apps: number
  postgres: number
  redis: number
  all: number
}

/** Measures the CPU time of processes, Postgres and Redis while `work` runs. */
export async function spend(
  { testBed }: ScaleContext,
  processes: readonly { readonly pid: number }[],
  work: () => Promise<unknown>,
): Promise<Spent> {
  const read = () => ({
    apps: processes.reduce((sum, { pid }) => sum + readProcessMicros(pid), 0),
    postgres: readFamilyMicros(testBed.servers.postgres?.pid ?? 0),
    redis: readFamilyMicros(testBed.servers.redis?.pid ?? 0),
  })
  const [before, startedAt] = [read(), performance.now()]
  await work()
  const [after, seconds] = [read(), (performance.now() - startedAt) / 1_000]
  const [apps, postgres, redis] = [
    after.apps - before.apps,
    after.postgres - before.postgres,
    after.redis - before.redis,
  ]
  if (processes.length > 0 && apps <= 0) throw new Error('The processes did nothing in a round.')
  return { seconds, apps, postgres, redis, all: apps + postgres + redis }
}

/** Formats CPU time per item, in milliseconds. */
export const formatSpent = ({ apps, postgres, redis, all }: Spent, items: number): string => {
  const ms = (micros: number): string => (micros / items / 1_000).toFixed(2)
  return `${ms(all)} ms (${ms(apps)} + ${ms(postgres)} + ${ms(redis)})`
}

export const formatCount = (count: number): string => count.toLocaleString('en')

const NAME_WIDTH = 44
export const formatLine = (name: string, ...figures: string[]): string =>
  `  ${name.padEnd(NAME_WIDTH)}${figures.join('   ')}`
