import { ServiceError } from '@subtext/contracts'
import { quotaPeriods, quotaResets } from '../plans/quota.ts'
import type { LimitState, SpendingCounter, SpendingScope } from './spending-sql.ts'

/*
 * The rules of spending limits that only the statements in `spending-sql.ts` can enforce, because they hold the locks on the
 * counters:
 * - Before a call of a model, its highest possible cost is reserved against every limit that applies, or not at all.
 * - What a receipt says is charged in the transaction that records it, out of the reservation of its call.
 * - What is left of a reservation is released when the end of the call is known and all of its cost is on receipts. Otherwise it
 *   stays: a call that a crash interrupts counts with all that it may have cost.
 * - So `used_usd` is what receipts say, and `used_usd + reserved_usd` is never more than a limit, unless the limit was lowered.
 */

/** The account, job and batch for which a model is called. */
export interface SpendingSubject {
  userId: string
  /** Null for a question in a chat, to which only the limits of periods apply. */
  job: { id: string; createdAt: Date; batchId: string | null; maxCostUsd: number | null } | null
}

/** The ID of the counter for the whole installation. */
const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** Returns what a cost counts toward. `dailyLimitUsd`: the operator's limit. */
export function listCounters(
  { userId, job }: SpendingSubject,
  now: Date,
  dailyLimitUsd: number | null,
): SpendingCounter[] {
  const { day, month } = quotaPeriods(now)
  const createdOn = job ? quotaPeriods(job.createdAt).day : day
  return [
    { scope: 'month', id: userId, startsOn: month, limitUsd: null },
    { scope: 'day', id: EVERYONE, startsOn: day, limitUsd: dailyLimitUsd },
    ...(job ? [{ scope: 'job' as const, id: job.id, startsOn: createdOn, limitUsd: job.maxCostUsd }] : []),
    ...(job?.batchId ? [{ scope: 'batch' as const, id: job.batchId, startsOn: createdOn, limitUsd: null }] : []),
  ]
}

const NAMES: Record<SpendingScope, string> = {
  job: '`max_cost_usd` of the job',
  batch: '`max_cost_usd` of the batch',
  month: 'monthly spending limit of the account',
  day: 'daily spending limit of the installation',
}

/** What one can do when a limit is used up. Limits of jobs and batches cannot be changed later. */
const ADVICE: Record<SpendingScope, string> = {
  job: '',
  batch: '',
  month: ' Raise it, or wait until it resets. Transcripts without summaries cost nothing.',
  day: ' It resets at midnight UTC. Transcripts without summaries cost nothing.',
}

/** A moment for a call that fits once the running ones have ended. */
const BUSY_RETRY_SECONDS = 30

/** Builds the refusal of what does not fit into a limit. `isBusy`: it would fit without the calls that are running. */
export function spendingExceeded(
  { scope, limitUsd, usedUsd }: Pick<LimitState, 'scope' | 'limitUsd' | 'usedUsd'>,
  now: Date,
  isBusy = false,
): ServiceError {
  const resets = quotaResets(now)
  const resetAt = scope === 'month' ? resets.month : scope === 'day' ? resets.day : null
  const isUsedUp = usedUsd >= limitUsd
  const untilReset = resetAt ? Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000)) : BUSY_RETRY_SECONDS
  return new ServiceError('QUOTA_EXCEEDED', {
    message: isUsedUp
      ? `The ${NAMES[scope]} is used up.${ADVICE[scope]}`
      : `The call could cost more than what is left of the ${NAMES[scope]}.`,
    details: {
      quota: 'spend',
      limit: limitUsd,
      // What other accounts have used is nobody's business.
      used: scope === 'day' ? Math.min(usedUsd, limitUsd) : usedUsd,
      reset_at: resetAt?.toISOString() ?? null,
    },
    retryAfterSeconds: isBusy ? Math.min(BUSY_RETRY_SECONDS, untilReset) : untilReset,
  })
}

/** Returns whether an error says that something does not fit into a spending limit. */
export const isSpendingRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED' && error.details?.quota === 'spend'
