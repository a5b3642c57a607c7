import type { Lane } from '@subtext/contracts'
import { createWaker, type LaneRoom, purgeIdempotencyKeys, sweepJobs, wakeHeldJobs } from '@subtext/core'
import type { WorkerContext } from '../context.ts'

const SWEEP_EVERY_MS = 1_000
const PURGE_EVERY_MS = 60_000

/** Sweeps once a second and purges once a minute until it is stopped. What fails is repeated by the next round. */
export function startSweeping(ctx: WorkerContext, rooms: () => [Lane, LaneRoom][]): () => Promise<void> {
  const wakeHeld = async (): Promise<void> => {
    for (const [lane, room] of rooms()) await wakeHeldJobs(ctx, lane, room, ctx.work.accountMaxRunning)
  }
  const stops = [
    repeat(ctx, 'wake', SWEEP_EVERY_MS, wakeHeld),
    repeat(ctx, 'sweep', SWEEP_EVERY_MS, () => sweepJobs(ctx)),
    repeat(ctx, 'purge', PURGE_EVERY_MS, () => purgeIdempotencyKeys(ctx)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function repeat(ctx: WorkerContext, name: string, everyMs: number, round: () => Promise<unknown>): () => Promise<void> {
  const waker = createWaker()
  let stopping = false
  const run = async (): Promise<void> => {
    while (!stopping) {
      await round().catch((error: unknown) => {
        ctx.log.warn(`${name} failed`, { error: (error as Error).message })
      })
      await waker.wait(everyMs)
    }
  }
  const running = run()
  return async () => {
    stopping = true
    waker.wake()
    await running
  }
}
