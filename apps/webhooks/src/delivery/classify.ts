import { type AttemptOutcome, nextDelay } from '@subtext/core/webhooks'
import { parseRetryAfter } from '@subtext/runtime'
import type { SendOutcome } from './send.ts'

const GONE = 410
const ASKS_TO_WAIT = new Set([429, 503])
const LONGEST_WAIT_SECONDS = 24 * 3_600

/**
 * What follows from an attempt: 2xx acknowledges, 410 ends at once, anything else is tried again by the schedule until
 * that is used up. `Retry-After` of 429 and 503 is honoured where it asks for more time than the schedule gives.
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
  const asked =
    statusCode !== null && ASKS_TO_WAIT.has(statusCode) ? (parseRetryAfter(retryAfter, now.getTime()) ?? 0) : 0
  return { retryInSeconds: Math.max(delay, Math.min(asked, LONGEST_WAIT_SECONDS)) }
}
