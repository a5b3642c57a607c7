import type { Context } from '@subtext/core/context'
import type { AcceptJob } from '@subtext/core/jobs'
import type { QuotaContext } from '@subtext/core/plans'
import type { SpendingPolicy } from '@subtext/core/spending'
import type { ItemWorked } from '../metrics.ts'

/** What the lane of items needs. */
export interface ItemContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'>, QuotaContext {
  accept: AcceptJob
  submitPolicy: { spending: SpendingPolicy }
  publicBaseUrl: string
  leaseSeconds: number
  /** Seconds before the tries of an item. */
  itemRetrySchedule: readonly number[]
  itemWorked: ItemWorked
}
