import { createHash } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { endSupportBy, openCookie, readCookie, signCookiesAgain } from '@subtext/core/accounts'
import { disconnectAllApps } from '@subtext/core/oauth'
import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { cookiesSetBy, countSignIn } from './count-sign-in.ts'
import type { Auth } from './create-auth.ts'
import { sendNotice } from './emails.ts'
import type { Endpoint } from './endpoints.ts'
import { createAuthFinder } from './find-auth.ts'
import { findKnownBrowser, rememberBrowser } from './known-browsers.ts'
import { beginAttempt, type LimitedAttempt } from './limits.ts'
import { renderMagicLinkPage, renderSignUpPage } from './link-pages.ts'
import { passOn, replyWith } from './pass-on.ts'
import { forgetResetTokens } from './password-reset.ts'
import { AUTH_PREFIX, listProviders, MIN_PASSWORD_LENGTH } from './settings.ts'
import { showOperatorLink } from './sign-in-links.ts'
import { signInUnlessChanged } from './sign-in-race.ts'
import { findAddressToConfirm } from './sign-up.ts'
import { refuseIfSuspended } from './suspended.ts'

export interface AccountsService {
  /** Handles a request to one of the endpoints. Throws `UNAUTHORIZED` and `RATE_LIMITED`. */
  handle(endpoint: Endpoint, request: AuthRequest): Promise<AuthReply>
}

/** Creates the service behind `/auth`. */
export function createAccountsService(ctx: AccountsContext): AccountsService {
  const findAuth = createAuthFinder(ctx)
  return {
    async handle(endpoint, received) {
      if (endpoint.path === '/options') return describeOptions(ctx)
      // better-auth knows only the current secret.
      const cookie = signCookiesAgain(received.headers.cookie, ctx.sessionCookie)
      const request = { ...received, headers: { ...received.headers, cookie } }
      const auth = await findAuth(endpoint, request)
      const page = endpoint.method === 'GET' ? await showLink(ctx, auth, endpoint, request) : null
      if (page) return page
      if (endpoint.sendsMail) await assertMailWorks(ctx)
      return countSignIn(ctx, endpoint, request, async () => {
        const attempt = await begin(ctx, endpoint, request)
        const received = await signInUnlessChanged(ctx, endpoint, request, () => passOn(auth, endpoint, request))
        const reply = await refuseIfSuspended(ctx, endpoint, received)
        // better-auth knows neither suspended accounts nor the end of sessions for support.
        if (endpoint.path === '/get-session' && reply.json && !(await ctx.verifySession(cookie))) return replyWith(null)
        if (endpoint.limit?.subject === 'password' && reply.status < 400) await attempt?.succeed()
        if (endpoint.path === '/request-password-reset' && reply.status < 400) await tellStranger(ctx, request)
        if (endpoint.path === '/change-password' && reply.status < 400) await afterChange(ctx, request, reply)
        await endFormerSession(ctx, request, reply)
        await rememberBrowser(ctx, request, reply)
        return reply
      })
    },
  }
}

/** Returns the page that a link in an email opens. Returns null if following it is enough, or if it is not such a link. */
async function showLink(
  ctx: AccountsContext,
  auth: Auth,
  { path }: Endpoint,
  request: AuthRequest,
): Promise<AuthReply | null> {
  if (path === '/magic-link/verify') return showMagicLink(auth, request)
  if (path === '/link') return showOperatorLink(ctx, request)
  const email = path === '/verify-email' ? await findAddressToConfirm(ctx, request) : null
  if (email === null) return null
  const html = renderSignUpPage({ action: `${AUTH_PREFIX}${request.path}${request.search}`, email })
  return { status: 200, headers: [], json: undefined, html }
}

/** Throws `SERVICE_UNAVAILABLE` while no email can be sent, whatever the address. */
async function assertMailWorks({ findMailProblem, log }: AccountsContext): Promise<void> {
  const problem = await findMailProblem()
  if (problem === null) return
  log.error('email not sent', { reason: problem })
  throw new ServiceError('SERVICE_UNAVAILABLE', { message: NO_MAIL, retryable: false })
}

