import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { Worker } from 'bullmq'
import { connectRedis, type QueueOptions } from './connection.ts'
import { divideSlots, laneQueue, normalSlots } from './lanes.ts'

export interface ConsumerOptions extends QueueOptions {
  lanes: readonly Lane[]
  /** Jobs at once over all lanes. */
  concurrency: number
  /** Seconds within which a task of a worker that died can be given out again. */
  deadAfterSeconds: number
  /** Looks at the job; must not throw for reasons of the job itself. */
  process(jobId: string): Promise<void>
  onError(error: Error): void
}

export interface Consumer {
  /** Takes no further task; those under way go on. */
  pause(): Promise<void>
  /** Ends when the tasks under way have. */
  close(): Promise<void>
}

// How often a task is given out again after its worker died is decided in Postgres, where attempts are counted.
const NEVER_GIVE_UP = 1_000_000
const CLOSE_TIMEOUT_MS = 2_000

export function createConsumer(options: ConsumerOptions): Consumer {
  const slots = divideSlots(options.concurrency, options.lanes)
  const connection = connectRedis(options)
  const workers = new Map<Lane, Worker>()
  const active = new Set<Promise<void>>()
  let activeHigh = 0

  const lendIdleSlots = (): void => {
    const normal = workers.get('normal')
    if (normal) normal.concurrency = normalSlots(slots, activeHigh)
  }
  const run = async (lane: Lane, jobId: string): Promise<void> => {
    if (lane === 'high') activeHigh++
    lendIdleSlots()
    const work = options.process(jobId)
    active.add(work)
    try {
      await work
    } finally {
      active.delete(work)
      if (lane === 'high') activeHigh--
      lendIdleSlots()
    }
  }

  for (const lane of options.lanes) {
    const worker = new Worker(laneQueue(lane), (task) => run(lane, task.id as string), {
      connection,
      prefix: options.prefix,
      concurrency: lane === 'high' ? slots.high : normalSlots(slots, 0),
      // Redis takes whole milliseconds only.
      lockDuration: Math.floor((options.deadAfterSeconds * 1_000 * 2) / 3),
      stalledInterval: Math.floor((options.deadAfterSeconds * 1_000) / 3),
      maxStalledCount: NEVER_GIVE_UP,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    worker.on('error', options.onError)
    workers.set(lane, worker)
  }

  return {
    async pause() {
      await Promise.race([
        Promise.all([...workers.values()].map((worker) => worker.pause(true))),
        sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ])
    },
    async close() {
      await Promise.allSettled(active)
      // With Redis away the polite goodbye would wait for it; the tasks are settled in Postgres already.
      const closing = Promise.allSettled([...workers.values()].map((worker) => worker.close()))
      await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      connection.disconnect()
    },
  }
}
