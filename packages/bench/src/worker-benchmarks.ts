import { fileURLToPath } from 'node:url'
import { createProducer } from '@subtext/queue'
import { Queue } from 'bullmq'
import { v7 as newId } from 'uuid'
import type { Child } from './child-process.ts'
import { compare, type Side } from './compare.ts'
import type { Laboratory } from './laboratory.ts'
import type { Trial } from './trial.ts'

/** What a worker process is asked to do. */
export interface WorkOrder {
  databaseUrl: string
  redisUrl: string
  prefix: string
  concurrency: number
  /** Jobs that wait; the work is over when they have ended. */
  count: number
}

export interface WorkReport {
  count: number
  seconds: number
}

const CONCURRENCY = 8
const ROUNDS = 5
const OUR_JOBS = 200
const BARE_JOBS = 800
const USER = newId()
// Not those of the API trials: the jobs accepted there still wait.
const OUR_PREFIX = 'bench-work'
const BARE_PREFIX = 'bare-work'

const processFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface Stage {
  lab: Laboratory
  ours: Child
  bare: Child
  /** Puts tasks into the queues; where the workers find them. */
  wakeOurs(jobIds: string[]): Promise<void>
  wakeBare(jobIds: string[]): Promise<void>
}

export async function openWorkerTrials(lab: Laboratory): Promise<Trial[]> {
  const { redisUrl } = lab.servers
  const producer = createProducer({ url: redisUrl, prefix: OUR_PREFIX })
  lab.onClose(producer.close)
  const queue = new Queue('jobs', { connection: { url: redisUrl }, prefix: BARE_PREFIX })
  lab.onClose(() => queue.close())
  await queue.waitUntilReady()
  const stage: Stage = {
    lab,
    ours: lab.start(processFile('./our-worker-process.ts')),
    bare: lab.start(processFile('./bare-worker-process.ts')),
    wakeOurs: (jobIds) => producer.wakeJobs(jobIds.map((id) => ({ id, lane: 'normal' }))),
    async wakeBare(jobIds) {
      await queue.addBulk(jobIds.map((jobId) => ({ name: 'process', data: { jobId } })))
    },
  }
  return [
    workTrial(stage, 'a video seen before', () => 'keptkeptkep'),
    workTrial(stage, 'a new video', () => newId().slice(-11)),
  ]
}

function workTrial({ lab, ours, bare, wakeOurs, wakeBare }: Stage, what: string, nextVideo: () => string): Trial {
  const order = { redisUrl: lab.servers.redisUrl, concurrency: CONCURRENCY }
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
    child: ours,
    prepare: async () => wakeOurs(await seed(lab.db, OUR_JOBS)),
    run: () =>
      ours.ask<WorkReport>('work', {
        ...order,
        databaseUrl: lab.url,
        prefix: OUR_PREFIX,
        count: OUR_JOBS,
      } satisfies WorkOrder),
  }
  const bareSide: Side = {
    child: bare,
    prepare: async () => wakeBare(await seed(lab.bare, BARE_JOBS)),
    run: () =>
      bare.ask<WorkReport>('work', {
        ...order,
        databaseUrl: lab.bareUrl,
        prefix: BARE_PREFIX,
        count: BARE_JOBS,
      } satisfies WorkOrder),
  }
  return { name: `do a job without work, ${what}`, run: () => compare(lab, oursSide, bareSide, ROUNDS) }
}

const INSERT_JOBS = `
INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
SELECT id, $3, 'normal', 'normal', video_id,
  '{"max_transcript_length":10000000,"include_comments":false,"summary_modes":["tldr"],"generate_infographic":false}',
  now() + interval '1 hour', now(), now()
FROM unnest($1::uuid[], $2::text[]) AS j(id, video_id)`
