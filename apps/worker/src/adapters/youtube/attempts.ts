import type { Egress } from './egress.ts'
import {
  outOfTime,
  type Refusal,
  selectConfirmed,
  selectFinal,
  selectOutcome,
  toServiceError,
  UpstreamRefusal,
} from './refusal.ts'
import type { ClientName, PlatformSession } from './session.ts'

export interface Attempt {
  egress: Egress
  session: PlatformSession
  client: ClientName
  signal: AbortSignal
}

export interface AttemptPlan {
  route: Egress[]
  clients: readonly ClientName[]
  /** The job's own signal. */
  signal: AbortSignal
  budgetMs: number
  onRefusal: (refusal: Refusal, client: ClientName, isProxy: boolean) => void
}

const endsEgress = ({ next }: Refusal, egress: Egress): boolean =>
  next === 'next-egress' || (next === 'retry' && egress.isProxy)

const isWorthAnotherEgress = (outcome: Refusal, egress: Egress, following: Egress | undefined): boolean => {
  if (!following) return false
  // The same way out again helps only when the session was at fault.
  if (following === egress) return outcome.next === 'next-egress' && outcome.code !== 'GEO_BLOCKED'
  return endsEgress(outcome, egress) || outcome.code === 'UPSTREAM_BLOCKED'
}

const rejectWhenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

type Result<T> = { value: T } | { refusals: Refusal[] }

const tryEgress = async <T>(
  plan: AttemptPlan,
  egress: Egress,
  signal: AbortSignal,
  attempt: (attempt: Attempt) => Promise<T>,
): Promise<Result<T>> => {
  const refusals: Refusal[] = []
  for (const client of plan.clients) {
    if (signal.aborted) return { refusals: [...refusals, outOfTime] }
    let session: PlatformSession | undefined
    try {
      session = await Promise.race([egress.acquire(), rejectWhenAborted(signal)])
      return { value: await attempt({ egress, session, client, signal }) }
    } catch (error) {
      plan.signal.throwIfAborted()
      if (signal.aborted) return { refusals: [...refusals, outOfTime] }
      if (!(error instanceof UpstreamRefusal)) throw error
      const { refusal } = error
      plan.onRefusal(refusal, client, egress.isProxy)
      refusals.push(refusal)
      if (session && refusal.next === 'next-egress') egress.discard(session)
      if (refusal.next === 'stop' || selectConfirmed(refusals) || endsEgress(refusal, egress)) break
    }
  }
  return { refusals }
}

/**
 * Makes the attempt with one client after the other, over one way out after the other, until one succeeds or a refusal
 * is final. Throws `ServiceError`, or the reason of the job's signal.
 */
export const makeAttempts = async <T>(plan: AttemptPlan, attempt: (attempt: Attempt) => Promise<T>): Promise<T> => {
  const signal = AbortSignal.any([plan.signal, AbortSignal.timeout(plan.budgetMs)])
  const outcomes: Refusal[] = []
  for (const [position, egress] of plan.route.entries()) {
    plan.signal.throwIfAborted()
    const result = await tryEgress(plan, egress, signal, attempt)
    if ('value' in result) return result.value
    const outcome = selectOutcome(result.refusals)
    outcomes.push(outcome)
    if (signal.aborted || !isWorthAnotherEgress(outcome, egress, plan.route[position + 1])) break
  }
  throw toServiceError(selectFinal(outcomes))
}
