import { createFirstOwner, readSignInLink, useSignInLink } from '@subtext/core/accounts'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { renderOperatorLinkPage } from './link-pages.ts'
import { AUTH_PREFIX } from './settings.ts'

/** Nobody can confirm an operator's session for support with a password, and so never counts as just signed in. */
const NEVER = new Date(0)

/** Signing in with links that operators create, and creating the first account. */
export const signInByOperator = (ctx: AccountsContext) =>
  ({
    id: 'subtext-operator-links',
    endpoints: { useOperatorLink: createLinkEndpoint(ctx), signUpFirst: createFirstSignUp(ctx) },
  }) satisfies BetterAuthPlugin

/** Returns the person whom a link of an operator signs in, without using it. */
export async function showOperatorLink(ctx: AccountsContext, { path, search }: AuthRequest): Promise<AuthReply> {
  const link = await readSignInLink(ctx, new URLSearchParams(search).get('token') ?? '')
  const isUsable = link !== null && link.email !== null && !link.suspended
  const html = renderOperatorLinkPage({
    action: `${AUTH_PREFIX}${path}${search}`,
    email: isUsable ? link.email : null,
    isSupport: link?.kind === 'support',
  })
  return { status: isUsable ? 200 : 410, headers: [], json: undefined, html }
}

const createLinkEndpoint = (ctx: AccountsContext) =>
  createAuthEndpoint('/link', { method: 'GET', query: z.object({ token: z.string().catch('') }) }, async (c) => {
    const used = await useSignInLink(ctx, c.query.token)
    const user = used && (await c.context.internalAdapter.findUserById(used.userId))
    if (!used || !user) throw c.redirect('/sign-in?error=INVALID_TOKEN')
    const session = await c.context.internalAdapter.createSession(user.id)
    if (!session) throw c.redirect('/sign-in?error=INVALID_TOKEN')
    const { supportUntil, supportBy } = used
    if (supportUntil) {
      // Before the browser gets the cookie.
      const data = { supportUntil, supportBy, authenticatedAt: NEVER, expiresAt: supportUntil }
      await ctx.db.prisma.session.update({ where: { id: session.id }, data })
    }
    await setSessionCookie(c, { session, user })
    throw c.redirect('/')
  })

const FirstSignUp = z.object({ token: z.string(), email: z.string(), password: z.string(), name: z.string() })

const createFirstSignUp = (ctx: AccountsContext) =>
  createAuthEndpoint('/sign-up/first', { method: 'POST', body: FirstSignUp }, async (c) => {
    const { token, email, name } = c.body
    const invalid = () => new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: 'Invalid token' })
    // Hashing a password takes long enough to be of use to an attacker.
    if ((await readSignInLink(ctx, token))?.kind !== 'first_owner') throw invalid()
    const password = await c.context.password.hash(c.body.password)
    const userId = await createFirstOwner(ctx, token, { email, name, password })
    const user = userId === null ? null : await c.context.internalAdapter.findUserById(userId)
    const session = user && (await c.context.internalAdapter.createSession(user.id))
    if (!session) throw invalid()
    await setSessionCookie(c, { session, user })
    return c.json({ token: null, user })
  })
