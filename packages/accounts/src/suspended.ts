import { openCookie } from '@subtext/core/accounts'
import { refuseSuspended } from '@subtext/core/operations'
import type { AuthReply } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { cookiesSetBy } from './count-sign-in.ts'
import type { Endpoint } from './endpoints.ts'

/**
 * Ends the session of a reply again if its account is suspended, and says so: to pages with `UNAUTHORIZED`, and otherwise on the
 * sign-in page. Only people who have proved who they are learn of it.
 */
export async function refuseIfSuspended(
  ctx: AccountsContext,
  { body }: Endpoint,
  reply: AuthReply,
): Promise<AuthReply> {
  const { name, secret } = ctx.sessionCookie
  const tokens = cookiesSetBy(reply, name).flatMap((value) => openCookie(value, secret) ?? [])
  if (tokens.length === 0) return reply
  const where = { token: { in: tokens }, user: { suspendedAt: { not: null } } }
  const { count } = await ctx.db.prisma.session.deleteMany({ where })
  if (count === 0) return reply
  if (body) throw refuseSuspended()
  const headers = reply.headers.filter(([header]) => header !== 'set-cookie' && header !== 'location')
  return { ...reply, headers: [...headers, ['location', '/sign-in?error=account_suspended']] }
}
