import type { ServiceError } from '@subtext/contracts'
import { withTimeout } from '@subtext/runtime'
import type { ClientName } from './clients.ts'
import type { Egress } from './egress/egress.ts'
import { EgressesRestingError } from './egresses-resting-error.ts'
import {
  outOfTime,
  type Refusal,
  selectConfirmed,
  selectFinal,
  selectOutcome,
  toServiceError,
  UpstreamRefusal,
} from './refusals/refusal.ts'
import type { PlatformSession } from './session/open-session.ts'

export interface Attempt {
  egress: Egress
  session: PlatformSession
  client: ClientName
  signal: AbortSignal
}

export interface AttemptPlan {
  videoId: string
  route: Egress[]
  /** All egresses that the job may use, including those that are not on its route. */
  allowed: readonly Egress[]
  clients: readonly ClientName[]
  /** Clock of the rests, in epoch milliseconds. */
  now: () => number
  /** The job's own signal. */
  signal: AbortSignal
  /** Milliseconds left for the platform, shared by all attempts of a job. */
  budget: { leftMs: number }
  /** Called after every attempt, with `null` for one that succeeded. */
  onAttempt: (refusal: Refusal | null, client: ClientName, egress: Egress) => void
}

const endsEgress = ({ next }: Refusal, egress: Egress): boolean =>
  next === 'next-egress' || (next === 'retry' && egress.isProxy)

const needsNextEgress = (outcome: Refusal, egress: Egress, following: Egress | undefined): boolean => {
  if (!following) return false
  // Repeating the same egress helps only if the session was at fault.
  if (following === egress) return outcome.next === 'next-egress' && outcome.code !== 'GEO_BLOCKED'
  return endsEgress(outcome, egress) || outcome.code === 'UPSTREAM_BLOCKED'
}

const rejectWhenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const resting: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-egress', cause: 'exit_resting' }

/** Builds the error of a walk. If the platform can be asked again only after a rest, the error says when. */
const buildError = ({ allowed, videoId, now }: AttemptPlan, outcomes: Refusal[]): ServiceError => {
  const refusal = selectFinal(outcomes)
  const restLeftMs = Math.min(...allowed.map(({ health }) => health.restLeftMs(videoId)))
  if (refusal.code !== 'UPSTREAM_BLOCKED' || restLeftMs === 0) return toServiceError(refusal)
  return new EgressesRestingError(now(), now() + restLeftMs)
}

/** Reports what an attempt shows about the egress. A refusal of the video or of the client shows that the egress works. */
const reportHealth = ({ videoId }: AttemptPlan, egress: Egress, refusal: Refusal | null): void => {
  const isUpstream = refusal?.code.startsWith('UPSTREAM_') ?? false
  if (!isUpstream) egress.health.answered()
  else if (refusal && endsEgress(refusal, egress)) egress.health.blocked(videoId, refusal.retryAfterSeconds)
}

type Result<T> = { value: T } | { refusals: Refusal[] }

const tryEgress = async <T>(
  plan: AttemptPlan,
  egress: Egress,
  signal: AbortSignal,
  attempt: (attempt: Attempt) => Promise<T>,
): Promise<Result<T>> => {
  const refusals: Refusal[] = []
  const report = (refusal: Refusal | null, client: ClientName): void => {
    reportHealth(plan, egress, refusal)
    plan.onAttempt(refusal, client, egress)
  }
  for (const client of plan.clients) {
    if (signal.aborted) return { refusals: [...refusals, outOfTime] }
    let session: PlatformSession | undefined
    try {
      session = await Promise.race([egress.acquire(), rejectWhenAborted(signal)])
      const value = await attempt({ egress, session, client, signal })
      report(null, client)
      return { value }
    } catch (error) {
      plan.signal.throwIfAborted()
      if (signal.aborted) return { refusals: [...refusals, outOfTime] }
      if (!(error instanceof UpstreamRefusal)) throw error
      const { refusal } = error
      report(refusal, client)
      refusals.push(refusal)
      if (session && refusal.next === 'next-egress') egress.discard(session)
      if (refusal.next === 'stop' || selectConfirmed(refusals) || endsEgress(refusal, egress)) break
    }
  }
  return { refusals }
}

const walkRoute = async <T>(
  plan: AttemptPlan,
  signal: AbortSignal,
  attempt: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const outcomes: Refusal[] = []
  for (const [position, egress] of plan.route.entries()) {
    plan.signal.throwIfAborted()
    if (!egress.health.admit(plan.videoId)) {
      outcomes.push(resting)
      continue
    }
    try {
      const result = await tryEgress(plan, egress, signal, attempt)
      if ('value' in result) return result.value
      const outcome = selectOutcome(result.refusals)
      outcomes.push(outcome)
      if (signal.aborted || !needsNextEgress(outcome, egress, plan.route[position + 1])) break
    } finally {
      egress.health.release()
    }
  }
  throw buildError(plan, outcomes)
}

/**
 * Runs `attempt` with one client after another, through one egress after another, until one succeeds, a refusal is final
 * or the time is up. Skips egresses that are resting. Throws `ServiceError` (`EgressesRestingError` if all of them rest), or
 * the reason of the job's signal.
 */
export const makeAttempts = async <T>(plan: AttemptPlan, attempt: (attempt: Attempt) => Promise<T>): Promise<T> => {
  const { budget } = plan
  const startedAt = performance.now()
  try {
    const timeoutMs = Math.max(1, Math.ceil(budget.leftMs))
    return await withTimeout(timeoutMs, plan.signal, (signal) => walkRoute(plan, signal, attempt))
  } finally {
    budget.leftMs -= performance.now() - startedAt
  }
}
