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
/** For one account: an address or the ID of a user. */
const PER_ACCOUNT: Partial<Record<Subject, Rule>> = {
  password: { max: 10, windowSeconds: 900 },
  mail: { max: 10, windowSeconds: HOUR },
}

export interface LimitedAttempt {
  /** Whether a successful attempt is not counted. */
  succeed(): Promise<void>
}

const keyOf = (...parts: string[]): Buffer<ArrayBuffer> => createHash('sha256').update(JSON.stringify(parts)).digest()

/**
 * Counts an attempt before it is made, for its account and for the network it comes from, whether the account exists or not.
 * Throws `RATE_LIMITED`. Counted in PostgreSQL, so that guessing does not become possible while Redis is unavailable.
 */
export async function beginAttempt(
  ctx: AccountsContext,
  subject: Subject,
  { account, network }: { account: string | undefined; network: string },
): Promise<LimitedAttempt> {
  const now = ctx.clock()
  const networkKey = keyOf(subject, 'network', network)
  const counted = [{ key: networkKey, max: ctx.settings.limitPerNetwork, windowSeconds: HOUR }]
  const rule = PER_ACCOUNT[subject]
  const accountKey = account === undefined || !rule ? null : keyOf(subject, 'account', account)
  if (accountKey && rule) counted.push({ key: accountKey, ...rule })
  const counts = await countAttempts(ctx.db, counted, now)
  const exceeded = counts.filter(({ count }, index) => count > (counted[index]?.max ?? 0))
  if (exceeded.length > 0) throw tooMany(exceeded, now)
  return {
    async succeed() {
      if (accountKey) await ctx.db.prisma.attemptCount.deleteMany({ where: { key: accountKey } })
      await takeBackAttempts(ctx.db, [networkKey])
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
