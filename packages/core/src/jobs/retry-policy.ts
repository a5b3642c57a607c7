import type { ServiceError } from '@subtext/contracts'
import type { Job } from './job-row.ts'

/** An error may ask for a longer delay, but the job is retried sooner: never park a job for hours. */
const MAX_REQUESTED_DELAY_SECONDS = 300

/**
 * Returns the seconds until a job is retried after `error`: those of the schedule, or more if the error asks for it, up to five
 * minutes. Returns null if retrying will not help, or if all attempts are used up.
 */
export function retryDelay(error: ServiceError, attempts: number, schedule: readonly number[]): number | null {
  const scheduled = isWorthRetrying(error) ? schedule[attempts - 1] : undefined
  if (scheduled === undefined) return null
  return Math.max(scheduled, Math.min(error.retryAfterSeconds ?? 0, MAX_REQUESTED_DELAY_SECONDS))
}

/** Whether the cause may go away within the minutes a job can wait. The end of a live stream is rarely that close. */
const isWorthRetrying = (error: ServiceError): boolean =>
  error.retryable && error.status >= 500 && error.code !== 'PROCESSING_TIMEOUT'

const MIN_WAIT_MS = 1_000
/** Jobs that wait for the same moment come back one after the other within this part of their wait. */
const SPREAD = 0.2

export interface PauseOptions {
  /** Maximum total time that a job waits; 0 disables waiting. */
  maxSeconds: number
  now: Date
  /** In [0, 1). */
  random: number
}

/**
 * Returns how many seconds a job waits: until the platform may be asked again at `retryAt`, or until its waiting time is used
 * up. Returns null if it is already used up.
 */
export function waitDelay(
  job: Pick<Job, 'waitingSince'>,
  retryAt: Date,
  { maxSeconds, now, random }: PauseOptions,
): number | null {
  const waitedMs = now.getTime() - (job.waitingSince ?? now).getTime()
  const leftMs = maxSeconds * 1_000 - waitedMs
  if (leftMs <= 0) return null
  const wantedMs = Math.max(MIN_WAIT_MS, retryAt.getTime() - now.getTime()) * (1 + SPREAD * random)
  return Math.min(wantedMs, leftMs) / 1_000
}
