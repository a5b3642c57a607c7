import { type ErrorCode, type ErrorDetails, ServiceError } from '@subtext/contracts'

/**
 * What to do after a refusal: `stop`: it is final; `confirm`: final when a second client says the same; `next-client`:
 * it may concern this client only; `next-egress`: it concerns the address or the session; `retry`: it may pass by itself.
 */
export type NextStep = 'stop' | 'confirm' | 'next-client' | 'next-egress' | 'retry'

/** Why the platform did not give what was asked for. */
export interface Refusal {
  code: ErrorCode
  next: NextStep
  /** Short stable name of the cause, for logs. */
  why: string
  /** For whoever asked, where the cause says more than the code; that of the code else. */
  message?: string
  details?: ErrorDetails
  retryable?: boolean
  retryAfterSeconds?: number
}

export class UpstreamRefusal extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause?: unknown) {
    super(`The platform refused: ${refusal.why}`, { cause })
    this.name = 'UpstreamRefusal'
    this.refusal = refusal
  }
}

export const toServiceError = ({ code, message, details, retryable, retryAfterSeconds, why }: Refusal): ServiceError =>
  new ServiceError(code, { message, details, retryable, retryAfterSeconds, cause: new Error(why) })

/** One more answer than this is needed before a video is called gone or uncaptioned. */
const CONFIRMATIONS = 2

/** The refusal that the clients asked so far agree on, if they do. */
export const selectConfirmed = (refusals: Refusal[]): Refusal | undefined => {
  const last = refusals.at(-1)
  if (!last || refusals.filter(({ code }) => code === last.code).length < CONFIRMATIONS) return undefined
  const firm = refusals.find(({ code, next }) => code === last.code && next === 'confirm')
  // A client that plays the video proves that it exists.
  const exists = refusals.some(({ code }) => code === 'TRANSCRIPT_UNAVAILABLE')
  return firm && (last.code === 'TRANSCRIPT_UNAVAILABLE' || !exists) ? firm : undefined
}

const ofCode = (refusals: Refusal[], code: ErrorCode): Refusal | undefined =>
  refusals.findLast((refusal) => refusal.code === code)

export const outOfTime: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', why: 'out_of_time' }

/**
 * What the refusals over one way out mean together. A final answer that nobody confirmed does not count while other
 * clients failed for their own reasons: the next try may find the captions.
 */
export const selectOutcome = (refusals: Refusal[]): Refusal =>
  refusals.find(({ next }) => next === 'stop') ??
  ofCode(refusals, 'GEO_BLOCKED') ??
  selectConfirmed(refusals) ??
  ofCode(refusals, 'UPSTREAM_BLOCKED') ??
  ofCode(refusals, 'UPSTREAM_UNAVAILABLE') ??
  ofCode(refusals, 'TRANSCRIPT_UNAVAILABLE') ??
  refusals.at(-1) ??
  outOfTime

/** What the outcomes over all ways out mean: the last one where the platform spoke about the video itself. */
export const selectFinal = (outcomes: Refusal[]): Refusal =>
  outcomes.findLast(({ code }) => !code.startsWith('UPSTREAM_')) ??
  ofCode(outcomes, 'UPSTREAM_BLOCKED') ??
  outcomes.at(-1) ??
  outOfTime
