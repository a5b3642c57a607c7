import { createConsumer, type LaneCapacity } from '@subtext/queue'
import { createHealth, createMetrics, endsWithin, type Health, watchLoops } from '@subtext/runtime'
import { createContext } from './context.ts'
import { startDigestLane } from './digests/digest-lane.ts'
import type { WorkerEnv } from './env.ts'
import { createWorkerMetrics, type WorkerMetrics } from './metrics.ts'
import { SWEEPING_LOOPS, startSweeping } from './processors/maintenance.ts'
import { processJob } from './processors/process-job.ts'
import { startSourceLane } from './sources/source-lane.ts'
import { startSubscriptions } from './subscriptions/start-subscriptions.ts'

/** These limits let the process end in time even if PostgreSQL or Redis does not respond. */
const SWEEP_TIMEOUT_MS = 1_000
const HAND_BACK_TIMEOUT_MS = 4_000
const CLOSE_TIMEOUT_MS = 2_000

export interface RunningWorker {
  health: Health
  /** Stops taking jobs, gives running ones the grace period to finish, hands the rest back and closes all connections. */
  stop(): Promise<void>
}

interface WorkerOptions {
  metrics?: WorkerMetrics
  /** Changed in tests only. */
  queryTimeoutMs?: number
}

export function startWorker(
  env: WorkerEnv,
  { metrics = createWorkerMetrics(createMetrics()), queryTimeoutMs }: WorkerOptions = {},
): RunningWorker {
  const { context, sources, digests, subscriptions, close } = createContext(env, metrics, queryTimeoutMs)
  const stopping = new AbortController()
  const active = new Set<Promise<unknown>>()

  const run = async (jobId: string, capacity: LaneCapacity): Promise<boolean> => {
    const work = processJob(context, jobId, stopping.signal, capacity)
    active.add(work)
    try {
      return await work
    } catch (error) {
      context.log.warn('job not claimed', { job_id: jobId, error })
      return true
    } finally {
      active.delete(work)
    }
  }
  const untilIdle = async (): Promise<void> => {
    while (active.size > 0) await Promise.allSettled(active)
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
    onRefusal: (state, error) => context.log.warn('redis commands', { state, error: error?.message }),
  })
  const loops = watchLoops(SWEEPING_LOOPS)
  const stopSweeping = startSweeping(context, consumer.capacities, loops.completed)
  const stopSources = startSourceLane(sources, env.SOURCE_CONCURRENCY)
  const stopDigests = startDigestLane(digests)
  const stopSubscriptions = env.SOURCE_CONCURRENCY > 0 ? startSubscriptions(subscriptions) : async () => {}
  const draining = new AbortController()
  const health = createHealth({
    log: context.log,
    required: {
      postgres: () => context.db.query('SELECT 1'),
      redis: () => context.producer.isConnected() && !consumer.isRefused(),
    },
    draining: draining.signal,
    loops,
  })
  metrics.process.observe(env.SUBTEXT_VERSION, health)
  metrics.observeSlots(consumer.capacities)

  return {
    health,
    async stop() {
      draining.abort()
      const deadline = performance.now() + env.SHUTDOWN_GRACE_SECONDS * 1_000
      // A sweep that is waiting for a server may be cut off, because other workers repeat it.
      await Promise.all([
        consumer.pause(),
        endsWithin(SWEEP_TIMEOUT_MS, stopSweeping()),
        endsWithin(HAND_BACK_TIMEOUT_MS, stopSources()),
        endsWithin(HAND_BACK_TIMEOUT_MS, stopDigests()),
        endsWithin(HAND_BACK_TIMEOUT_MS, stopSubscriptions()),
      ])
      await endsWithin(deadline - performance.now(), untilIdle())
      stopping.abort()
      const idle = await endsWithin(HAND_BACK_TIMEOUT_MS, untilIdle())
      if (!idle) context.log.warn('jobs left to their leases', { jobs: active.size })
      await endsWithin(CLOSE_TIMEOUT_MS, consumer.close(!idle))
      await close()
    },
  }
}
