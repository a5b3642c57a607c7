import { z } from 'zod'

interface ErrorDefinition {
  status: number
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean
  message: string
}

/** Every error a caller can get: its HTTP status, whether retrying can help, and the default message. */
export const ERRORS = {
  VALIDATION_ERROR: { status: 400, retryable: false, message: 'The request is invalid. See `details.issues`.' },
  INVALID_JSON: { status: 400, retryable: false, message: 'The request body is not valid JSON.' },
  INVALID_VIDEO_URL: {
    status: 400,
    retryable: false,
    message: 'The URL is not a video URL such as `https://www.youtube.com/watch?v=VIDEO_ID`.',
  },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    message: 'A valid API key is required. Send it as `Authorization: Bearer sk_...`.',
  },
  PLAN_UPGRADE_REQUIRED: {
    status: 403,
    retryable: false,
    message: 'Your plan does not include everything this request uses. See `details.violations`.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    retryable: false,
    message: 'The caller lacks the scope that this request requires.',
  },
  FORBIDDEN_ORIGIN: {
    status: 403,
    retryable: false,
    message: 'With a session, requests that change something are accepted only from pages of this service.',
  },
  SESSION_REQUIRED: {
    status: 403,
    retryable: false,
    message: 'Sign in to do this. The API key or the connected application that sent the request cannot.',
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    retryable: false,
    message: 'You signed in more than 10 minutes ago. Confirm your password or sign in again, then repeat the request.',
  },
  HTTPS_REQUIRED: { status: 403, retryable: false, message: 'HTTPS is required. Send the request again over https.' },
  NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'Not found. Check the path, and that the ID belongs to your account.',
  },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, message: 'Method not allowed.' },
  NOT_ACCEPTABLE: {
    status: 406,
    retryable: false,
    message: 'No media type in `Accept` is available. See `details.available`.',
  },
  JOB_NOT_COMPLETED: {
    status: 409,
    retryable: true,
    message: 'The job has not finished yet. Retry later, or wait for it with `GET /videos/status/{job_id}?wait=30`.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    retryable: true,
    message: 'A request with this idempotency key is still running. Retry later.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: 'The account has reached its maximum number of active API keys. Revoke one that is not needed.',
  },
  TEMPLATE_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: 'The account has reached its maximum number of templates. Delete one that is not needed.',
  },
  KEY_ALREADY_CREATED: {
    status: 409,
    retryable: false,
    message:
      'An earlier request with this idempotency key has created the key `details.prefix`, which is shown only once. If you have not got it, revoke it and create another one with a new idempotency key.',
  },
  SUBSCRIPTION_LIMIT_REACHED: {
    status: 409,
    retryable: false,
    message: 'The account has reached its maximum number of subscriptions or feeds. End one that is not needed.',
  },
  SOURCE_IN_USE: {
    status: 409,
    retryable: false,
    message: 'A subscription uses the source. End the subscription first.',
  },
  CONVERSATION_BUSY: {
    status: 409,
    retryable: true,
    message: 'Another answer is being written in this conversation. Retry when it is complete.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, message: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    message: 'Unsupported media type. Send the body as `application/json`.',
  },
  TRANSCRIPT_UNAVAILABLE: {
    status: 422,
    retryable: false,
    message: 'The video has no captions that can be extracted.',
  },
  VIDEO_UNAVAILABLE: { status: 422, retryable: false, message: 'The video does not exist or has been removed.' },
  AGE_RESTRICTED: { status: 422, retryable: false, message: 'The video is age-restricted and requires signing in.' },
  LIVE_NOT_ENDED: { status: 422, retryable: true, message: 'The live stream has not ended yet. Retry after it ends.' },
  GEO_BLOCKED: {
    status: 422,
    retryable: false,
    message: 'The video is not available in the regions that the service can reach.',
  },
  VIDEO_NOT_ACCESSIBLE: {
    status: 422,
    retryable: false,
    message: 'The video is available to members or paying viewers only.',
  },
  SOURCE_UNAVAILABLE: { status: 422, retryable: false, message: 'The source cannot be listed.' },
  NOTHING_SELECTED: {
    status: 422,
    retryable: false,
    message: 'The source has no video that fits and can be processed.',
  },
  CAPTIONS_UNREADABLE: {
    status: 422,
    retryable: false,
    message: 'The captions cannot be read. `details.reason` says why.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This idempotency key was used for a different request. Use a new key.',
  },
  JOB_CANCELLED: { status: 422, retryable: false, message: 'The job was cancelled.' },
  RATE_LIMITED: { status: 429, retryable: true, message: 'Too many requests. Retry after `Retry-After` seconds.' },
  QUOTA_EXCEEDED: {
    status: 429,
    retryable: true,
    message: 'The video quota of your plan is used up. It resets at `details.reset_at`.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    message: 'An internal error occurred. Retry later, and report it if it happens again.',
  },
  UPSTREAM_BLOCKED: {
    status: 503,
    retryable: true,
    message: 'The video platform is refusing our requests at the moment. Retry later.',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'The video platform is not responding at the moment. Retry later.',
  },
  SUMMARY_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'No summary can be written at the moment. Retry later.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'The service is temporarily unavailable. Retry later.',
  },
  PROCESSING_TIMEOUT: { status: 504, retryable: true, message: 'The job did not finish in time.' },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]
export const ErrorCode = z.enum(ERROR_CODES).meta({ id: 'ErrorCode' })

export type ErrorDetails = Record<string, unknown>

interface ServiceErrorOptions {
  message?: string
  details?: ErrorDetails
  /** Seconds to wait before retrying; sent as the `Retry-After` header. */
  retryAfterSeconds?: number
  /** Overrides the table, for codes of which one cause is permanent and another is not. */
  retryable?: boolean
  cause?: unknown
}

/** The only error that callers and the `error` field of a job see unchanged. Any other becomes `INTERNAL_ERROR`. */
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
  /** Path in the request, such as `options.summary_modes.0`. */
  path: string
  message: string
  code: string
}

/** Returns how messages name what is at a path of the request. */
function nameOf(path: string): string {
  if (path === '') return 'The request body'
  const [, parameter] = /^query\.(.+)$/s.exec(path) ?? []
  return parameter === undefined ? `\`${path}\`` : `The query parameter \`${parameter}\``
}

/** Puts the name of the field before a message that begins with "Must" or "Is", so that it can be read on its own. */
const nameField = (issue: ValidationIssue): ValidationIssue => ({
  ...issue,
  message: issue.message.replace(/^(?:Must|Is)(?= )/, (verb) => `${nameOf(issue.path)} ${verb.toLowerCase()}`),
})

/**
 * Returns the error of a request with these issues, the first of which becomes its message. Messages that say what a value
 * must be or is ("Must be a list.") are completed with the name of the field.
 */
export function validationError(
  issues: ValidationIssue[],
  code: 'VALIDATION_ERROR' | 'INVALID_VIDEO_URL' = 'VALIDATION_ERROR',
): ServiceError {
  const named = issues.map(nameField)
  return new ServiceError(code, { message: named[0]?.message, details: { issues: named } })
}
