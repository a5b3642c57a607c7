import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { endsWithin } from '@subtext/runtime'
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { connectRedis, type QueueOptions } from './connection.ts'
import { FURTHER_TASK, type LaneCapacity, laneQueue } from './lanes.ts'
import { createOccupancy, type Occupancy } from './occupancy.ts'
import { isRefusal, watchRefusals } from './refusals.ts'

export interface ConsumerOptions extends QueueOptions {
  lanes: readonly Lane[]
  /** Maximum number of jobs at once, over all lanes. */
  concurrency: number
  /** Seconds after which the tasks of a worker that died are handed to other workers. */
  deadAfterSeconds: number
  /**
   * Processes a job. `capacity` is that of its lane, including this job. Returns false if there was nothing to do. Must not
   * throw because of the job itself.
   */
  process(jobId: string, capacity: LaneCapacity): Promise<boolean>
  /** Called for each error while Redis is connected. `onConnectionChange` is called when it is not. */
  onError(error: Error): void
  /**
   * How long a reserved slot waits before its next task if there was nothing to do for the last one, and a job of the lane has
   * ended within the same time: the other slots reach the waiting tasks soon, and looking at each of them first would cost about
   * as much as their jobs. Default: 50. Changed in tests only.
   */
  restMs?: number
  /** Called once when Redis begins to refuse commands, such as writes without memory, and once when it serves again. */
  onRefusal?: (state: 'refusing' | 'serving', error?: Error) => void
}

export interface Consumer {
  /** Returns the capacity of each lane the consumer serves. */
  capacities(): [Lane, LaneCapacity][]
  /** Returns whether Redis is connected and refuses commands. Until it serves again, no tasks are taken. */
  isRefused(): boolean
  /** Stops taking tasks. Running ones continue. */
  pause(): Promise<void>
  /** Closes the connections, after the running tasks have ended. With `force`, does not wait for them. */
  close(force?: boolean): Promise<void>
}

// PostgreSQL counts the attempts and decides how often a job is retried after its worker died.
const UNLIMITED = 1_000_000
const CLOSE_TIMEOUT_MS = 1_000
const FREED_SLOTS_INTERVAL_MS = 200
const REST_MS = 50

export function createConsumer(options: ConsumerOptions): Consumer {
  const connection = connectRedis(options)
  const copies = collectCopies(connection)
  const workers = new Map<Lane, Worker>()
  let stopping = false
  // While jobs are running, BullMQ checks its concurrency only when one of them ends. Pausing and resuming makes it
  // check.
  const useFreedSlots = throttle(FREED_SLOTS_INTERVAL_MS, () => {
    const normal = workers.get('normal')
    const { slots, free } = occupancy.capacity('normal')
    if (stopping || refusals.isRefusing() || !normal || free <= 0 || free === slots) return
    normal
      .pause(true)
      .then(() => (stopping || refusals.isRefusing() ? undefined : normal.resume()))
      .catch(options.onError)
  })
  // BullMQ repeats a refused command at once.
  const refusals = watchRefusals(connection, {
    probeKey: `${options.prefix}:probe`,
    onChange(state, error) {
      options.onRefusal?.(state, error)
      for (const worker of workers.values()) {
        if (state === 'refusing') worker.pause(true).catch(options.onError)
        else if (!stopping) worker.resume().catch(options.onError)
      }
    },
  })
  const occupancy = createOccupancy(options.concurrency, options.lanes, (slots) => {
    const normal = workers.get('normal')
    if (!normal) return
    if (slots > normal.concurrency) useFreedSlots()
    normal.concurrency = slots
  })

  const work = createTaskRunner(options, occupancy)
  for (const lane of options.lanes) {
    const worker = new Worker(laneQueue(lane), (task) => work(lane, task), {
      connection,
      prefix: options.prefix,
      concurrency: occupancy.capacity(lane).slots,
      ...selectTaskOptions(options),
    })
    worker.on('error', (error) => {
      if (isRefusal(error)) refusals.note(error)
      // A lost connection was reported once, and BullMQ reports every attempt to restore it.
      else if (connection.status === 'ready') options.onError(error)
    })
    workers.set(lane, worker)
  }

  return {
    isRefused: refusals.isRefusing,
    capacities: () => options.lanes.map((lane) => [lane, occupancy.capacity(lane)]),
    async pause() {
      stopping = true
      refusals.close()
      await endsWithin(CLOSE_TIMEOUT_MS, Promise.all([...workers.values()].map((worker) => worker.pause(true))))
    },
    async close(force = false) {
      stopping = true
      refusals.close()
      if (!force) await occupancy.settled()
      // A graceful close would wait for an unavailable Redis. The jobs have already been settled in PostgreSQL.
      const cut = force || connection.status !== 'ready'
      const closing = Promise.allSettled([...workers.values()].map((worker) => worker.close(cut)))
      await endsWithin(CLOSE_TIMEOUT_MS, closing)
      for (const open of [connection, ...copies]) open.disconnect()
    },
  }
}

/** Returns the function that runs a task in a slot of its lane. */
function createTaskRunner({ process, restMs = REST_MS }: ConsumerOptions, occupancy: Occupancy) {
  const lastEnd: Record<Lane, number> = { high: Number.NEGATIVE_INFINITY, normal: Number.NEGATIVE_INFINITY }
  return async (lane: Lane, task: Job): Promise<void> => {
    const worked = await occupancy.occupy(lane, (capacity) => process(jobIdOf(task), capacity))
    const now = performance.now()
    if (worked) lastEnd[lane] = now
    // The slot counts as free meanwhile, so that the task of another one does not seem to take the reserve.
    else if (now - lastEnd[lane] < restMs && isNextReserved(occupancy.capacity(lane))) await sleep(restMs)
  }
}

/** Returns whether the next job would take a slot of the reserve. */
const isNextReserved = ({ free, reserve }: LaneCapacity): boolean => free <= reserve

/** When a task counts as that of a dead worker, and what remains of finished ones. */
const selectTaskOptions = ({ deadAfterSeconds }: ConsumerOptions) => ({
  // Redis accepts only whole milliseconds.
  lockDuration: Math.floor((deadAfterSeconds * 1_000 * 2) / 3),
  stalledInterval: Math.floor((deadAfterSeconds * 1_000) / 3),
  maxStalledCount: UNLIMITED,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
})

/** BullMQ waits for tasks on copies of the connection and offers no way to close them while Redis does not respond. */
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

/** A task carries the ID of its job and nothing else but, if it is a further one, what tells it from the others. */
function jobIdOf({ id }: { id?: string }): string {
  const [jobId] = id?.split(FURTHER_TASK) ?? []
  if (jobId === undefined) throw new Error('A task without an ID cannot be processed.')
  return jobId
}

/** Returns a function that runs `work` `intervalMs` after the first of any number of calls. */
function throttle(intervalMs: number, work: () => void): () => void {
  let scheduled = false
  return () => {
    if (scheduled) return
    scheduled = true
    const run = (): void => {
      scheduled = false
      work()
    }
    setTimeout(run, intervalMs).unref()
  }
}
