import { createInterruptibleSleep } from '@subtext/core/coordination'
import { claimSource } from '@subtext/core/sources'
import { v4 as randomId } from 'uuid'
import { type SourceLaneContext, workOnSource } from './work-on-source.ts'

/** How late a listing can begin if its notification was lost or its worker has died. */
const POLL_INTERVAL_MS = 1_000
/** Somebody waits for each name, and resolving one takes a single request. */
const NAME_SLOTS = 4

interface Lane {
  isName: boolean
  slots: number
}

/**
 * Works on sources that are due, until it is stopped: names in slots of their own, so that none waits for long lists. Neither takes
 * slots from jobs. Stopping hands back what is unfinished.
 */
export function startSourceLane(ctx: SourceLaneContext, listSlots: number): () => Promise<void> {
  if (listSlots === 0) return async () => {}
  const stops = [
    startLane(ctx, { isName: false, slots: listSlots }),
    startLane(ctx, { isName: true, slots: NAME_SLOTS }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function startLane(ctx: SourceLaneContext, { isName, slots }: Lane): () => Promise<void> {
  const stopping = new AbortController()
  const pause = createInterruptibleSleep()
  const active = new Set<Promise<void>>()
  const unsubscribe = ctx.notifier.subscribe('listing', pause.wake)
  let isFailing = false

  const claimNext = async (): Promise<boolean> => {
    const { leaseSeconds } = ctx
    const claimed = await claimSource(ctx.db, { token: randomId(), leaseSeconds, isName })
    if (!claimed) return false
    const work = workOnSource(ctx, claimed, stopping.signal)
      .catch((error: unknown) => ctx.log.warn('source left to its lease', { error }))
      .finally(() => {
        active.delete(work)
        pause.wake()
      })
    active.add(work)
    return true
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        while (active.size < slots && !stopping.signal.aborted && (await claimNext())) {
          // Claims until there is nothing more to do, or no slot is free.
        }
        if (isFailing) ctx.log.info('claiming sources succeeded again')
        isFailing = false
      } catch (error) {
        if (!isFailing) ctx.log.warn('claiming sources failed', { error: (error as Error).message })
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
