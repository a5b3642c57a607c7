import { type ErrorCode, ServiceError, type TrackFault } from '@subtext/contracts'

/**
 * The `UPSTREAM_BLOCKED` of a fetch that is worth repeating at `retryAt`, and not before: until then, every egress that it may
 * use is resting, or has nothing new to say about the video.
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

/**
 * The `UPSTREAM_BLOCKED` of a video that every app is refused time and again through the only egress, in words that may concern
 * the video as well. Repeating the fetch soon will not help.
 */
export class LastingBlockError extends ServiceError {
  constructor(cause: string) {
    super('UPSTREAM_BLOCKED', { cause: new Error(cause) })
  }
}

/** The error of a caption track that cannot be used, although another track of the video may be. */
export class UnusableTrackError extends ServiceError {
  readonly fault: TrackFault

  constructor(fault: TrackFault, code: ErrorCode, options: ConstructorParameters<typeof ServiceError>[1]) {
    super(code, options)
    this.fault = fault
  }
}
