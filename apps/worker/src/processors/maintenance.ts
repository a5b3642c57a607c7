import type { Lane } from '@subtext/contracts'
import { purgeBlobs } from '@subtext/core/blobs'
import { failAbandonedAnswers } from '@subtext/core/chats'
import { createInterruptibleSleep, purgeLeases } from '@subtext/core/coordination'
import { createSweeper, wakeHeldJobs } from '@subtext/core/jobs'
import { purgeOld, purgeUnused } from '@subtext/core/retention'
import { queueDigests } from '@subtext/core/subscriptions'
import { foldUsage } from '@subtext/core/usage'
import type { LaneCapacity } from '@subtext/queue'
import { findThemes } from '@subtext/summarize/digests'
import type { WorkerContext } from '../context.ts'

const SWEEP_INTERVAL_MS = 1_000
const FOLD_INTERVAL_MS = 1_000
const ANSWERS_INTERVAL_MS = 2_000
const LEASES_INTERVAL_MS = 10_000
const LIBRARY_INTERVAL_MS = 2_000
const PURGE_INTERVAL_MS = 60_000
const DIGESTS_INTERVAL_MS = 30_000

/** The loops that look for jobs every second. If one of them hangs, the worker is not healthy. */
export const SWEEPING_LOOPS = ['wake', 'sweep'] as const
type OnRound = (loop: string) => void

/**
 * Sweeps and folds usage every second until it is stopped, and fails abandoned answers and fills libraries every other second. Every minute,
 * deletes the files of deleted jobs and, unless the purge command does so, expired data. A failed step is repeated in the next
 * round. `onRound` is called at the end of every round.
 */
export function startSweeping(
  ctx: WorkerContext,
  capacities: () => [Lane, LaneCapacity][],
  onRound: OnRound = () => {},
): () => Promise<void> {
  const wakeHeld = async (): Promise<void> => {
    for (const [lane, capacity] of capacities()) {
      ctx.metrics.countWoken({ loop: 'wake' }, await wakeHeldJobs(ctx, lane, capacity, ctx.work.accountMaxRunning))
    }
  }
  const sweepJobs = createSweeper(ctx)
  const sweepAll = async (): Promise<void> => ctx.metrics.countWoken({ loop: 'sweep' }, await sweepJobs())
  const { retention } = ctx.work
  const [wake, sweep] = SWEEPING_LOOPS
  const stops = [
    repeat(ctx, { name: wake, intervalMs: SWEEP_INTERVAL_MS, round: wakeHeld, onRound }),
    repeat(ctx, { name: sweep, intervalMs: SWEEP_INTERVAL_MS, round: sweepAll, onRound }),
    repeat(ctx, {
      name: 'answers',
      intervalMs: ANSWERS_INTERVAL_MS,
      round: () => failAbandonedAnswers(ctx),
      onRound,
    }),
    repeat(ctx, { name: 'fold', intervalMs: FOLD_INTERVAL_MS, round: () => foldUsage(ctx), onRound }),
    repeat(ctx, {
      name: 'digests',
      intervalMs: DIGESTS_INTERVAL_MS,
      round: () => queueDigests({ ...ctx, findThemes }),
      onRound,
    }),
    repeat(ctx, { name: 'leases', intervalMs: LEASES_INTERVAL_MS, round: () => purgeLeases(ctx), onRound }),
    repeat(ctx, {
      name: 'library',
      intervalMs: LIBRARY_INTERVAL_MS,
      round: (stopping) => ctx.libraryFiller.fill(stopping),
      onRound,
    }),
    repeat(ctx, {
      name: 'files',
      intervalMs: PURGE_INTERVAL_MS,
      round: (stopping) => purgeBlobs(ctx, stopping),
      onRound,
    }),
  ]
  if (retention) {
    const purge = async (stopping: AbortSignal): Promise<void> => {
      await purgeOld(ctx, retention, stopping)
      await purgeUnused(ctx, retention, stopping)
    }
    stops.push(repeat(ctx, { name: 'purge', intervalMs: PURGE_INTERVAL_MS, round: purge, onRound }))
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

interface Loop {
  name: string
  intervalMs: number
  round: (stopping: AbortSignal) => Promise<unknown>
  onRound: OnRound
}

function repeat(ctx: WorkerContext, { name, intervalMs, round, onRound }: Loop): () => Promise<void> {
  const pause = createInterruptibleSleep()
  const stopping = new AbortController()
  let isFailing = false
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await round(stopping.signal)
        if (isFailing) ctx.log.info(`${name} succeeded again`)
        isFailing = false
      } catch (error) {
        if (!isFailing) ctx.log.warn(`${name} failed`, { error: (error as Error).message })
        isFailing = true
      }
      onRound(name)
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
