import { ServiceError } from '@subtext/contracts'

/**
 * The `UPSTREAM_BLOCKED` of a fetch for which every egress that it may use is resting. Asking again before `retryAt` sends
 * no request.
 */
export class EgressesRestingError extends ServiceError {
  /** When the first of the egresses may be tried again. */
  readonly retryAt: Date

  /** `now` and `retryAt` are epoch milliseconds. */
  constructor(now: number, retryAt: number) {
    super('UPSTREAM_BLOCKED', {
      retryAfterSeconds: Math.ceil((retryAt - now) / 1000),
      cause: new Error('egresses_resting'),
    })
    this.retryAt = new Date(retryAt)
  }
}
