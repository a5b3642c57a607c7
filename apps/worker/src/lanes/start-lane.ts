import type { Context } from '@subtext/core/context'
import { createInterruptibleSleep } from '@subtext/core/coordination'

/** How late work can begin if its notification was lost or its worker has died. */
const POLL_INTERVAL_MS = 1_000

export interface WorkLane<T> {
  /** What is claimed, in log lines. */
  name: string
  slots: number
  /** Claims what is due next. */
  claim(): Promise<T | null>
  /** Rejects only if nothing could be written: the lease then ends by itself. */
  work(claimed: T, stopping: AbortSignal): Promise<void>
  /** Has a function called that begins to claim at once. Default: work begins with the next poll. */
  subscribe?: (wake: () => void) => () => void
  /** Called before each round of claims. */
  onRound?: () => Promise<unknown>
}

/**
 * Claims work in PostgreSQL and does it in slots of its own, which take none from jobs, until it is stopped. Stopping hands back what
 * is unfinished.
 */
export function startLane<T>(
  { log }: Pick<Context, 'log'>,
  { name, slots, claim, work, subscribe, onRound }: WorkLane<T>,
): () => Promise<void> {
  const stopping = new AbortController()
  const pause = createInterruptibleSleep()
  const active = new Set<Promise<void>>()
  const unsubscribe = subscribe?.(pause.wake)
  let isFailing = false

  const claimNext = async (): Promise<boolean> => {
    const claimed = await claim()
    if (!claimed) return false
    const running = work(claimed, stopping.signal)
      .catch((error: unknown) => log.warn(`${name} left to its lease`, { error }))
      .finally(() => {
        active.delete(running)
        pause.wake()
      })
    active.add(running)
    return true
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await onRound?.()
        while (active.size < slots && !stopping.signal.aborted && (await claimNext())) {
          // Claims until there is nothing more to do, or no slot is free.
        }
        if (isFailing) log.info(`claiming a ${name} succeeded again`)
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn(`claiming a ${name} failed`, { error: (error as Error).message })
        isFailing = true
      }
      await pause.wait(POLL_INTERVAL_MS)
    }
  }
  const running = run()
  return async () => {
    unsubscribe?.()
    stopping.abort()
    pause.wake()
    await running
    await Promise.allSettled(active)
  }
}
