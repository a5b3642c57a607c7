import type { Context } from '@subtext/core/context'
import { createInterruptibleSleep } from '@subtext/core/coordination'

/** How late work can begin if its notification was lost or its worker has died. */
const POLL_INTERVAL_MS = 1_000

interface Lane<Claimed> {
  /** For the log. */
  name: string
  slots: number
  /** Claims what is due. Null if nothing is. */
  claim: () => Promise<Claimed | null>
  work: (claimed: Claimed, stopping: AbortSignal) => Promise<void>
  /** Called before each round of claims. */
  onRound?: () => Promise<unknown>
}

/** Works on what is due, in slots of its own, until it is stopped. Stopping hands back what is unfinished. */
export function startLane<Claimed>(
  ctx: Pick<Context, 'notifier' | 'log'>,
  { name, slots, claim, work, onRound }: Lane<Claimed>,
): () => Promise<void> {
  const stopping = new AbortController()
  const pause = createInterruptibleSleep()
  const active = new Set<Promise<void>>()
  const unsubscribe = ctx.notifier.subscribe('listing', pause.wake)
  let isFailing = false

  const claimNext = async (): Promise<boolean> => {
    const claimed = await claim()
    if (!claimed) return false
    const working = work(claimed, stopping.signal)
      .catch((error: unknown) => ctx.log.warn(`${name} left to its lease`, { error }))
      .finally(() => {
        active.delete(working)
        pause.wake()
      })
    active.add(working)
    return true
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await onRound?.()
        while (active.size < slots && !stopping.signal.aborted && (await claimNext())) {
          // Claims until there is nothing more to do, or no slot is free.
        }
        if (isFailing) ctx.log.info(`claiming a ${name} succeeded again`)
        isFailing = false
      } catch (error) {
        if (!isFailing) ctx.log.warn(`claiming a ${name} failed`, { error: (error as Error).message })
        isFailing = true
      }
      await pause.wait(POLL_INTERVAL_MS)
    }
  }
  const running = run()
  return async () => {
    unsubscribe()
    stopping.abort()
    pause.wake()
    await running
    await Promise.allSettled(active)
  }
}
