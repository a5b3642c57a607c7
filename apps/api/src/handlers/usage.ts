import { parseUsageRange, type usage } from '@subtext/contracts'
import { getCurrentUsage, getUsageBreakdown, getUsageHistory } from '@subtext/core/usage'
import type { Handlers } from '../http/mount.ts'
import { presentCurrentUsage, presentUsageBreakdown, presentUsageHistory } from '../presenters/usage.ts'

// This process writes its counts before it reads the usage, so that callers find their earlier requests in it.
export const usageHandlers: Handlers<typeof usage> = {
  current: async (ctx, _input, { actor, window }) => {
    await ctx.requestCounter.flush()
    return { data: presentCurrentUsage(actor, await getCurrentUsage(ctx, actor), window) }
  },
  history: async (ctx, { query }, { actor }) => {
    await ctx.requestCounter.flush()
    const page = await getUsageHistory(ctx, actor, { ...query, ...parseUsageRange(query) })
    return { data: presentUsageHistory(page, query) }
  },
  breakdown: async (ctx, { query }, { actor }) => {
    await ctx.requestCounter.flush()
    return { data: presentUsageBreakdown(await getUsageBreakdown(ctx, actor, parseUsageRange(query))) }
  },
}
