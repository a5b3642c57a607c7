import type { CostReservation, SummaryUsage } from '@subtext/contracts'
import type { PricedModel } from './open-model.ts'
import type { TextModelUsage } from './text-model.ts'

/** The cost of one call of the model, and what was set aside for it. */
export interface Charge {
  costUsd: number
  reservation: CostReservation
}

export type BilledUsage = SummaryUsage & { model: string; charges?: Charge[] }

/** What several calls of a model have cost. */
export interface Bill {
  add(used: TextModelUsage, reservation?: CostReservation): void
  isEmpty(): boolean
  /** Null if nothing was added. */
  total(): BilledUsage | null
}

const addUsage = (total: SummaryUsage, used: TextModelUsage, costUsd: number): SummaryUsage => ({
  inputTokens: total.inputTokens + used.inputTokens,
  outputTokens: total.outputTokens + used.outputTokens,
  cachedInputTokens: total.cachedInputTokens + used.cachedInputTokens,
  cacheWriteTokens: total.cacheWriteTokens + used.cacheWriteTokens,
  costUsd: total.costUsd + costUsd,
})
const NOTHING: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/** Creates an empty bill. */
export function createBill({ model: { model }, computeCostUsd }: PricedModel): Bill {
  let usage: SummaryUsage | null = null
  const charges: Charge[] = []
  return {
    add(used, reservation) {
      const counted = Math.round(computeCostUsd(model, used) * 1e6) / 1e6
      const costUsd = reservation ? Math.min(counted, reservation.maxCostUsd) : counted
      usage = addUsage(usage ?? NOTHING, used, costUsd)
      if (reservation) charges.push({ costUsd, reservation })
    },
    isEmpty: () => usage === null,
    total: () => usage && { ...usage, model, ...(charges.length > 0 && { charges }) },
  }
}
