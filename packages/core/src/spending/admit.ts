import type { ServiceError, ValidationIssue } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import type { EstimateCosts, WantedVideo } from '../estimates/costs.ts'
import { quotaPeriods } from '../plans/quota.ts'
import { spendingExceeded } from './limits.ts'
import { findSpending, type SpendingState } from './spending-sql.ts'

/** What the API needs to know of spending. Workers have the same settings. */
export interface SpendingPolicy {
  /** `free`: there is no model, or it costs nothing. `unpriced`: it is not known what it costs. */
  model: 'free' | 'priced' | 'unpriced'
  /** The operator's limit for a UTC day. Null: none. */
  dailyLimitUsd: number | null
}

export interface SpendingContext extends Pick<Context, 'db' | 'clock'> {
  submitPolicy: { spending: SpendingPolicy }
}

/**
 * Returns the refusal of work that needs a model because the month or the day is used up, or null. If both are, it names the month,
 * which lasts longer.
 */
export async function findSpent(ctx: SpendingContext, { userId }: Pick<Actor, 'userId'>): Promise<ServiceError | null> {
  const { model, dailyLimitUsd } = ctx.submitPolicy.spending
  if (model === 'free') return null
  const now = ctx.clock()
  const { monthLimitUsd, monthUsedUsd, dayUsedUsd } = await findSpending(ctx.db, userId, quotaPeriods(now))
  if (monthLimitUsd !== null && monthUsedUsd >= monthLimitUsd) {
    return spendingExceeded({ scope: 'month', limitUsd: monthLimitUsd, usedUsd: monthUsedUsd }, now)
  }
  if (dailyLimitUsd !== null && dayUsedUsd >= dailyLimitUsd) {
    return spendingExceeded({ scope: 'day', limitUsd: dailyLimitUsd, usedUsd: dayUsedUsd }, now)
  }
  return null
}

/** Like `findSpent`, for videos. Those whose summaries exist, or that ask for none, cost nothing. */
export async function findSpentFor(
  ctx: SpendingContext & { estimateCosts: EstimateCosts },
  actor: Pick<Actor, 'userId'>,
  videos: readonly WantedVideo[],
): Promise<ServiceError | null> {
  const needing = videos.filter(
    ({ options, templates }) =>
      options.summary_modes.length > 0 || options.generate_infographic || templates.length > 0,
  )
  const refusal = needing.length > 0 ? await findSpent(ctx, actor) : null
  if (!refusal) return null
  const estimated = await ctx.estimateCosts(actor.userId, needing)
  return estimated.every(({ writes }) => writes === 0) ? null : refusal
}

/** Returns the issues of limits in a request, which cannot be kept where the price of the model is unknown. */
export const findLimitIssues = (
  { model }: SpendingPolicy,
  limits: readonly { path: string; limitUsd: number | null | undefined }[],
): ValidationIssue[] =>
  model !== 'unpriced'
    ? []
    : limits
        .filter(({ limitUsd }) => limitUsd !== undefined && limitUsd !== null)
        .map(({ path }) => ({
          path,
          message:
            'Cannot be kept: this installation does not know the price of its model. Leave it out, or set MODEL_PRICES.',
          code: 'unknown_price',
        }))

/** Returns what counts toward the limits of an account. */
export const getSpending = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { userId }: Pick<Actor, 'userId'>,
): Promise<SpendingState> => findSpending(db, userId, quotaPeriods(clock()))
