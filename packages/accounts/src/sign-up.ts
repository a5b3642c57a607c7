import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { confirmSignUp, cookieName, readCookie } from '@subtext/core/accounts'
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, originCheck } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { v7 as newId, v4 as randomId } from 'uuid'
import { z } from 'zod'
import type { AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { sendLink, sendNotice } from './emails.ts'
import { AUTH_PREFIX, isSecure, NETWORK_HEADER } from './settings.ts'
import { findStanding } from './sign-up-policy.ts'
import { targetUrl } from './target-url.ts'

const TOKEN_BYTES = 32
const HOURS = 24
const SIGN_UP_COOKIE = 'sign_up'

const hashToken = (token: string): Buffer<ArrayBuffer> => createHash('sha256').update(token).digest()

/**
 * Returns the part of a link that identifies the network of its sign-up, without revealing to others whether two networks are
 * the same.
 */
const markNetwork = ({ sessionCookie }: AccountsContext, token: string, network: string): Buffer =>
  createHmac('sha256', sessionCookie.secret)
    .update(JSON.stringify(['sign-up', token, network]))
    .digest()

const SignUpBody = z.object({
  email: z.string(),
  password: z.string(),
  name: z.string(),
  callbackURL: z.string().optional(),
})

/**
 * Signing up with a password. Unlike better-auth's own endpoints, which these replace, they store the password with the sign-up
 * and not with an account: an account exists only when its address is confirmed, and it has the password of the sign-up whose
 * link was followed. So nobody can prepare an account for someone else's address, a person can take over the account that an
 * operator created for their address, and nothing reveals whether an address has an account.
 */
export const signUpWithPassword = (ctx: AccountsContext) =>
  ({
    id: 'subtext-sign-up',
    endpoints: { signUpEmail: createSignUp(ctx), verifyEmail: createConfirmation(ctx) },
  }) satisfies BetterAuthPlugin

/**
 * Returns the address that a button has to confirm. Returns null if following the link is enough, or if the link does not work.
 * It is enough in the browser of the sign-up, and for a program in its network, so that a program can sign someone up.
 * Everywhere else the button has to be pressed: programs that check the links in emails would otherwise confirm a sign-up with
 * which someone else has used the address. If there is an account to gain, because an operator has created it, only the button
 * confirms the address.
 */
export async function findAddressToConfirm(
  ctx: AccountsContext,
  { search, headers, network }: AuthRequest,
): Promise<string | null> {
  const { db, settings, clock } = ctx
  const query = new URLSearchParams(search)
  const [token = '', ...others] = query.getAll('token')
  if (others.length > 0) return null
  const tokenHash = hashToken(token)
  const cookie = readCookie(headers.cookie, cookieName(SIGN_UP_COOKIE, isSecure(settings)))
  if (cookie === tokenHash.toString('base64url')) return null
  const pending = await db.prisma.signUp.findFirst({
    where: { tokenHash, expiresAt: { gt: clock() }, confirmedAt: null },
    select: { email: true },
  })
  if (!pending) return null
  const { email } = pending
  const isBrowser = headers.accept?.includes('text/html') === true
  const mark = Buffer.from(query.get('from') ?? '', 'base64url')
  const ownMark = markNetwork(ctx, token, network)
  const isOfSignUp = mark.length === ownMark.length && timingSafeEqual(mark, ownMark)
  if (isBrowser || !isOfSignUp) return email
  const account = await db.prisma.user.findUnique({ where: { email }, select: { id: true } })
  return account && email
}

const createSignUp = (ctx: AccountsContext) =>
  createAuthEndpoint('/sign-up/email', { method: 'POST', body: SignUpBody }, async (c) => {
    const { email, name, callbackURL } = c.body
    const now = ctx.clock()
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const tokenHash = hashToken(token)
    // Every sign-up takes the same work and sends one email.
    const password = await c.context.password.hash(c.body.password)
    const standing = await findStanding(ctx, email)
    const expiresAt = new Date(now.getTime() + HOURS * 3_600_000)
    // Always stored: without the link, which nobody receives, it is of no use.
    await ctx.db.prisma.signUp.create({ data: { tokenHash, email, name, password, createdAt: now, expiresAt } })
    if (standing === 'candidate') {
      const link = new URL(`${ctx.settings.publicBaseUrl}${AUTH_PREFIX}/verify-email`)
      link.searchParams.set('token', token)
      const network = c.headers?.get(NETWORK_HEADER) ?? ''
      link.searchParams.set('from', markNetwork(ctx, token, network).toString('base64url'))
      if (callbackURL) link.searchParams.set('callbackURL', callbackURL)
      await sendLink(ctx, 'confirm_address', { recipient: email, link: link.href, minutes: HOURS * 60 })
    } else await sendNotice(ctx, standing === 'member' ? 'account_exists' : 'not_invited', email, {})
    // Following the link in this browser signs in. It says nothing about the token itself.
    const cookie = c.context.createAuthCookie(SIGN_UP_COOKIE, { maxAge: HOURS * 3_600 })
    c.setCookie(cookie.name, tokenHash.toString('base64url'), cookie.attributes)
    const user = { id: randomId(), email, name, emailVerified: false, image: null, createdAt: now, updatedAt: now }
    return c.json({ token: null, user })
  })

const createConfirmation = (ctx: AccountsContext) =>
  createAuthEndpoint(
    '/verify-email',
    {
      method: 'GET',
      // A link without a token, or with several, does not work, like one with a wrong token.
      query: z.object({ token: z.string().catch(''), callbackURL: targetUrl.optional() }),
      use: [originCheck((c) => c.query.callbackURL)],
    },
    async (c) => {
      const { token, callbackURL } = c.query
      const tokenHash = hashToken(token)
      const ids = { userId: newId(), identityId: newId() }
      const confirmation = await ctx.db.transaction((sql) => confirmSignUp(sql, tokenHash, ids, ctx.clock()))
      const fail = (error: string) => c.redirect(withParameter(callbackURL ?? '/sign-in', 'error', error))
      if (!confirmation) throw fail('INVALID_TOKEN')
      if (confirmation.outcome === 'taken') throw fail('USER_ALREADY_EXISTS')
      const cookie = c.context.createAuthCookie(SIGN_UP_COOKIE)
      const isSameBrowser = c.getCookie(cookie.name) === tokenHash.toString('base64url')
      // In another browser, the link signs nobody in: someone may have sent it to another person to make them use the sender's
      // account.
      if (!isSameBrowser || confirmation.userId === null) throw c.redirect(callbackURL ?? '/sign-in?verified=true')
      const user = await c.context.internalAdapter.findUserById(confirmation.userId)
      const session = user && (await c.context.internalAdapter.createSession(user.id))
      if (session) await setSessionCookie(c, { session, user })
      c.setCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 })
      throw c.redirect(callbackURL ?? '/')
    },
  )

/** Adds a parameter to a path or URL. */
function withParameter(target: string, name: string, value: string): string {
  const [rest = '', fragment] = target.split('#', 2)
  const separator = rest.includes('?') ? '&' : '?'
  return `${rest}${separator}${name}=${encodeURIComponent(value)}${fragment === undefined ? '' : `#${fragment}`}`
}
