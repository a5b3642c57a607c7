import { setTimeout as sleep } from 'node:timers/promises'
import { createConsumer, type LaneCapacity } from '@subtext/queue'
import { createHealth, createMetrics, type Health, type Metrics, watchLoops } from '@subtext/runtime'
import { createContext } from './context.ts'
import type { WorkerEnv } from './env.ts'
import { SWEEPING_LOOPS, startSweeping } from './processors/maintenance.ts'
import { processJob } from './processors/process-job.ts'

export interface RunningWorker {
  health: Health
  /** Stops taking jobs, gives running ones the grace period to finish, hands the rest back and closes all connections. */
  stop(): Promise<void>
}

export function startWorker(env: WorkerEnv, metrics: Metrics = createMetrics()): RunningWorker {
  const { context, close } = createContext(env, metrics)
  const stopping = new AbortController()
  const active = new Set<Promise<void>>()

  const run = async (jobId: string, capacity: LaneCapacity): Promise<void> => {
    const work = processJob(context, jobId, stopping.signal, capacity)
    active.add(work)
    try {
      await work
    } catch (error) {
      // The database was unavailable, so nothing was written. The job returns when its lease or its wake-up time is over.
      context.log.warn('job left unfinished', { job_id: jobId, error })
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
  const loops = watchLoops(SWEEPING_LOOPS)
  const stopSweeping = startSweeping(context, consumer.capacities, loops.completed)
  const draining = new AbortController()
  const health = createHealth({
    log: context.log,
    required: { postgres: () => context.db.query('SELECT 1'), redis: context.producer.isConnected },
    draining: draining.signal,
    loops,
  })

  return {
    health,
    async stop() {
      draining.abort()
      await Promise.all([consumer.pause(), stopSweeping()])
      const finished = Promise.allSettled([...active])
      await Promise.race([finished, sleep(env.SHUTDOWN_GRACE_SECONDS * 1_000, undefined, { ref: false })])
      stopping.abort()
      await finished
      await consumer.close()
      await close()
    },
  }
}
