import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { connectRedis, type QueueOptions } from './connection.ts'
import { type LaneCapacity, laneQueue } from './lanes.ts'
import { createOccupancy } from './occupancy.ts'

export interface ConsumerOptions extends QueueOptions {
  lanes: readonly Lane[]
  /** Jobs at once over all lanes. */
  concurrency: number
  /** Seconds within which a task of a worker that died can be given out again. */
  deadAfterSeconds: number
  /** Looks at the job; must not throw for reasons of the job itself. `capacity`: of its lane, with this job in it. */
  process(jobId: string, capacity: LaneCapacity): Promise<void>
  onError(error: Error): void
}

export interface Consumer {
  /** Of the lanes it serves. */
  capacities(): [Lane, LaneCapacity][]
  /** Takes no further task; those under way go on. */
  pause(): Promise<void>
  /** Ends when the tasks under way have. */
  close(): Promise<void>
}

// How often a task is given out again after its worker died is decided in Postgres, where attempts are counted.
const NEVER_GIVE_UP = 1_000_000
const CLOSE_TIMEOUT_MS = 2_000
const LOOK_EVERY_MS = 200

export function createConsumer(options: ConsumerOptions): Consumer {
  const connection = connectRedis(options)
  const copies = collectCopies(connection)
  const workers = new Map<Lane, Worker>()
  let stopping = false
  // With jobs under way BullMQ looks at its concurrency only when one of them ends; a pause that is over makes it look.
  const useFreedSlots = throttle(LOOK_EVERY_MS, () => {
    const normal = workers.get('normal')
    const { slots, free } = occupancy.capacity('normal')
    if (stopping || !normal || free <= 0 || free === slots) return
    normal
      .pause(true)
      .then(() => (stopping ? undefined : normal.resume()))
      .catch(options.onError)
  })
  const occupancy = createOccupancy(options.concurrency, options.lanes, (slots) => {
    const normal = workers.get('normal')
    if (!normal) return
    if (slots > normal.concurrency) useFreedSlots()
    normal.concurrency = slots
  })

  for (const lane of options.lanes) {
    const worker = new Worker(
      laneQueue(lane),
      (task) => occupancy.occupy(lane, (capacity) => options.process(task.id as string, capacity)),
      {
        connection,
        prefix: options.prefix,
        concurrency: occupancy.capacity(lane).slots,
        // Redis takes whole milliseconds only.
        lockDuration: Math.floor((options.deadAfterSeconds * 1_000 * 2) / 3),
        stalledInterval: Math.floor((options.deadAfterSeconds * 1_000) / 3),
        maxStalledCount: NEVER_GIVE_UP,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    )
    worker.on('error', options.onError)
    workers.set(lane, worker)
  }

  return {
    capacities: () => options.lanes.map((lane) => [lane, occupancy.capacity(lane)]),
    async pause() {
      stopping = true
      await Promise.race([
        Promise.all([...workers.values()].map((worker) => worker.pause(true))),
        sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ])
    },
    async close() {
      stopping = true
      await occupancy.settled()
      // With Redis away the polite goodbye would wait for it; the tasks are settled in Postgres already.
      const isAway = connection.status !== 'ready'
      const closing = Promise.allSettled([...workers.values()].map((worker) => worker.close(isAway)))
      await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      for (const open of [connection, ...copies]) open.disconnect()
    },
  }
}

/** BullMQ waits for tasks on copies of the connection, and gives us no way to end them when Redis does not answer. */
function collectCopies(connection: Redis): Redis[] {
  const copies: Redis[] = []
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (override) => {
    const copy = duplicate(override)
    copies.push(copy)
    return copy
  }
  return copies
}

/** Runs `work` soon after it was asked for, however often, and not more than once in `everyMs`. */
function throttle(everyMs: number, work: () => void): () => void {
  let asked = false
  return () => {
    if (asked) return
    asked = true
    const soon = (): void => {
      asked = false
      work()
    }
    setTimeout(soon, everyMs).unref()
  }
}
