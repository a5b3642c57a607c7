import { setTimeout as sleep } from 'node:timers/promises'
import type { LaneCapacity } from '@subtext/queue'
import { createConsumer } from '@subtext/queue'
import { createMetrics, type Metrics } from '@subtext/runtime'
import { createContext } from './context.ts'
import type { WorkerEnv } from './env.ts'
import { startSweeping } from './processors/maintenance.ts'
import { processJob } from './processors/video.ts'

export interface RunningWorker {
  /** Takes no further job, lets those under way end within the grace, hands the others back, closes everything. */
  stop(): Promise<void>
}

export function startWorker(env: WorkerEnv, metrics: Metrics = createMetrics()): RunningWorker {
  const { context, close } = createContext(env, metrics)
  const leaving = new AbortController()
  const active = new Set<Promise<void>>()

  const run = async (jobId: string, capacity: LaneCapacity): Promise<void> => {
    const work = processJob(context, jobId, leaving.signal, capacity)
    active.add(work)
    try {
      await work
    } catch (error) {
      // The store was away: nothing was written, and the job's lease or wake-up time brings it back.
      context.log.warn('job not settled', { job_id: jobId, error })
    } finally {
      active.delete(work)
    }
  }
  const consumer = createConsumer({
    url: env.REDIS_URL,
    prefix: env.QUEUE_PREFIX,
    lanes: env.WORKER_LANES,
    concurrency: env.WORKER_CONCURRENCY,
    deadAfterSeconds: env.JOB_LEASE_SECONDS,
    process: run,
    onError: (error) => context.log.warn('queue error', { error: error.message }),
    onConnectionChange: (state, error) => context.log.warn('redis connection', { state, error: error?.message }),
  })
  const stopSweeping = startSweeping(context, consumer.capacities)

  return {
    async stop() {
      await Promise.all([consumer.pause(), stopSweeping()])
      const finished = Promise.allSettled([...active])
      await Promise.race([finished, sleep(env.SHUTDOWN_GRACE_SECONDS * 1_000, undefined, { ref: false })])
      leaving.abort()
      await finished
      await consumer.close()
      await close()
    },
  }
}
