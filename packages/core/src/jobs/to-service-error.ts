import { ServiceError } from '@subtext/contracts'

/** Returns the error itself if it may be shown to the caller, and an `INTERNAL_ERROR` that it caused otherwise. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', { cause: error })
