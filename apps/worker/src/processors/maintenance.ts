import { sweepJobs } from '@subtext/core'
import type { WorkerContext } from '../context.ts'

const SWEEP_EVERY_MS = 1_000

/** Sweeps once a second until it is stopped. A sweep that fails is repeated by the next. */
export function startSweeping(ctx: WorkerContext): () => Promise<void> {
  const stopped = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await sweepJobs(ctx).catch((error: unknown) => {
        ctx.log.warn('sweep failed', { error: (error as Error).message })
      })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SWEEP_EVERY_MS)
        stopped.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
  const running = run()
  return async () => {
    stopped.abort()
    await running
  }
}
