import { claimItem, claimWatch, wakeEndedItems } from '@subtext/core/subscriptions'
import { v4 as randomId } from 'uuid'
import { startLane } from '../lanes/start-lane.ts'
import { type CheckContext, checkSource } from './check-source.ts'
import type { ItemContext } from './item-context.ts'
import { workOnItem } from './work-on-item.ts'

/** A check is one request; lists are read by the lane of sources. */
const CHECK_SLOTS = 4
const ITEM_SLOTS = 4

/** Looks at sources that are due and works on the items of subscriptions, until it is stopped. Takes no slots from jobs. */
export function startSubscriptions(ctx: CheckContext & ItemContext): () => Promise<void> {
  const claim = () => ({ token: randomId(), leaseSeconds: ctx.leaseSeconds })
  const subscribe = (wake: () => void) => ctx.notifier.subscribe('listing', wake)
  const stops = [
    startLane(ctx, {
      name: 'check',
      slots: CHECK_SLOTS,
      subscribe,
      claim: () => claimWatch(ctx.db, claim()),
      work: (claimed, stopping) => checkSource(ctx, claimed, stopping),
    }),
    startLane(ctx, {
      name: 'item',
      slots: ITEM_SLOTS,
      subscribe,
      onRound: () => wakeEndedItems(ctx.db),
      claim: () => claimItem(ctx.db, claim()),
      work: (claimed, stopping) => workOnItem(ctx, claimed, stopping),
    }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
