import { AnthropicError, APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk'
import { parseRetryAfter } from '@subtext/runtime'
import { SilenceError } from './watch-stream.ts'

/** What can go wrong with a call, and whether the same call may succeed later (`retryable`) or at once (`soon`). */
const KINDS = {
  throttled: { retryable: true, soon: true },
  overloaded: { retryable: true, soon: true },
  provider_error: { retryable: true, soon: true },
  network: { retryable: true, soon: true },
  /** What came was no answer of the protocol, or only the beginning of one. */
  malformed: { retryable: true, soon: true },
  /** It had begun, and nothing came any more. */
  stalled: { retryable: true, soon: true },
  /** Waiting as long again would use up the time of the job. */
  timeout: { retryable: true, soon: false },
  unauthorized: { retryable: false, soon: false },
  billing: { retryable: false, soon: false },
  /** No such model, or no such address. */
  not_found: { retryable: false, soon: false },
  rejected: { retryable: false, soon: false },
} as const

export type FailureKind = keyof typeof KINDS

interface Failure {
  kind: FailureKind
  /** The same call may succeed at another time. */
  retryable: boolean
  /** Another try at once makes sense. */
  soon: boolean
  /** What the provider asked for. */
  retryAfterMs: number | null
  /** The provider wants fewer calls at once. */
  isThrottled: boolean
  /** Every call will fail until somebody acts: another key, money, another model. */
  needsPerson: boolean
}

/** 429s that only a person with the purse can end. */
const SPENDING_CODES = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached'])
/** The same is also said with a plain 400 and no code. */
const OUT_OF_MONEY = /credit balance is too low|reached your specified (?:\w+ )?usage limits?/i

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
const KINDS_BY_STATUS = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [402, 'billing'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [408, 'provider_error'],
  [409, 'provider_error'],
  [429, 'throttled'],
  // The provider, or what is before it, believes that we have hung up.
  [499, 'provider_error'],
  [529, 'overloaded'],
])
const THROTTLING_KINDS = new Set<FailureKind>(['throttled', 'overloaded'])
const PERSONAL_KINDS = new Set<FailureKind>(['unauthorized', 'billing', 'not_found'])

/** Whoever asks for more means "not now". */
const LONGEST_WAIT_MS = 60 * 60_000
function parseRetryAfterMs(headers: Headers | undefined, now: number): number | null {
  // The provider's own header is the more exact one.
  const milliseconds = parseRetryAfter(headers?.get('retry-after-ms'), now)
  const seconds = parseRetryAfter(headers?.get('retry-after'), now)
  const asked = milliseconds ?? (seconds === null ? null : seconds * 1_000)
  return asked === null ? null : Math.min(asked, LONGEST_WAIT_MS)
}

function selectKind(error: APIError): FailureKind {
  const { status, type, errorCode } = error
  if (errorCode !== null && SPENDING_CODES.has(errorCode)) return 'billing'
  if (status === 400 && OUT_OF_MONEY.test(error.apiMessage ?? '')) return 'billing'
  // An error event within a stream has no status, only a type; without either the stream itself was broken.
  if (status === undefined) return type === null ? 'malformed' : (KINDS_BY_TYPE.get(type) ?? 'rejected')
  return KINDS_BY_STATUS.get(status) ?? (status >= 500 ? selectServerKind(type) : 'rejected')
}

/** Gateways say with statuses of their own that the provider is overloaded. */
const selectServerKind = (type: string | null): FailureKind =>
  type === 'overloaded_error' ? 'overloaded' : 'provider_error'

const build = (kind: FailureKind, terms: Partial<Failure> = {}): Failure => ({
  ...{ kind, ...KINDS[kind], retryAfterMs: null },
  isThrottled: THROTTLING_KINDS.has(kind),
  needsPerson: PERSONAL_KINDS.has(kind),
  ...terms,
})

function classifyApiError(error: APIError, now: number): Failure {
  const kind = selectKind(error)
  // The headers of a stream were sent before its error and say nothing about it.
  if (error.status === undefined) return build(kind)
  const should = error.headers?.get('x-should-retry')
  if (should === 'true' && kind === 'rejected') {
    return build(kind, { retryable: true, soon: true, retryAfterMs: parseRetryAfterMs(error.headers, now) })
  }
  if (!KINDS[kind].retryable) return build(kind)
  return build(kind, { soon: should !== 'false', retryAfterMs: parseRetryAfterMs(error.headers, now) })
}

/** `null` for what is no failure of the provider or of the way to it. */
export function classifyFailure(error: unknown, now: number): Failure | null {
  if (error instanceof SilenceError) return build('stalled')
  if (error instanceof APIConnectionTimeoutError) return build('timeout')
  if (error instanceof APIConnectionError) return build('network')
  if (error instanceof APIError) return classifyApiError(error, now)
  // What the SDK throws besides: streams that end too early or hold no valid events.
  return error instanceof AnthropicError ? build('malformed') : null
}

const TOO_LONG = /prompt is too long|exceeds? the (?:maximum )?context|maximum context length/i

/** The provider refuses the prompt for its length alone: less of it would be taken. */
export const isPromptTooLong = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 413 || (isInvalidRequest(error) && TOO_LONG.test(error.message)))

/** The status of what is found within a stream was sent before. */
const isInvalidRequest = ({ status, type }: APIError): boolean =>
  status === 400 || (status === undefined && type === 'invalid_request_error')
