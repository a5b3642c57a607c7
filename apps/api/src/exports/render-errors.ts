import { ServiceError } from '@subtext/contracts'
import { RenderError } from '@subtext/documents'

/** Messages for callers when a document cannot be rendered. */
export interface RenderMessages {
  busy: string
  limit: string
}

const RETRY_AFTER_SECONDS = 5
const UNSUPPORTED = 'This installation cannot render documents: there is no Typst compiler for its platform.'

/** Returns the error of the API for a render that failed. Returns other errors as they are. */
export function toServiceError(error: unknown, { busy, limit }: RenderMessages): unknown {
  if (!(error instanceof RenderError)) return error
  switch (error.failure) {
    case 'busy':
      return new ServiceError('SERVICE_UNAVAILABLE', { message: busy, retryAfterSeconds: RETRY_AFTER_SECONDS })
    case 'timeout':
    case 'memory':
      return new ServiceError('PROCESSING_TIMEOUT', { message: limit, retryable: false, cause: error })
    case 'unsupported':
      return new ServiceError('SERVICE_UNAVAILABLE', { message: UNSUPPORTED, retryable: false, cause: error })
    case 'failed':
      return new ServiceError('INTERNAL_ERROR', { cause: error })
    default:
      return error.failure satisfies never
  }
}
