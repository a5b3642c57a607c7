import { LANES, type Lane } from '@subtext/contracts'
import { Queue } from 'bullmq'
import { connectRedis, FAIL_FAST, type QueueOptions } from './connection.ts'
import { laneQueue } from './lanes.ts'

export interface Producer {
  /**
   * Adds a task for each job, so that a worker picks it up. Best effort: rejects within seconds while Redis is
   * unavailable, and the sweeper repeats it later. Waking a job twice is harmless, because the task has the job's ID.
   */
  wakeJobs(jobs: { id: string; lane: Lane }[]): Promise<void>
  /** Returns whether Redis is reachable now. */
  isConnected(): boolean
  close(): Promise<void>
}

// No finished task is retained: it would swallow the next wake-up of the same job.
const TASK_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const
const MAX_EVENTS = 1_000

export function createProducer(options: QueueOptions): Producer {
  const connection = connectRedis(options, FAIL_FAST)
  const open = (lane: Lane) =>
    new Queue(laneQueue(lane), {
      connection,
      prefix: options.prefix,
      defaultJobOptions: TASK_OPTIONS,
      streams: { events: { maxLen: MAX_EVENTS } },
    })
  const queues = { high: open('high'), normal: open('normal') } satisfies Record<Lane, Queue>
  for (const queue of Object.values(queues)) queue.on('error', () => {}) // the connection reports its own state

  return {
    async wakeJobs(jobs) {
      // BullMQ would wait for the connection indefinitely.
      if (connection.status !== 'ready') throw new Error('Redis is unavailable.')
      await Promise.all(
        LANES.map(async (lane) => {
          const ids = jobs.filter((job) => job.lane === lane).map((job) => job.id)
          if (ids.length === 0) return
          await queues[lane].addBulk(ids.map((id) => ({ name: 'process', data: {}, opts: { jobId: id } })))
        }),
      )
    },
    isConnected: () => connection.status === 'ready',
    async close() {
      await Promise.allSettled(Object.values(queues).map((queue) => queue.close()))
      connection.disconnect()
    },
  }
}
