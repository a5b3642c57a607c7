import { randomUUID } from 'node:crypto'
import { LANES, type Lane } from '@subtext/contracts'
import { Queue } from 'bullmq'
import { connectRedis, failFast, firstAttempt, type QueueOptions } from './connection.ts'
import { FURTHER_TASK, laneQueue } from './lanes.ts'

interface WakeableJob {
  id: string
  lane: Lane
}

export interface WakeOptions {
  /**
   * Whether to add a task even if there is one, such as that of a job that was held: until the worker that held the job has
   * ended the task, Redis would take the new one for the same and ignore it. Default: false.
   */
  again?: boolean
}

export interface Producer {
  /**
   * Adds a task for each job, so that a worker picks it up. Best effort: rejects within seconds while Redis is
   * unavailable, and the sweeper repeats it later. Waking a job twice is harmless, because the task has the job's ID.
   */
  wakeJobs(jobs: WakeableJob[], options?: WakeOptions): Promise<void>
  /** Returns the jobs for which there is no task, neither waiting nor running. Rejects while Redis is unavailable. */
  findMissing<J extends WakeableJob>(jobs: J[]): Promise<J[]>
  /**
   * Returns whether this process has a role, which only one process at a time has, and keeps it for `seconds` more. Repeat
   * the call sooner to keep the role. Rejects while Redis is unavailable.
   */
  keepRole(role: string, seconds: number): Promise<boolean>
  /** Gives up a role, if this process has it, so that another one can take it. */
  dropRole(role: string): Promise<void>
  /** Returns whether Redis is reachable now. */
  isConnected(): boolean
  /**
   * Rejects unless Redis accepts a write now; a server that hangs or refuses commands is connected, too. Waits for the first
   * attempt to connect, up to two seconds.
   */
  checkConnection(): Promise<void>
  close(): Promise<void>
}

const MAX_EVENTS = 1_000
const PROBE_TTL_MS = 1_000

// Takes the role for ARGV[2] milliseconds unless another process has it.
const KEEP_ROLE = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const DROP_ROLE = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`

interface ProducerOptions extends QueueOptions {
  /** Called with the number of wake-ups that may have been lost. */
  onLost?: (jobs: number) => void
}

export function createProducer(options: ProducerOptions): Producer {
  const connection = connectRedis(options, failFast(options))
  const opened = firstAttempt(connection, options.timeoutMs)
  const open = (lane: Lane) =>
    new Queue(laneQueue(lane), {
      connection,
      prefix: options.prefix,
      streams: { events: { maxLen: MAX_EVENTS } },
      // No finished task is retained: it would swallow the next wake-up of the same job.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    })
  const queues = { high: open('high'), normal: open('normal') } satisfies Record<Lane, Queue>
  for (const queue of Object.values(queues)) queue.on('error', () => {}) // the connection reports its own state

  // BullMQ would wait for the connection indefinitely.
  const assertConnected = (): void => {
    if (connection.status !== 'ready') throw new Error('Redis is unavailable.')
  }
  const wakeInLane = async (lane: Lane, jobs: WakeableJob[], { again = false }: WakeOptions): Promise<void> => {
    const ids = jobs.filter((job) => job.lane === lane).map((job) => job.id)
    if (ids.length === 0) return
    const taskIdOf = (id: string): string => (again ? id + FURTHER_TASK + randomUUID() : id)
    await queues[lane].addBulk(ids.map((id) => ({ name: 'process', data: {}, opts: { jobId: taskIdOf(id) } })))
  }
  const self = randomUUID()
  const keyOf = (role: string): string => `${options.prefix}:role:${role}`

  return {
    async wakeJobs(jobs, wakeOptions = {}) {
      try {
        assertConnected()
        await Promise.all(LANES.map((lane) => wakeInLane(lane, jobs, wakeOptions)))
      } catch (error) {
        options.onLost?.(jobs.length)
        throw error
      }
    },
    async findMissing(jobs) {
      assertConnected()
      if (jobs.length === 0) return []
      const keys = jobs.map(({ id, lane }) => queues[lane].toKey(id))
      // One command for the usual case that none is missing.
      if ((await connection.exists(...keys)) === keys.length) return []
      const existing = await Promise.all(keys.map((key) => connection.exists(key)))
      return jobs.filter((_, index) => existing[index] === 0)
    },
    async keepRole(role, seconds) {
      return (await connection.eval(KEEP_ROLE, 1, keyOf(role), self, seconds * 1_000)) === 1
    },
    async dropRole(role) {
      await connection.eval(DROP_ROLE, 1, keyOf(role), self)
    },
    isConnected: () => connection.status === 'ready',
    async checkConnection() {
      await opened
      await connection.set(`${options.prefix}:probe:${self}`, '', 'PX', PROBE_TTL_MS)
    },
    async close() {
      await Promise.allSettled(Object.values(queues).map((queue) => queue.close()))
      connection.disconnect()
    },
  }
}
