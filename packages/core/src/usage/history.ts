import type { Actor, Context } from '../context.ts'
import { type Period, type PeriodQuery, selectPeriods } from './periods.ts'
import { hasUsage, listUsage, NO_USAGE, type UsageSums } from './usage-sql.ts'

export interface UsageHistoryPage {
  periods: (Period & UsageSums)[]
  start: Date | null
  end: Date
  /** Whether there is usage in the range before the oldest of these periods. */
  hasMore: boolean
}

/**
 * Returns the usage of the calling key by period, without that of other keys of the account. A person who has signed in gets
 * the usage of the whole account.
 */
export async function getUsageHistory(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  query: PeriodQuery,
): Promise<UsageHistoryPage> {
  const { periods, start, end } = selectPeriods(query, ctx.clock())
  const [newest, oldest] = [periods[0], periods.at(-1)]
  if (!newest || !oldest) return { periods: [], start, end, hasMore: false }
  const { granularity } = query
  const [rows, hasMore] = await Promise.all([
    listUsage(ctx.db, actor, { granularity, start: oldest.start, end: newest.end }),
    hasUsage(ctx.db, actor, { start, end: oldest.start }),
  ])
  const sums = new Map(rows.map(({ startsAt, ...row }) => [startsAt.getTime(), row]))
  return {
    periods: periods.map((period) => ({ ...period, ...(sums.get(period.windowStart.getTime()) ?? NO_USAGE) })),
    start,
    end,
    hasMore,
  }
}
