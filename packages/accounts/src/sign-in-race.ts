import { ServiceError } from '@subtext/contracts'
import { openCookie } from '@subtext/core/accounts'
import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { cookiesSetBy } from './count-sign-in.ts'
import type { Endpoint } from './endpoints.ts'

/**
 * Carries out a request. If it was to sign in with a password that was replaced while it was being checked, ends the session
 * again and throws `UNAUTHORIZED`: the new password has ended all sessions, and this one may have begun a moment later.
 */
export async function signInUnlessChanged(
  ctx: AccountsContext,
  { path }: Endpoint,
  { body }: AuthRequest,
  handle: () => Promise<AuthReply>,
): Promise<AuthReply> {
  if (path !== '/sign-in/email') return handle()
  const email = String(body?.email)
  const before = await findPasswordHash(ctx, email)
  const reply = await handle()
  const { name, secret } = ctx.sessionCookie
  const tokens = cookiesSetBy(reply, name).map((value) => openCookie(value, secret))
  if (tokens.length === 0 || (await findPasswordHash(ctx, email)) === before) return reply
  await ctx.db.prisma.session.deleteMany({ where: { token: { in: tokens.filter((token) => token !== null) } } })
  throw new ServiceError('UNAUTHORIZED', { message: 'The password has just been changed. Sign in with the new one.' })
}

/** Returns the password hash of the account with this address, or null if there is none. */
async function findPasswordHash({ db }: AccountsContext, email: string): Promise<string | null> {
  const where = { providerId: 'credential', user: { email } }
  return (await db.prisma.identity.findFirst({ where, select: { password: true } }))?.password ?? null
}
