import type { Logger } from '@subtext/runtime'
import type { CallFailure, FailureDetails } from './failures.ts'

export type FailureLog = Pick<Logger, 'warn' | 'error'>

export const NO_LOG: FailureLog = { warn: () => {}, error: () => {} }

const REPEAT_AFTER_MS = 60_000

/**
 * Logs failed calls: a warning for each temporary failure and, at most once a minute, an error for failures that last until an
 * operator acts.
 */
export function createFailureReporter(log: FailureLog, now: () => number = () => performance.now()) {
  let lastErrorAt = Number.NEGATIVE_INFINITY
  return (failure: CallFailure, details: FailureDetails): void => {
    if (!failure.needsOperator) log.warn('model call failed', { ...details })
    else if (now() - lastErrorAt >= REPEAT_AFTER_MS) {
      lastErrorAt = now()
      log.error('model unusable', { ...details })
    }
  }
}
