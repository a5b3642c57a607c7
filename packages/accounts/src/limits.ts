import { createHash } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { type CountedAttempt, countAttempts, takeBackAttempts } from '@subtext/core/accounts'
import type { AccountsContext } from './context.ts'

/** Kinds of attempts, each counted separately. */
export type Subject = 'password' | 'mail' | 'redirect'

interface Rule {
  max: number
  windowSeconds: number
}

const HOUR = 3_600
/** Attempts for one account: from one network or one known browser, and from all networks together. */
const PER_ACCOUNT: Partial<Record<Subject, { fromOne: Rule; fromAll: Rule }>> = {
  password: { fromOne: { max: 10, windowSeconds: 900 }, fromAll: { max: 100, windowSeconds: HOUR } },
  mail: { fromOne: { max: 10, windowSeconds: HOUR }, fromAll: { max: 30, windowSeconds: HOUR } },
}

/** Who attempts something. */
export interface Attempter {
  network: string
  /** The address of the account, whether it exists or not. */
  account: string | undefined
  /** A browser that has signed in to this account before, or a session of it. Its attempts count on their own. */
  known: { kind: 'browser' | 'session'; id: string } | null
}

export interface LimitedAttempt {
  /** Whether a successful attempt is not counted. */
  succeed(): Promise<void>
}

interface Counted extends Rule {
  key: Buffer<ArrayBuffer>
  /** Whether a success forgets earlier attempts as well. */
  forgets: boolean
}

const keyOf = (...parts: string[]): Buffer<ArrayBuffer> => createHash('sha256').update(JSON.stringify(parts)).digest()

/** Returns what an attempt counts for. Strangers cannot use up the attempts of a browser that the owner has signed in with. */
function listCounts(ctx: AccountsContext, subject: Subject, { network, account, known }: Attempter): Counted[] {
  const rules = PER_ACCOUNT[subject]
  if (known !== null && account !== undefined && rules) {
    const own = { key: keyOf(subject, 'known', account, known.id), ...rules.fromOne, forgets: true }
    // Sessions end with a new password. Whoever knew the old one may still have any number of known browsers.
    if (known.kind === 'session') return [own]
    return [own, { key: keyOf(subject, 'known', account), ...rules.fromAll, forgets: false }]
  }
  const perNetwork = { max: ctx.settings.limitPerNetwork, windowSeconds: HOUR, forgets: false }
  const counts: Counted[] = [{ key: keyOf(subject, 'network', network), ...perNetwork }]
  if (account !== undefined && rules) {
    counts.push({ key: keyOf(subject, 'account', account, network), ...rules.fromOne, forgets: true })
    counts.push({ key: keyOf(subject, 'account', account), ...rules.fromAll, forgets: false })
  }
  return counts
}

/**
 * Counts an attempt before it is made, for its account and for the network it comes from, whether the account exists or not.
 * Throws `RATE_LIMITED`. Counted in PostgreSQL, so that guessing does not become possible while Redis is unavailable.
 */
export async function beginAttempt(
  ctx: AccountsContext,
  subject: Subject,
  attempter: Attempter,
): Promise<LimitedAttempt> {
  const now = ctx.clock()
  const counted = listCounts(ctx, subject, attempter)
  const counts = await countAttempts(ctx.db, counted, now)
  const exceeded = counts.filter(({ count }, index) => count > (counted[index]?.max ?? 0))
  if (exceeded.length > 0) {
    // What is refused here does not use up what others may attempt.
    await takeBackAttempts(
      ctx.db,
      counted.filter(({ max }, index) => (counts[index]?.count ?? 0) <= max).map(({ key }) => key),
    )
    throw tooMany(exceeded, now)
  }
  return {
    async succeed() {
      const forgotten = counted.filter(({ forgets }) => forgets).map(({ key }) => key)
      if (forgotten.length > 0) await ctx.db.prisma.attemptCount.deleteMany({ where: { key: { in: forgotten } } })
      const others = counted.filter(({ forgets }) => !forgets).map(({ key }) => key)
      if (others.length > 0) await takeBackAttempts(ctx.db, others)
    },
  }
}

function tooMany(exceeded: CountedAttempt[], now: Date): ServiceError {
  const resetsAt = Math.max(...exceeded.map((each) => each.resetsAt.getTime()))
  return new ServiceError('RATE_LIMITED', {
    message: 'Too many attempts. Try again later.',
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now.getTime()) / 1_000)),
  })
}
