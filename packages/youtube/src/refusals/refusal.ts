import { type ErrorCode, type ErrorDetails, ServiceError } from '@subtext/contracts'

/**
 * What to do after a refusal: `stop`: it is final; `confirm`: it is final if a second client gets the same reply;
 * `next-client`: it may concern only this client; `confirm-block`: it may concern only this client, or else the session or
 * the address, which a second app that is refused like this confirms; `next-egress`: it concerns the address; `retry`: it
 * may be temporary.
 */
export type NextStep = 'stop' | 'confirm' | 'next-client' | 'confirm-block' | 'next-egress' | 'retry'

/** Why the platform did not return what was requested. */
export interface Refusal {
  code: ErrorCode
  next: NextStep
  /** Short, stable name of the cause, for logs and metrics. */
  cause: string
  /** The app that was refused. Another client of the same app confirms nothing. */
  app?: string
  /** Message for the user where the cause is more specific than the code. Default: the message of the code. */
  message?: string
  details?: ErrorDetails
  retryable?: boolean
  retryAfterSeconds?: number
}

export class UpstreamRefusal extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause?: unknown) {
    super(`The platform refused: ${refusal.cause}`, { cause })
    this.name = 'UpstreamRefusal'
    this.refusal = refusal
  }
}

export const toServiceError = ({
  code,
  message,
  details,
  retryable,
  retryAfterSeconds,
  cause,
}: Refusal): ServiceError =>
  new ServiceError(code, { message, details, retryable, retryAfterSeconds, cause: new Error(cause) })

/** Number of apps that must agree before a video counts as gone or without captions. */
const CONFIRMATIONS = 2

/** Returns the refusal that the apps asked so far agree on, if any. */
export const selectConfirmed = (refusals: Refusal[]): Refusal | undefined => {
  const last = refusals.at(-1)
  const apps = new Set(refusals.flatMap(({ code, app }, position) => (code === last?.code ? [app ?? position] : [])))
  if (!last || apps.size < CONFIRMATIONS) return undefined
  const firms = refusals.filter(({ code, next }) => code === last.code && next === 'confirm')
  const firm = firms.find(({ retryable }) => retryable) ?? firms[0]
  // A client that can play the video proves that it exists.
  const exists = refusals.some(({ code }) => code === 'TRANSCRIPT_UNAVAILABLE')
  return firm && (last.code === 'TRANSCRIPT_UNAVAILABLE' || !exists) ? firm : undefined
}

const ofCode = (refusals: Refusal[], code: ErrorCode): Refusal | undefined =>
  refusals.findLast((refusal) => refusal.code === code)

/** Every client gets the same track, so asking another one would only cost the same time again. */
export const unreadableCaptions: Refusal = {
  code: 'TRANSCRIPT_UNAVAILABLE',
  next: 'stop',
  details: { reason: 'unreadable' },
  cause: 'unreadable_captions',
  message: 'The captions of the video cannot be read: they are too large or not in a known form.',
}

export const outOfTime: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', cause: 'out_of_time' }

/**
 * Returns the outcome of the refusals through one egress. An unconfirmed final reply does not count if other clients
 * failed for other reasons: the next try may find captions.
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

/** Returns the outcome of all egresses: the last one in which the platform answered about the video itself. */
export const selectFinal = (outcomes: Refusal[]): Refusal =>
  outcomes.findLast(({ code }) => !code.startsWith('UPSTREAM_')) ??
  ofCode(outcomes, 'UPSTREAM_BLOCKED') ??
  outcomes.at(-1) ??
  outOfTime
