import { hasInvitation } from '@subtext/core/accounts'
import { findUserByEmail } from '@subtext/core/users'
import type { AccountsContext } from './context.ts'

/**
 * What the owner of an address can do. `member`: sign in, because there is an account. `candidate`: create an account.
 * `stranger`: nothing, because sign-up requires an invitation or is closed.
 */
export type Standing = 'member' | 'candidate' | 'stranger'

/** Returns what the owner of an address, in lower case, can do. An account that an operator created counts as an invitation. */
export async function findStanding(ctx: AccountsContext, email: string): Promise<Standing> {
  const user = await findUserByEmail(ctx.db, email)
  // Always queried, so that the answer takes the same work for every address.
  const isInvited = await hasInvitation(ctx.db, email, ctx.clock())
  if (user?.emailVerified) return 'member'
  const { signUp } = ctx.settings
  return user || signUp === 'open' || (signUp === 'invite' && isInvited) ? 'candidate' : 'stranger'
}
