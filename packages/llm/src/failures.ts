/** The ways a call can fail, with whether the same call may succeed later (`retryable`) or right away (`retryNow`). */
const FAILURE_KINDS = {
  throttled: { retryable: true, retryNow: true },
  overloaded: { retryable: true, retryNow: true },
  provider_error: { retryable: true, retryNow: true },
  network: { retryable: true, retryNow: true },
  /** The response did not follow the protocol, or ended early. */
  malformed: { retryable: true, retryNow: true },
  /** The answer began, and then no more data arrived. */
  stalled: { retryable: true, retryNow: true },
  /** Waiting that long again would use up the time limit of the job. */
  timeout: { retryable: true, retryNow: false },
  unauthorized: { retryable: false, retryNow: false },
  billing: { retryable: false, retryNow: false },
  /** The model or the address does not exist. */
  not_found: { retryable: false, retryNow: false },
  rejected: { retryable: false, retryNow: false },
} as const

export type FailureKind = keyof typeof FAILURE_KINDS
export const FAILURE_KIND_NAMES = Object.keys(FAILURE_KINDS) as FailureKind[]

const THROTTLING_KINDS = new Set<FailureKind>(['throttled', 'overloaded'])
const OPERATOR_KINDS = new Set<FailureKind>(['unauthorized', 'billing', 'not_found'])

export interface CallFailure {
  kind: FailureKind
  /** The same call may succeed later. */
  retryable: boolean
  /** Another attempt right away makes sense. */
  retryNow: boolean
  /** The wait that the provider asked for. */
  retryAfterMs: number | null
  /** The provider wants fewer concurrent calls. */
  isThrottled: boolean
  /** Every call will fail until an operator changes the key, the budget or the model. */
  needsOperator: boolean
}

export const createFailure = (kind: FailureKind): CallFailure => ({
  kind,
  ...FAILURE_KINDS[kind],
  retryAfterMs: null,
  isThrottled: THROTTLING_KINDS.has(kind),
  needsOperator: OPERATOR_KINDS.has(kind),
})

/** The parts of a failure that are safe to log. Messages and bodies may contain parts of a prompt, an answer or a key. */
export interface FailureDetails {
  outcome: FailureKind
  status?: number
  type?: string
  code?: string
  /** Identifies the call to the provider's support. */
  provider_request_id?: string
}

/** The cause of the errors that callers see; holds nothing but the details. */
export class ModelCallError extends Error {
  readonly outcome: FailureKind

  constructor(details: FailureDetails) {
    const known = Object.values(details).filter((value) => value !== undefined)
    super(`Model call failed: ${known.join(', ')}.`)
    this.name = 'ModelCallError'
    this.outcome = details.outcome
  }
}

/** Returns whether the provider did not accept a request as it was, such as one with a schema that is too complex for it. */
export const isRejected = ({ cause }: Error): boolean => cause instanceof ModelCallError && cause.outcome === 'rejected'
