import type { AccountsContext } from './context.ts'

/**
 * What the owner of an address can do. `member`: sign in, because there is an account. `candidate`: create an account.
 * `stranger`: nothing, because sign-up requires an invitation or is closed.
 */
export type Standing = 'member' | 'candidate' | 'stranger'

/** Returns what the owner of an address, in lower case, can do. An account that an operator created counts as an invitation. */
export async function findStanding({ db, clock, settings }: AccountsContext, email: string): Promise<Standing> {
  const user = await db.prisma.user.findUnique({ where: { email }, select: { emailVerified: true } })
  // Always queried, so that the reply takes the same work for every address.
  const invitations = await db.prisma.invitation.count({ where: { email, expiresAt: { gt: clock() } } })
  if (user?.emailVerified) return 'member'
  const { signUp } = settings
  return user || signUp === 'open' || (signUp === 'invite' && invitations > 0) ? 'candidate' : 'stranger'
}
