import { claimSource } from '@subtext/core/sources'
import { v4 as randomId } from 'uuid'
import { startLane } from '../start-lane.ts'
import { type SourceLaneContext, workOnSource } from './work-on-source.ts'

/** Somebody waits for each name, and resolving one takes a single request. */
const NAME_SLOTS = 4

/**
 * Works on sources that are due, until it is stopped: names in slots of their own, so that none waits for long lists. Neither takes
 * slots from jobs. Stopping hands back what is unfinished.
 */
export function startSourceLane(ctx: SourceLaneContext, listSlots: number): () => Promise<void> {
  if (listSlots === 0) return async () => {}
  const start = (isName: boolean, slots: number) =>
    startLane(ctx, {
      name: 'source',
      slots,
      claim: () => claimSource(ctx.db, { token: randomId(), leaseSeconds: ctx.leaseSeconds, isName }),
      work: (claimed, stopping) => workOnSource(ctx, claimed, stopping),
    })
  const stops = [start(false, listSlots), start(true, NAME_SLOTS)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
