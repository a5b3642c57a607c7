import type { ServiceError } from '@subtext/contracts'

/** An error may ask for a longer delay; the job is tried in between all the same. Never park a job for hours. */
const MAX_REQUESTED_DELAY_SECONDS = 300

/**
 * Returns the seconds until a job is retried after `error`: those of the schedule, or more if the error asks for it, up to
 * five minutes. Null: retrying will not help, or all attempts are used up.
 */
export function retryDelay(error: ServiceError, attempts: number, schedule: readonly number[]): number | null {
  const scheduled = isWorthRetrying(error) ? schedule[attempts - 1] : undefined
  if (scheduled === undefined) return null
  return Math.max(scheduled, Math.min(error.retryAfterSeconds ?? 0, MAX_REQUESTED_DELAY_SECONDS))
}

/** Whether the cause may go away within the minutes a job can wait. The end of a live stream is rarely that close. */
const isWorthRetrying = (error: ServiceError): boolean =>
  error.retryable && error.status >= 500 && error.code !== 'PROCESSING_TIMEOUT'
