import { z } from 'zod'

interface ErrorTerms {
  status: number
  /** The same request may succeed later without a change. */
  retryable: boolean
  message: string
}

/** Every error a caller can meet: HTTP status, whether to try again, and the words shown when nothing better is known. */
export const ERRORS = {
  VALIDATION_ERROR: { status: 400, retryable: false, message: 'The request does not match the contract.' },
  INVALID_JSON: { status: 400, retryable: false, message: 'The body is not valid JSON.' },
  INVALID_VIDEO_URL: { status: 400, retryable: false, message: 'The URL does not name a video of the platform.' },
  UNAUTHORIZED: { status: 401, retryable: false, message: 'A valid API key is required.' },
  PLAN_UPGRADE_REQUIRED: { status: 403, retryable: false, message: 'Your plan does not include this feature.' },
  INSUFFICIENT_SCOPE: { status: 403, retryable: false, message: 'The API key lacks the permission for this request.' },
  HTTPS_REQUIRED: { status: 403, retryable: false, message: 'Use HTTPS.' },
  NOT_FOUND: { status: 404, retryable: false, message: 'There is nothing here.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, message: 'This path does not know that method.' },
  NOT_ACCEPTABLE: { status: 406, retryable: false, message: 'None of the accepted media types can be produced.' },
  JOB_NOT_COMPLETED: { status: 409, retryable: true, message: 'The job has not finished yet.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    retryable: true,
    message: 'A request with this idempotency key is still running.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, message: 'Send the body as application/json.' },
  TRANSCRIPT_UNAVAILABLE: { status: 422, retryable: false, message: 'No caption track can be extracted.' },
  VIDEO_UNAVAILABLE: { status: 422, retryable: false, message: 'The video does not exist or was removed.' },
  AGE_RESTRICTED: { status: 422, retryable: false, message: 'The video requires a sign-in to confirm the age.' },
  LIVE_NOT_ENDED: { status: 422, retryable: true, message: 'The live stream has not ended yet.' },
  GEO_BLOCKED: { status: 422, retryable: false, message: 'The video is not available in the regions we can reach.' },
  VIDEO_NOT_ACCESSIBLE: { status: 422, retryable: false, message: 'The video is for members or paying viewers only.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This idempotency key was used with another request.',
  },
  JOB_CANCELLED: { status: 422, retryable: false, message: 'The job was cancelled.' },
  RATE_LIMITED: { status: 429, retryable: true, message: 'Too many requests.' },
  QUOTA_EXCEEDED: { status: 429, retryable: true, message: 'The video quota of your plan is used up.' },
  INTERNAL_ERROR: { status: 500, retryable: true, message: 'Something went wrong on our side.' },
  UPSTREAM_BLOCKED: { status: 503, retryable: true, message: 'The video platform refuses our requests at present.' },
  UPSTREAM_UNAVAILABLE: { status: 503, retryable: true, message: 'The video platform does not answer at present.' },
  SUMMARY_UNAVAILABLE: { status: 503, retryable: true, message: 'No summary could be written at present.' },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true, message: 'The service cannot take requests at present.' },
  PROCESSING_TIMEOUT: { status: 504, retryable: true, message: 'The job did not finish in time.' },
} as const satisfies Record<string, ErrorTerms>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]
export const ErrorCode = z.enum(ERROR_CODES)

export type ErrorDetails = Record<string, unknown>

interface ServiceErrorOptions {
  message?: string
  details?: ErrorDetails
  /** Seconds after which another try makes sense; becomes the `Retry-After` header. */
  retryAfterSeconds?: number
  /** Overrides the table where one cause of a code is final and another is not. */
  retryable?: boolean
  cause?: unknown
}

/** The only error that may reach a caller or a job's `error` field as it is. Anything else is `INTERNAL_ERROR`. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly retryAfterSeconds: number | undefined
  readonly retryable: boolean

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.retryable = options.retryable ?? ERRORS[code].retryable
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

export interface ValidationIssue {
  /** Place in the request, such as `options.summary_modes.0`. */
  path: string
  message: string
  code: string
}

export const validationError = (issues: ValidationIssue[]): ServiceError =>
  new ServiceError('VALIDATION_ERROR', { details: { issues } })
