import { type Plan, ServiceError, SIGN_IN_WAYS, type SignInWay, validationError } from '@subtext/contracts'
import type { PrismaContext, SignedInActor } from '../context.ts'
import type { QuotaContext } from '../plans/quota.ts'
import { findLimitIssues, type SpendingContext } from '../spending/admit.ts'
import { getQuotas, type Quotas } from '../usage/current.ts'
import { knowsTimeZone } from './account-sql.ts'

export const SIGN_IN_OUTCOMES = ['success', 'failure', 'limited'] as const
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number]

export interface AccountOverview {
  id: string
  email: string
  name: string
  plan: Plan
  createdAt: Date
  signInWays: SignInWay[]
  quotas: Quotas
  /** An IANA name. */
  timeZone: string
  /** Null if the account has no limit. */
  monthlyLimitUsd: number | null
}

type AccountContext = Pick<PrismaContext, 'db' | 'clock'>

/** Returns the actor's account. Throws `NOT_FOUND` if it was deleted a moment ago. */
export async function getAccount(ctx: AccountContext & QuotaContext, actor: SignedInActor): Promise<AccountOverview> {
  const user = ctx.db.prisma.user.findFirst({
    where: { id: actor.userId, deletedAt: null },
    select: {
      id: true,
      email: true,
      name: true,
      plan: true,
      createdAt: true,
      monthlyLimitUsd: true,
      timeZone: true,
      identities: { select: { providerId: true } },
    },
  })
  const [found, quotas] = await Promise.all([user, getQuotas(ctx, actor)])
  if (!found) throw new ServiceError('NOT_FOUND')
  const { identities, monthlyLimitUsd, ...details } = found
  return {
    ...details,
    signInWays: waysOf(identities),
    quotas,
    monthlyLimitUsd: monthlyLimitUsd && Number(monthlyLimitUsd),
  }
}

function waysOf(identities: { providerId: string }[]): SignInWay[] {
  const providers = identities.map(({ providerId: id }) => (id === 'credential' ? 'password' : id))
  const ways = new Set<string>([...providers, 'magic_link'])
  return SIGN_IN_WAYS.filter((way) => ways.has(way))
}

export interface AccountChanges {
  name?: string | undefined
  time_zone?: string | undefined
  /** Null removes the limit. */
  monthly_limit_usd?: number | null | undefined
}

/** Changes the actor's account. Error: `VALIDATION_ERROR` (a limit that cannot be kept, an unknown time zone). */
export async function updateAccount(
  ctx: AccountContext & QuotaContext & Pick<SpendingContext, 'submitPolicy'>,
  actor: SignedInActor,
  { name, time_zone: timeZone, monthly_limit_usd: monthlyLimitUsd }: AccountChanges,
): Promise<AccountOverview> {
  const limits = [{ path: 'monthly_limit_usd', limitUsd: monthlyLimitUsd }]
  const issues = findLimitIssues(ctx.submitPolicy.spending, limits)
  if (issues.length > 0) throw validationError(issues)
  if (timeZone !== undefined && !(await knowsTimeZone(ctx.db, timeZone))) {
    throw validationError([{ path: 'time_zone', message: 'Is not known to the database.', code: 'unknown_time_zone' }])
  }
  if ([name, timeZone, monthlyLimitUsd].some((value) => value !== undefined)) {
    const where = { id: actor.userId, deletedAt: null }
    await ctx.db.prisma.user.updateMany({ where, data: { name, timeZone, monthlyLimitUsd, updatedAt: ctx.clock() } })
  }
  return getAccount(ctx, actor)
}

const INVITATION_MS = 30 * 86_400_000

/** Lets an address, in lower case, sign up for 30 days while sign-up is by invitation. */
export async function inviteAddress(ctx: AccountContext, email: string): Promise<void> {
  const createdAt = ctx.clock()
  const expiresAt = new Date(createdAt.getTime() + INVITATION_MS)
  await ctx.db.prisma.invitation.upsert({
    where: { email },
    create: { email, createdAt, expiresAt },
    update: { expiresAt },
  })
}
