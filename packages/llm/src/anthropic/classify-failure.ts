import { AnthropicError, APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk'
import { parseRetryAfter } from '@subtext/runtime'
import { type CallFailure, createFailure, type FailureKind } from '../failures.ts'
import { IdleTimeoutError } from './watch-streams.ts'

/** 429s caused by a spend limit; retrying won't help. */
const SPEND_LIMIT_CODES = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached'])
/** Spend limits are also reported as a plain 400 without a code. */
const SPEND_LIMIT_MESSAGE = /credit balance is too low|reached your specified (?:\w+ )?usage limits?/i

const KINDS_BY_TYPE = new Map<string, FailureKind>([
  ['rate_limit_error', 'throttled'],
  ['overloaded_error', 'overloaded'],
  ['api_error', 'provider_error'],
  ['timeout_error', 'provider_error'],
  ['conflict_error', 'provider_error'],
  ['authentication_error', 'unauthorized'],
  ['permission_error', 'unauthorized'],
  ['billing_error', 'billing'],
  ['not_found_error', 'not_found'],
])
/** Error types of requests that a server does not accept. Any other unknown type is a failure of the server. */
const REJECTED_TYPES = new Set([
  'invalid_request_error',
  'request_too_large',
  'exceed_context_size_error',
  'not_supported_error',
  'BadRequestError',
])
const KINDS_BY_STATUS = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [402, 'billing'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [408, 'provider_error'],
  [409, 'provider_error'],
  [429, 'throttled'],
  // The provider, or a proxy in front of it, believes that we closed the connection.
  [499, 'provider_error'],
  [529, 'overloaded'],
])

/** A provider that asks for a longer pause means "not now". */
const MAX_RETRY_AFTER_MS = 60 * 60_000

function parseRetryAfterMs(headers: Headers | undefined, now: number): number | null {
  // The provider's own header is more precise.
  const milliseconds = parseRetryAfter(headers?.get('retry-after-ms'), now)
  const seconds = parseRetryAfter(headers?.get('retry-after'), now)
  const requested = milliseconds ?? (seconds === null ? null : seconds * 1_000)
  return requested === null ? null : Math.min(requested, MAX_RETRY_AFTER_MS)
}

function selectKind(error: APIError): FailureKind {
  const { status, type, errorCode } = error
  if (errorCode !== null && SPEND_LIMIT_CODES.has(errorCode)) return 'billing'
  if (status === 400 && SPEND_LIMIT_MESSAGE.test(error.apiMessage ?? '')) return 'billing'
  // An error event within a stream has no status, only a type; without either the stream itself was broken.
  if (status === undefined) return selectStreamKind(type)
  return KINDS_BY_STATUS.get(status) ?? (status >= 500 ? selectServerKind(type) : 'rejected')
}

function selectStreamKind(type: string | null): FailureKind {
  if (type === null) return 'malformed'
  return KINDS_BY_TYPE.get(type) ?? (REJECTED_TYPES.has(type) ? 'rejected' : 'provider_error')
}

/** Gateways report an overloaded provider with various status codes. */
const selectServerKind = (type: string | null): FailureKind =>
  type === 'overloaded_error' ? 'overloaded' : 'provider_error'

function classifyApiError(error: APIError, now: number): CallFailure {
  const failure = createFailure(selectKind(error))
  // The headers of a stream were sent before its error and say nothing about it.
  if (error.status === undefined) return failure
  const shouldRetry = error.headers?.get('x-should-retry')
  if (shouldRetry === 'true' && failure.kind === 'rejected') {
    return { ...failure, retryable: true, retryNow: true, retryAfterMs: parseRetryAfterMs(error.headers, now) }
  }
  if (!failure.retryable) return failure
  return { ...failure, retryNow: shouldRetry !== 'false', retryAfterMs: parseRetryAfterMs(error.headers, now) }
}

/** Returns null for errors that come neither from the provider nor from the connection to it. `now`: epoch milliseconds. */
export function classifyFailure(error: unknown, now: number): CallFailure | null {
  if (error instanceof IdleTimeoutError) return createFailure('stalled')
  if (error instanceof APIConnectionTimeoutError) return createFailure('timeout')
  if (error instanceof APIConnectionError) return createFailure('network')
  if (error instanceof APIError) return classifyApiError(error, now)
  // The other errors of the SDK: streams that end too early or contain invalid events.
  return error instanceof AnthropicError ? createFailure('malformed') : null
}

const TOO_LONG =
  /prompt is too long|(?:exceed(?:s|ed)?|longer than) the (?:(?:maximum|available|model's) )?context|maximum context length|exceed_context_size|context ?window|context length exceeded|input (?:length|is too long)|max_tokens.{0,40}(?:too large|exceed)/i

/** Returns whether the provider refused the prompt only because of its length, so that a shorter one would be accepted. */
export const isPromptTooLong = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 413 || (isInvalidRequest(error) && TOO_LONG.test(error.message)))

/** An error within a stream comes after the status was sent, so that only its type is known. */
const isInvalidRequest = ({ status, type }: APIError): boolean =>
  status === 400 || status === 422 || (status === undefined && type === 'invalid_request_error')
