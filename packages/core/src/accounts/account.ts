import { ServiceError, SIGN_IN_WAYS, type SignInWay } from '@subtext/contracts'
import type { Context, SignedInActor } from '../context.ts'
import { getQuotas, type Quotas } from '../usage/current.ts'
import { type AccountDetails, findAccountDetails, renameUser } from './account-sql.ts'
import { insertInvitation } from './sign-ups-sql.ts'

export const SIGN_IN_OUTCOMES = ['success', 'failure', 'limited'] as const
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number]

export interface AccountOverview extends AccountDetails {
  signInWays: SignInWay[]
  quotas: Quotas
}

type AccountContext = Pick<Context, 'db' | 'clock'>

/** Returns the actor's account. Throws `NOT_FOUND` if it was deleted a moment ago. */
export async function getAccount(ctx: AccountContext, actor: SignedInActor): Promise<AccountOverview> {
  const [details, quotas] = await Promise.all([findAccountDetails(ctx.db, actor.userId), getQuotas(ctx, actor)])
  if (!details) throw new ServiceError('NOT_FOUND')
  return { ...details, signInWays: waysOf(details.providers), quotas }
}

function waysOf(providers: string[]): SignInWay[] {
  const ways = new Set<string>([...providers.map((id) => (id === 'credential' ? 'password' : id)), 'magic_link'])
  return SIGN_IN_WAYS.filter((way) => ways.has(way))
}

/** Changes the name of the actor's account. */
export async function updateAccount(
  ctx: AccountContext,
  actor: SignedInActor,
  { name }: { name?: string | undefined },
): Promise<AccountOverview> {
  if (name !== undefined) await renameUser(ctx.db, actor.userId, name, ctx.clock())
  return getAccount(ctx, actor)
}

const INVITATION_MS = 30 * 86_400_000

/** Lets an address, in lower case, sign up for 30 days while sign-up is by invitation. */
export async function inviteAddress(ctx: AccountContext, email: string): Promise<void> {
  const createdAt = ctx.clock()
  await insertInvitation(ctx.db, email, { createdAt, expiresAt: new Date(createdAt.getTime() + INVITATION_MS) })
}
