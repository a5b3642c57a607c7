import { type ErrorCode, type ErrorDetails, ServiceError, type TrackFault } from '@subtext/contracts'
import { UnusableTrackError } from '../platform-errors.ts'

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
  /** Whether the words fit both a blocked address and a video that nobody can watch. Another egress shows which it is. */
  mayConcernVideo?: boolean
  /** Set if only the caption track is at fault, so that another track of the video may be used. */
  fault?: TrackFault
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

export const toServiceError = (refusal: Refusal): ServiceError => {
  const { code, message, details, retryable, retryAfterSeconds, cause, fault } = refusal
  const options = { message, details, retryable, retryAfterSeconds, cause: new Error(cause) }
  return fault ? new UnusableTrackError(fault, code, options) : new ServiceError(code, options)
}

/** Number of apps that must agree before a video counts as gone. */
const APPS_TO_CONFIRM = 2
/** Number of apps that must agree before a video counts as one without captions, because some apps hide them. */
const APPS_WITHOUT_CAPTIONS = 3

/** Returns the refusal that the apps asked so far agree on, if any. `appCount`: number of apps that can be asked. */
export const selectConfirmed = (refusals: Refusal[], appCount: number): Refusal | undefined => {
  const last = refusals.at(-1)
  const apps = new Set(refusals.flatMap(({ code, app }, position) => (code === last?.code ? [app ?? position] : [])))
  const needed = last?.code === 'TRANSCRIPT_UNAVAILABLE' ? APPS_WITHOUT_CAPTIONS : APPS_TO_CONFIRM
  if (!last || apps.size < Math.min(needed, appCount)) return undefined
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

/** Too few apps say that there are no captions, and the others cannot tell. The next try may find some. */
const unconfirmed: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause: 'no_captions_unconfirmed' }

/** Returns the refusal that all apps that have judged the video give in the same words, which may concern the video. */
const selectUnclear = (refusals: Refusal[], appCount: number): Refusal | undefined => {
  const unclear = refusals.filter(({ mayConcernVideo }) => mayConcernVideo)
  const apps = new Set(unclear.map(({ app }, position) => app ?? position))
  const others = refusals.filter((one) => one.next !== 'next-client' && !unclear.includes(one))
  const isUnanimous = others.length === 0 && unclear.every(({ cause }) => cause === unclear[0]?.cause)
  return isUnanimous && apps.size >= Math.min(APPS_TO_CONFIRM, appCount) ? unclear.at(-1) : undefined
}

/**
 * Returns the outcome of the refusals through one egress. An unconfirmed final reply does not count if other clients
 * failed for other reasons: the next try may find captions. `appCount`: number of apps that can be asked.
 */
export const selectOutcome = (refusals: Refusal[], appCount: number): Refusal =>
  refusals.find(({ next }) => next === 'stop') ??
  ofCode(refusals, 'GEO_BLOCKED') ??
  selectConfirmed(refusals, appCount) ??
  selectUnclear(refusals, appCount) ??
  withoutDoubt(ofCode(refusals, 'UPSTREAM_BLOCKED')) ??
  ofCode(refusals, 'UPSTREAM_UNAVAILABLE') ??
  confirmable(ofCode(refusals, 'TRANSCRIPT_UNAVAILABLE')) ??
  refusals.at(-1) ??
  outOfTime

/** Returns a refusal that would be final as one that is not. */
const confirmable = (refusal: Refusal | undefined): Refusal | undefined =>
  refusal && !refusal.retryable ? unconfirmed : refusal

/** Returns a block as one that says nothing about the video, because not all apps were refused in the same words. */
const withoutDoubt = (refusal: Refusal | undefined): Refusal | undefined =>
  refusal && { ...refusal, mayConcernVideo: false }

/** An outcome, and the name of its egress. */
export interface EgressOutcome {
  egress: string
  refusal: Refusal
}

/** Returns what several egresses say about a video in the same words, which are therefore not about the address. */
export const selectAgreed = (outcomes: EgressOutcome[]): Refusal | undefined => {
  const unclear = outcomes.filter(({ refusal }) => refusal.mayConcernVideo)
  const last = unclear.at(-1)
  const agrees = unclear.some(({ egress, refusal }) => egress !== last?.egress && refusal.cause === last?.refusal.cause)
  return last && agrees ? { code: 'VIDEO_UNAVAILABLE', next: 'stop', cause: last.refusal.cause } : undefined
}

/** Returns the outcome of all egresses: the last one in which the platform answered about the video itself. */
export const selectFinal = (outcomes: EgressOutcome[]): Refusal => {
  const refusals = outcomes.map(({ refusal }) => refusal)
  return (
    refusals.findLast(({ code }) => !code.startsWith('UPSTREAM_')) ??
    selectAgreed(outcomes) ??
    ofCode(refusals, 'UPSTREAM_BLOCKED') ??
    refusals.at(-1) ??
    outOfTime
  )
}
