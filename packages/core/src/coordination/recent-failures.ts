import { ServiceError } from '@subtext/contracts'

/**
 * Failed attempts to fetch a transcript. Jobs that requested the same thing while an attempt was in progress share its failure
 * instead of asking the platform again. Jobs that come later start a new attempt.
 */
export interface RecentFailures {
  /** Remembers a failure if it came from the platform. Internal errors and aborted jobs are ignored. */
  remember(question: string, error: unknown): void
  /** Returns the failure of `question` remembered at `since` (as `performance.now()`) or later, or null. */
  find(question: string, since: number): ServiceError | null
}

/** Far more than a worker fetches at once. */
const MAX_REMEMBERED = 1_000
const UNPROCESSABLE = 422
const isAnswer = ({ status, code }: ServiceError): boolean =>
  status === UNPROCESSABLE || code === 'UPSTREAM_BLOCKED' || code === 'UPSTREAM_UNAVAILABLE'

export const createRecentFailures = (now: () => number = () => performance.now()): RecentFailures => {
  const failures = new Map<string, { error: ServiceError; at: number }>()
  return {
    remember(question, error) {
      if (!(error instanceof ServiceError) || !isAnswer(error)) return
      failures.delete(question)
      failures.set(question, { error, at: now() })
      const [oldest] = failures.keys()
      if (failures.size > MAX_REMEMBERED && oldest !== undefined) failures.delete(oldest)
    },
    find(question, since) {
      const failure = failures.get(question)
      return failure && failure.at >= since ? failure.error : null
    },
  }
}
