import type { ErrorCode, ErrorDetails, JobError, Meta } from './generated/types.ts'

/** Codes of errors that occur in the client. All other codes are those of the API. */
export type ClientErrorCode = 'CONNECTION_ERROR' | 'TIMEOUT' | 'INVALID_RESPONSE' | 'INVALID_SIGNATURE'

export interface ErrorFields {
  /** Status of the response; 0 if there was none. */
  status?: number
  code: ErrorCode | ClientErrorCode
  details?: Record<string, unknown>
  requestId?: string
  retryable?: boolean
  docsUrl?: string
  /** Pause that the response requests, in milliseconds. */
  retryAfterMs?: number
  /** The job that the failed call was about. */
  jobId?: string
  cause?: unknown
}

/** Base class of everything that the client throws, except the reason of an aborted `signal`. */
export class SubtextError extends Error {
  readonly status: number
  readonly code: ErrorFields['code']
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined
  readonly retryable: boolean
  readonly docsUrl: string | undefined
  readonly retryAfterMs: number | undefined
  jobId: string | undefined

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = new.target.name
    this.status = fields.status ?? 0
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryable = fields.retryable ?? false
    this.docsUrl = fields.docsUrl
    this.retryAfterMs = fields.retryAfterMs
    this.jobId = fields.jobId
  }

  /** Returns whether this is an error with the code, and narrows the type of its details. */
  hasCode<C extends keyof ErrorDetails>(code: C): this is SubtextError & { details: ErrorDetails[C] } {
    return this.code === code
  }
}

const FIELD = /`details\.(\w+)`/g
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * Returns the message of an error as people should read it: with the values of the details in place of the fields that it names,
 * such as "It resets at `details.reset_at`". `formatTime` formats a time; without it, times stay in ISO 8601 and UTC.
 */
export function readableMessage(
  { message, details = {} }: Pick<SubtextError, 'message' | 'details'>,
  formatTime: (iso: string) => string = (iso) => iso,
): string {
  return message.replace(FIELD, (field, name: string) => {
    const value = details[name]
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'string') return field
    return TIME.test(value) ? formatTime(value) : `\`${value}\``
  })
}

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends SubtextError {}
/** There was no response in time, or a job did not end in time. */
export class TimeoutError extends SubtextError {}
/** 400: the request is invalid. `details.issues` says where. */
export class BadRequestError extends SubtextError {}
/** 401: the API key is missing or not valid. */
export class AuthenticationError extends SubtextError {}
/** 403: the plan or the scopes of the key do not allow this. */
export class PermissionError extends SubtextError {}
/** 404: there is no such job, batch or delivery in this account. */
export class NotFoundError extends SubtextError {}
/** 409: the job has not ended, or a request with the same idempotency key is in progress. */
export class ConflictError extends SubtextError {}
/** 422: the video has no usable captions or is not accessible, or the job was cancelled. */
export class UnprocessableError extends SubtextError {}
/** 429: the request limit or a quota is exhausted. */
export class RateLimitError extends SubtextError {}
/** 5xx: the service or the video platform has a problem. */
export class ServerError extends SubtextError {}
/** A webhook is not signed with this secret, or is too old. */
export class WebhookVerificationError extends SubtextError {}

const BY_STATUS: Record<number, typeof SubtextError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
}

interface ErrorEnvelope {
  error?: {
    code?: ErrorCode
    message?: string
    details?: Record<string, unknown>
    retryable?: boolean
    docs_url?: string
  }
  meta?: Partial<Meta>
}

/** Builds the error of a response with a status of 400 or more. `body`: its parsed JSON, if it is JSON. */
export function buildResponseError(response: Response, body: unknown): SubtextError {
  const { error, meta } = (typeof body === 'object' && body !== null ? body : {}) as ErrorEnvelope
  const { status } = response
  const jobId = error?.details?.job_id
  const { message, code } = isOurs(error) ? error : { message: describeForeign(status) }
  return new (classOf(status))(message, {
    status,
    code: code ?? 'INVALID_RESPONSE',
    details: error?.details,
    requestId: meta?.request_id ?? response.headers.get('X-Request-Id') ?? undefined,
    // An error without our envelope comes from a proxy. Gateway errors are temporary.
    retryable: error?.retryable ?? (status === 408 || status === 429 || status >= 502),
    docsUrl: error?.docs_url,
    retryAfterMs: parseRetryAfter(response.headers),
    ...(typeof jobId === 'string' && { jobId }),
  })
}

const isOurs = (error: ErrorEnvelope['error']): error is { message: string; code: ErrorCode } =>
  typeof error?.message === 'string' && typeof error.code === 'string'

/** The form of such a response shows that it comes from another server or a proxy. */
const describeForeign = (status: number): string =>
  `The server responded with status ${status}${status < 500 ? ', but not as the API does. Check the base URL.' : '.'}`

const classOf = (status: number): typeof SubtextError =>
  BY_STATUS[status] ?? (status >= 500 ? ServerError : SubtextError)

/** Builds the error that ends the stream of an answer. */
export const buildStreamError = ({ code, message, details, retryable }: JobError): SubtextError =>
  new ServerError(message, { status: 200, code, details, retryable })

/** Parses `Retry-After` (RFC 9110, section 10.2.3) into milliseconds. A date is compared with the clock of the server. */
function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')
  if (!value) return undefined
  const seconds = Number(value)
  const now = Date.parse(headers.get('Date') ?? '') || Date.now()
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Runs an operation on a job, and adds the ID of the job to the error it throws. */
export async function withJobId<T>(jobId: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SubtextError) error.jobId ??= jobId
    throw error
  }
}
