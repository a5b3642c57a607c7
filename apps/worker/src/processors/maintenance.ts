import type { Lane } from '@subtext/contracts'
import { createInterruptibleSleep } from '@subtext/core/coordination'
import { purgeIdempotencyKeys } from '@subtext/core/idempotency'
import { sweepJobs, wakeHeldJobs } from '@subtext/core/jobs'
import { purgeOld, purgeUnused } from '@subtext/core/retention'
import type { LaneCapacity } from '@subtext/queue'
import type { WorkerContext } from '../context.ts'

const SWEEP_INTERVAL_MS = 1_000
const PURGE_INTERVAL_MS = 60_000

/** Sweeps every second and purges every minute until it is stopped. The next round repeats what failed. */
export function startSweeping(ctx: WorkerContext, capacities: () => [Lane, LaneCapacity][]): () => Promise<void> {
  const wakeHeld = async (): Promise<void> => {
    for (const [lane, capacity] of capacities()) await wakeHeldJobs(ctx, lane, capacity, ctx.work.accountMaxRunning)
  }
  const purge = async (stopping: AbortSignal): Promise<void> => {
    await purgeIdempotencyKeys(ctx)
    await purgeOld(ctx, ctx.work.retention, stopping)
    await purgeUnused(ctx, ctx.work.retention, stopping)
  }
  const stops = [
    repeat(ctx, 'wake', SWEEP_INTERVAL_MS, wakeHeld),
    repeat(ctx, 'sweep', SWEEP_INTERVAL_MS, () => sweepJobs(ctx)),
    repeat(ctx, 'purge', PURGE_INTERVAL_MS, purge),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function repeat(
  ctx: WorkerContext,
  name: string,
  intervalMs: number,
  round: (stopping: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const pause = createInterruptibleSleep()
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round(stopping.signal).catch((error: unknown) => {
        ctx.log.warn(`${name} failed`, { error: (error as Error).message })
      })
      await pause.wait(intervalMs)
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    pause.wake()
    await running
  }
}
