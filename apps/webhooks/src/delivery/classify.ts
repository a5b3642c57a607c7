import { type AttemptOutcome, nextDelay } from '@subtext/core/webhooks'
import { parseRetryAfter } from '@subtext/runtime'
import type { SendOutcome } from './send.ts'

const GONE = 410
const HONORS_RETRY_AFTER = new Set([429, 503])
const MAX_WAIT_SECONDS = 24 * 3_600

/**
 * Decides what follows an attempt. 2xx acknowledges the delivery, 410 ends it, and anything else is retried until the
 * schedule is used up. `Retry-After` of 429 and 503 is honored if it is later than the schedule.
 */
export function classify(
  outcome: SendOutcome,
  { attemptNo, schedule, random, now }: { attemptNo: number; schedule: readonly number[]; random: number; now: Date },
): AttemptOutcome['next'] {
  const { statusCode, retryAfter } = outcome
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered' }
  if (statusCode === GONE) return { status: 'failed' }
  const delay = nextDelay(schedule, attemptNo, random)
  if (delay === null) return { status: 'failed' }
  const requested =
    statusCode !== null && HONORS_RETRY_AFTER.has(statusCode) ? (parseRetryAfter(retryAfter, now.getTime()) ?? 0) : 0
  return { retryInSeconds: Math.max(delay, Math.min(requested, MAX_WAIT_SECONDS)) }
}
