import { AnthropicError, APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk'

interface Failure {
  /** The same call may succeed at another time. */
  retryable: boolean
  /** Another try at once makes sense. */
  soon: boolean
  /** What the provider asked for. */
  retryAfterMs: number | null
  /** The provider wants fewer calls at once. */
  isThrottled: boolean
}

const FINAL: Failure = { retryable: false, soon: false, retryAfterMs: null, isThrottled: false }
const PASSING: Failure = { retryable: true, soon: true, retryAfterMs: null, isThrottled: false }
/** Waiting as long again would use up the time of the job. */
const LATE: Failure = { retryable: true, soon: false, retryAfterMs: null, isThrottled: false }

/** 429s that only a person with the purse can end. */
const SPENDING_CODES = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached'])
/** Too many requests, and an overloaded provider. */
const THROTTLING_STATUSES = new Set([429, 529])
const THROTTLING_TYPES = new Set(['rate_limit_error', 'overloaded_error'])
const PASSING_STATUSES = new Set([408, 409, 429])
const PASSING_TYPES = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error'])

function parseRetryAfterMs(headers: Headers | undefined, now: number): number | null {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return milliseconds
  const value = headers?.get('retry-after') ?? ''
  const wait = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return wait >= 0 ? wait : null
}

function isPassing(error: APIError): boolean {
  if (error.errorCode !== null && SPENDING_CODES.has(error.errorCode)) return false
  if (error.status !== undefined) return PASSING_STATUSES.has(error.status) || error.status >= 500
  // An error event within a stream has no status, only a type; without either the stream itself was broken.
  return error.type === null || PASSING_TYPES.has(error.type)
}

/** `null` for what is no failure of the provider or of the way to it. */
export function classifyFailure(error: unknown, now: number): Failure | null {
  if (error instanceof APIConnectionTimeoutError) return LATE
  if (error instanceof APIConnectionError) return PASSING
  if (error instanceof APIError) {
    if (!isPassing(error)) return FINAL
    return {
      retryable: true,
      soon: error.headers?.get('x-should-retry') !== 'false',
      // The headers of a stream were sent before its error and say nothing about it.
      retryAfterMs: error.status === undefined ? null : parseRetryAfterMs(error.headers, now),
      isThrottled: THROTTLING_STATUSES.has(error.status ?? 0) || THROTTLING_TYPES.has(error.type ?? ''),
    }
  }
  // What the SDK throws besides: streams that end too early or hold no valid events.
  return error instanceof AnthropicError ? PASSING : null
}

const TOO_LONG = /prompt is too long|exceeds? the (?:maximum )?context|maximum context length/i

/** The provider refuses the prompt for its length alone: less of it would be taken. */
export const isPromptTooLong = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 413 || (error.status === 400 && TOO_LONG.test(error.message)))
