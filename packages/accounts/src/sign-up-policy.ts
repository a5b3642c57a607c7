import { findUserByEmail, hasInvitation } from '@subtext/db'
import type { AccountsContext } from './context.ts'

/**
 * What an address can do. `member`: sign in, because it has an account. `candidate`: get an account. `stranger`: nothing,
 * because it needs an invitation or sign-up is closed.
 */
export type Standing = 'member' | 'candidate' | 'stranger'

/** Returns what an address in lower case can do. An account that an operator created counts as an invitation. */
export async function findStanding(ctx: AccountsContext, email: string): Promise<Standing> {
  const user = await findUserByEmail(ctx.db, email)
  // Asked in any case, so that the answer takes the same work for every address.
  const isInvited = await hasInvitation(ctx.db, email, ctx.clock())
  if (user?.emailVerified) return 'member'
  const { signUp } = ctx.settings
  return user || signUp === 'open' || (signUp === 'invite' && isInvited) ? 'candidate' : 'stranger'
}
