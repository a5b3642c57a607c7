import { createWaker, sweepJobs } from '@subtext/core'
import type { WorkerContext } from '../context.ts'

const SWEEP_EVERY_MS = 1_000

/** Sweeps once a second until it is stopped. A sweep that fails is repeated by the next. */
export function startSweeping(ctx: WorkerContext): () => Promise<void> {
  const waker = createWaker()
  let stopping = false
  const run = async (): Promise<void> => {
    while (!stopping) {
      await sweepJobs(ctx).catch((error: unknown) => {
        ctx.log.warn('sweep failed', { error: (error as Error).message })
      })
      await waker.wait(SWEEP_EVERY_MS)
    }
  }
  const running = run()
  return async () => {
    stopping = true
    waker.wake()
    await running
  }
}