const NO_MAIL =
  'This service cannot send email at the moment. Ask its operator, who can create a sign-in link for you: `admin sign-in-link`.'

/** After a password was changed, earlier links cannot change it again, and applications and feeds end unless the person keeps them. */
async function afterChange(ctx: AccountsContext, { body }: AuthRequest, { json }: AuthReply): Promise<void> {
  const { user } = (json ?? {}) as { user?: { id?: unknown } }
  if (typeof user?.id !== 'string') return
  await forgetResetTokens(ctx, user.id)
  await endSupportBy(ctx.db, user.id)
  if (body?.disconnectApps !== false) await disconnectAllApps(ctx, user.id)
}

/** Tells a person who wants a new password that there is no account. Takes as much work as sending the link. */
async function tellStranger(ctx: AccountsContext, { body }: AuthRequest): Promise<void> {
  const email = String(body?.email)
  const account = await ctx.db.prisma.user.findUnique({ where: { email }, select: { id: true } })
  if (!account) await sendNotice(ctx, 'no_account', email, {})
}

/** Returns the data of a sign-in page. */
async function describeOptions({ settings, findMailProblem }: AccountsContext): Promise<AuthReply> {
  const problem = await findMailProblem()
  return replyWith({
    sign_up: settings.signUp,
    providers: listProviders(settings),
    email: problem === null,
    min_password_length: MIN_PASSWORD_LENGTH,
  })
}

/** Returns the person whom a sign-in link signs in, without using up the link. */
async function showMagicLink(auth: Auth, { path, search }: AuthRequest): Promise<AuthReply> {
  const { internalAdapter } = await auth.$context
  const token = new URLSearchParams(search).get('token') ?? ''
  const row = await internalAdapter.findVerificationValue(createHash('sha256').update(token).digest('base64url'))
  const isUsable = row !== null && row.expiresAt > new Date()
  const email = isUsable ? String((JSON.parse(row.value) as { email?: unknown }).email) : null
  const html = renderMagicLinkPage({ action: `${AUTH_PREFIX}${path}${search}`, email })
  return { status: isUsable ? 200 : 410, headers: [], json: undefined, html }
}

async function begin(ctx: AccountsContext, endpoint: Endpoint, request: AuthRequest): Promise<LimitedAttempt | null> {
  const signedIn = endpoint.session ? await ctx.verifySession(request.headers.cookie) : null
  if (endpoint.session && !signedIn) throw new ServiceError('UNAUTHORIZED', { message: 'Sign in first.' })
  const { limit } = endpoint
  if (!limit) return null
  const { network } = request
  if (limit.by === 'network') return beginAttempt(ctx, limit.subject, { network, account: undefined, known: null })
  // Whoever holds a session, thief or owner, has attempts of its own.
  if (signedIn) {
    const { userId, session } = signedIn.actor
    return beginAttempt(ctx, limit.subject, { network, account: userId, known: { kind: 'session', id: session.id } })
  }
  const email = String(request.body?.email)
  const browser = findKnownBrowser(ctx, request, email)
  const known = browser === null ? null : ({ kind: 'browser', id: browser } as const)
  return beginAttempt(ctx, limit.subject, { network, account: email, known })
}

/** Ends the session that a new one replaces in the browser, because the browser could no longer end it. */
async function endFormerSession(ctx: AccountsContext, request: AuthRequest, reply: AuthReply): Promise<void> {
  const { name, secret } = ctx.sessionCookie
  const sent = readCookie(request.headers.cookie, name)
  const former = sent === undefined ? null : openCookie(sent, secret)
  if (former === null) return
  const isReplaced = cookiesSetBy(reply, name).some((value) => openCookie(value, secret) !== former)
  if (isReplaced) await ctx.db.prisma.session.deleteMany({ where: { token: former } })
}
