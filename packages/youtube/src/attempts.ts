import type { ServiceError } from '@subtext/contracts'
import { withSpan, withTimeout } from '@subtext/runtime'
import { appOf, type ClientName, countApps } from './clients.ts'
import type { Doubts } from './doubts.ts'
import type { Egress } from './egress/egress.ts'
import { EgressesRestingError, LastingBlockError } from './platform-errors.ts'
import { WITHOUT_STATUS } from './refusals/classify-playability.ts'
import {
  type EgressOutcome,
  outOfTime,
  type Refusal,
  selectAgreed,
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

/** An attempt that has ended. */
export interface MadeAttempt {
  videoId: string
  client: ClientName
  egress: Egress
  seconds: number
}

export interface AttemptPlan {
  videoId: string
  route: Egress[]
  /** All egresses that the job may use, including those not on its route. */
  allowed: readonly Egress[]
  clients: readonly ClientName[]
  /** The client to ask first on the first egress of the route, because it has seen the video there. */
  first?: ClientName
  /** Language (BCP-47) that the captions should be in, if any. */
  language?: string
  /** How often each client has been asked in this job. */
  asked: Map<ClientName, number>
  /**
   * Number of apps that must be refused before an egress counts as blocked; `Infinity` for requests that some videos or
   * apps are refused even on a good one.
   */
  appsToBlock: number
  /** Whether the session stays whatever happens, because it has just worked for another client. */
  keepsSession?: boolean
  /** Shared by all jobs. */
  doubts: Doubts
  /** Clock for the rests, in epoch milliseconds. */
  now: () => number
  /** The job's own signal. */
  signal: AbortSignal
  /** Milliseconds left for the platform, shared by all attempts of a job. */
  budget: { leftMs: number }
  /** Called after every attempt, with `null` for one that succeeded. */
  onAttempt: (refusal: Refusal | null, made: MadeAttempt) => void
}

/** Apps that must be refused alike before the address or the session is at fault and not the app. */
const APPS_TO_AGREE = 2

/** Returns the number of apps that must agree where these clients are asked. */
export const countAppsToAgree = (clients: readonly ClientName[]): number => Math.min(APPS_TO_AGREE, countApps(clients))

interface ClientRefusal {
  client: ClientName
  refusal: Refusal
}

const listSuspicions = (refused: ClientRefusal[]): ClientRefusal[] =>
  refused.filter(({ refusal }) => refusal.next === 'confirm-block')

/** Returns whether so many apps have been refused that the session cannot be used any more. */
const isTurnedAway = ({ clients }: AttemptPlan, refused: ClientRefusal[]): boolean =>
  countApps(listSuspicions(refused).map(({ client }) => client)) >= countAppsToAgree(clients)

const hasAskedAll = ({ clients, asked }: AttemptPlan): boolean => clients.every((client) => asked.has(client))

/** Returns whether asking more apps would show nothing. Where the video may be at fault, each is asked once. */
const isHopeless = (plan: AttemptPlan, refused: ClientRefusal[]): boolean => {
  if (!isTurnedAway(plan, refused)) return false
  return hasAskedAll(plan) || !listSuspicions(refused).every(({ refusal }) => refusal.mayConcernVideo)
}

const endsEgress = ({ next }: Refusal, egress: Egress): boolean =>
  next === 'next-egress' || (next === 'retry' && egress.isProxy)

const needsNextEgress = (outcome: Refusal, egress: Egress): boolean =>
  endsEgress(outcome, egress) || outcome.code === 'UPSTREAM_BLOCKED' || outcome.cause === WITHOUT_STATUS

const rejectWhenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const resting: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-egress', cause: 'egress_resting' }

/** Returns the error of a job whose egresses are all resting; `null` if one of them may be used. */
export const findRest = ({ allowed, videoId, now }: AttemptPlan): EgressesRestingError | null => {
  const restLeftMs = Math.min(...allowed.map(({ health }) => health.restLeftMs(videoId)))
  return restLeftMs === 0 ? null : new EgressesRestingError(now(), now() + restLeftMs)
}

/** Names a video and the only egress through which it may be requested; null if there are several. */
const doubtKeyOf = ({ allowed: [first, ...others], videoId }: AttemptPlan): string | null =>
  first && others.length === 0 ? `${first.name} ${videoId}` : null

/**
 * Returns the error of a video refused in words that may concern the video, where no other egress can show what they mean: the
 * apps are asked once more, and then the job ends. Null if other egresses can, or not every app has been asked.
 */
const findDoubt = async (plan: AttemptPlan, { mayConcernVideo, cause }: Refusal): Promise<ServiceError | null> => {
  const key = doubtKeyOf(plan)
  if (!mayConcernVideo || key === null || !hasAskedAll(plan)) return null
  const waitMs = await plan.doubts.record(key)
  return waitMs === null ? new LastingBlockError(cause) : new EgressesRestingError(plan.now(), plan.now() + waitMs)
}

const forgetDoubt = (plan: AttemptPlan): void => {
  const key = doubtKeyOf(plan)
  if (key !== null) plan.doubts.forget(key)
}

/**
 * Builds the error for a fetch that tried its whole route. If the platform can be asked again only after a rest, the error says
 * when.
 */
const buildError = async (plan: AttemptPlan, outcomes: EgressOutcome[]): Promise<ServiceError> => {
  const refusal = selectFinal(outcomes)
  if (refusal.fault) return toServiceError(refusal)
  const doubt = await findDoubt(plan, refusal)
  if (doubt instanceof LastingBlockError) return doubt
  return (refusal.code === 'UPSTREAM_BLOCKED' && findRest(plan)) || doubt || toServiceError(refusal)
}

/** Records what a refusal shows about the client and the egress. A refusal that concerns the video shows that both work. */
const reportRefusal = (plan: AttemptPlan, egress: Egress, refused: ClientRefusal[]): void => {
  const last = refused.at(-1)
  if (!last) return
  const { client, refusal } = last
  const isUpstream = refusal.code.startsWith('UPSTREAM_')
  if (refusal.next === 'next-client' || refusal.next === 'confirm-block') egress.clients.refused(client, plan.videoId)
  else if (!isUpstream) egress.clients.answered(client)
  if (!isUpstream) egress.health.answered()
  else if (endsEgress(refusal, egress)) egress.health.blocked(plan.videoId, refusal.retryAfterSeconds)
  else if (refusal.next === 'confirm-block') {
    const suspicions = listSuspicions(refused)
    if (countApps(suspicions.map((one) => one.client)) < plan.appsToBlock) return
    const rests = suspicions.map((one) => one.refusal.retryAfterSeconds).filter((seconds) => seconds !== undefined)
    egress.health.blocked(plan.videoId, rests.length > 0 ? Math.max(...rests) : undefined)
  }
}

/**
 * Returns the clients in the order in which they are asked through an egress: those that the job has asked least often, so
 * that another egress or session does not repeat what has failed, then those that the egress has not turned away, then as
 * planned.
 */
const orderClients = ({ clients, asked }: AttemptPlan, egress: Egress, first?: ClientName): ClientName[] => {
  const timesAsked = (client: ClientName): number => (client === first ? -1 : (asked.get(client) ?? 0))
  return egress.clients.sort(clients).toSorted((one, other) => timesAsked(one) - timesAsked(other))
}

/** Returns whether the session should be replaced, which also gives a rotating proxy another address. */
const isSessionSpent = (plan: AttemptPlan, refused: ClientRefusal[]): boolean => {
  if (plan.keepsSession) return false
  if (isTurnedAway(plan, refused) || refused.some(({ refusal }) => refusal.next === 'next-egress')) return true
  return listSuspicions(refused).length > 0 && refused.every(({ refusal }) => refusal.code.startsWith('UPSTREAM_'))
}

interface Round<T> {
  signal: AbortSignal
  /** The client to ask first. */
  first?: ClientName
  attempt: (attempt: Attempt) => Promise<T>
}

type Result<T> = { value: T } | { refusals: Refusal[]; hasNewSession: boolean }

/** Makes an attempt in a span, which fails with the cause of a refusal. */
const traceAttempt = <T>(
  { client, egress }: Pick<Attempt, 'client' | 'egress'>,
  make: () => Promise<T>,
): Promise<T> => {
  const attributes = { 'subtext.platform.client': client, 'subtext.platform.egress': egress.name }
  return withSpan('platform attempt', { kind: 'client', attributes }, (span) =>
    make().catch((error: unknown) => {
      if (error instanceof UpstreamRefusal) span.fail(error.refusal.cause)
      throw error
    }),
  )
}

const tryEgress = async <T>(plan: AttemptPlan, egress: Egress, round: Round<T>): Promise<Result<T>> => {
  const { signal, first, attempt } = round
  const refused: ClientRefusal[] = []
  const listRefusals = (): Refusal[] => refused.map(({ client, refusal }) => ({ ...refusal, app: appOf(client) }))
  let session: PlatformSession | undefined
  for (const client of orderClients(plan, egress, first)) {
    if (signal.aborted) return { refusals: [...listRefusals(), outOfTime], hasNewSession: false }
    plan.asked.set(client, (plan.asked.get(client) ?? 0) + 1)
    const startedAt = performance.now()
    const report = (refusal: Refusal | null): void =>
      plan.onAttempt(refusal, {
        videoId: plan.videoId,
        client,
        egress,
        seconds: (performance.now() - startedAt) / 1_000,
      })
    try {
      const value = await traceAttempt({ client, egress }, async () => {
        session = await Promise.race([egress.acquire(), rejectWhenAborted(signal)])
        return attempt({ egress, session, client, signal })
      })
      egress.health.answered()
      egress.clients.answered(client)
      forgetDoubt(plan)
      report(null)
      return { value }
    } catch (error) {
      plan.signal.throwIfAborted()
      if (signal.aborted) return { refusals: [...listRefusals(), outOfTime], hasNewSession: false }
      if (!(error instanceof UpstreamRefusal)) throw error
      const { refusal } = error
      refused.push({ client, refusal })
      reportRefusal(plan, egress, refused)
      report(refusal)
      const refusals = listRefusals()
      const isConfirmed = selectConfirmed(refusals, countApps(plan.clients)) !== undefined
      if (refusal.next === 'stop' || isConfirmed || endsEgress(refusal, egress)) break
      if (isHopeless(plan, refused)) break
    }
  }
  const hasNewSession = isSessionSpent(plan, refused)
  if (session && hasNewSession) egress.discard(session)
  return { refusals: listRefusals(), hasNewSession }
}

const walkRoute = async <T>(
  plan: AttemptPlan,
  signal: AbortSignal,
  attempt: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const outcomes: EgressOutcome[] = []
  const conclude = (): Promise<ServiceError> => {
    // Neither of them is at fault for a video that several refuse alike.
    if (selectAgreed(outcomes)) for (const egress of plan.route) egress.health.forgive(plan.videoId)
    return buildError(plan, outcomes)
  }
  for (const [position, egress] of plan.route.entries()) {
    plan.signal.throwIfAborted()
    if (!egress.health.admit(plan.videoId)) {
      outcomes.push({ egress: egress.name, refusal: resting })
      continue
    }
    try {
      const result = await tryEgress(plan, egress, { signal, attempt, first: position === 0 ? plan.first : undefined })
      if ('value' in result) return result.value
      const outcome = selectOutcome(result.refusals, countApps(plan.clients))
      outcomes.push({ egress: egress.name, refusal: outcome })
      const following = plan.route[position + 1]
      if (signal.aborted || !following || selectAgreed(outcomes)) break
      // Repeating the same egress helps only if the session was at fault.
      const isWorthwhile =
        following === egress ? result.hasNewSession && outcome.code !== 'GEO_BLOCKED' : needsNextEgress(outcome, egress)
      if (!isWorthwhile) break
    } finally {
      egress.health.release()
    }
  }
  throw await conclude()
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
