import { API_PREFIX, type RouteShape, ServiceError } from '@subtext/contracts'
import { assertRecentSignIn } from '@subtext/core/accounts'
import type { Actor } from '@subtext/core/context'
import { isAccessToken } from '@subtext/core/oauth'
import type { RequestWindow } from '@subtext/queue'
import type { Request, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { assertScope, NOT_FOR_SUPPORT, readCredential, sendsApiKey } from './authenticate.ts'
import { arrivedOverTls } from './https.ts'
import { changesNothing, isFromOwnPage } from './own-origin.ts'
import { createExhaustedWindows, rateLimited, setWindowHeaders, windowOf } from './rate-limit.ts'

/** What is known about the sender of a request. Routes without a key serve everyone. */
export interface Caller {
  /** Undefined without a valid key or session; `refusal` is then the error for routes that need one. */
  actor?: Actor
  refusal?: unknown
  window: RequestWindow
}

const callers = new WeakMap<Response, Caller>()

/** Returns the caller of a request that has passed `identify`. */
export const findCaller = (response: Response): Caller | undefined => callers.get(response)

/**
 * Identifies the caller and counts the request, so that every response carries the caller's request window: that of the key,
 * that of the person who has signed in or, without either, that of the address.
 */
export const identify = (ctx: ApiContext): RequestHandler => {
  const exhausted = createExhaustedWindows(ctx.clock)
  return async (request, response, next) => {
    const { key: address } = windowOf(ctx.http.requestLimits, undefined, request)
    const refused = sendsCredentials(request.headers) ? undefined : exhausted.find(address)
    if (refused) {
      setWindowHeaders(response, refused)
      throw rateLimited(refused)
    }
    const found = await recognize(ctx, request, response)
    const { key, limit } = windowOf(ctx.http.requestLimits, found.actor, request)
    if (found.actor?.apiKeyId) ctx.keyUses.record(found.actor.apiKeyId)
    const { window, exceeded } = await ctx.requestLimits.count(key, limit)
    setWindowHeaders(response, window)
    callers.set(response, { ...found, window })
    if (exceeded) {
      if (key === address) exhausted.add(key, window)
      throw rateLimited(window)
    }
    next()
  }
}

const sendsCredentials = (headers: Request['headers']): boolean => sendsApiKey(headers) || headers.cookie !== undefined

async function recognize(ctx: ApiContext, request: Request, response: Response): Promise<Omit<Caller, 'window'>> {
  try {
    // A key that was sent unencrypted is not checked: the request is refused for the missing TLS.
    if (ctx.http.httpsOnly && !arrivedOverTls(request, ctx.http.trustProxyHops)) return { refusal: undefined }
    // A key takes precedence over a session, even if it is not valid.
    const signedIn = sendsApiKey(request.headers) ? null : await recognizeSession(ctx, request, response)
    return { actor: signedIn ?? (await verify(ctx, readCredential(request.headersDistinct, request.query))) }
  } catch (refusal) {
    return { refusal }
  }
}

/** Returns who acts with a key or an access token. Throws `UNAUTHORIZED` and `PLAN_UPGRADE_REQUIRED`. */
const verify = ({ verifyKey, oauth }: ApiContext, credential: string): Promise<Actor> =>
  oauth && isAccessToken(credential) ? oauth.verify(credential) : verifyKey(credential)

/** Throws `UNAUTHORIZED` unless the token or session of a request, which was valid when it began, still is. Caches nothing. */
export async function confirmCaller(
  ctx: ApiContext,
  { headers, headersDistinct }: Pick<Request, 'headers' | 'headersDistinct'>,
): Promise<void> {
  const { signIn } = ctx
  if (sendsApiKey(headers) || !signIn) await verify(ctx, readCredential(headersDistinct))
  else if (!(await signIn.verify(headers.cookie))) throw new ServiceError('UNAUTHORIZED', { message: SESSION_ENDED })
}

const SESSION_ENDED = 'The session has ended. Sign in again.'

/** Returns the person whose browser has sent the request, or null if nobody has signed in with it. */
async function recognizeSession({ signIn }: ApiContext, request: Request, response: Response): Promise<Actor | null> {
  if (!signIn || !request.path.startsWith(`${API_PREFIX}/`)) return null
  const session = await signIn.verify(request.headers.cookie)
  if (session?.renewed) response.append('Set-Cookie', signIn.writeCookie(session.renewed))
  return session?.actor ?? null
}

/**
 * Returns the caller if it may use the route. Errors: `UNAUTHORIZED`, `FORBIDDEN_ORIGIN`, `SESSION_REQUIRED`,
 * `INSUFFICIENT_SCOPE`, `REAUTHENTICATION_REQUIRED`, `PLAN_UPGRADE_REQUIRED`.
 */
export function requireActor(
  ctx: Pick<ApiContext, 'http' | 'clock'>,
  response: Response,
  { access, recentSignIn, operatorOnly }: Pick<RouteShape, 'access' | 'recentSignIn' | 'operatorOnly'>,
): { actor: Actor; window: RequestWindow } {
  const caller = callers.get(response)
  if (!caller) throw new Error('requireActor was called before identify.')
  const { actor, refusal, window } = caller
  const request = response.req
  if (!actor) {
    // A key is refused below.
    if (access === 'session' && !sendsApiKey(request.headers)) throw signInRequired(ctx)
    // No key can do this, in whatever plan.
    if (access === 'session' && isRefusedByPlan(refusal)) throw new ServiceError('SESSION_REQUIRED')
    throw refusal ?? new ServiceError('UNAUTHORIZED')
  }
  // Browsers send the cookie with requests of other sites as well.
  if (actor.session && !changesNothing(request.method) && !isFromOwnPage(ctx.http.ownOrigins, request.headers)) {
    throw new ServiceError('FORBIDDEN_ORIGIN')
  }
  if (access === 'session') assertSession(actor, request.method, operatorOnly)
  else if (access !== 'public') assertScope(actor, access)
  if (recentSignIn) assertRecentSignIn(actor, ctx.clock())
  return { actor, window }
}

function assertSession(actor: Actor, method: string, operatorOnly: boolean | undefined): void {
  const { session } = actor
  if (!session) throw new ServiceError('SESSION_REQUIRED')
  if (session.isSupport && !changesNothing(method)) {
    throw new ServiceError('SESSION_REQUIRED', { message: NOT_FOR_SUPPORT })
  }
  if (operatorOnly && !session.isOperator) throw operatorRequired(actor)
}

const isRefusedByPlan = (refusal: unknown): boolean =>
  refusal instanceof ServiceError && refusal.code === 'PLAN_UPGRADE_REQUIRED'

const signInRequired = ({ http }: Pick<ApiContext, 'http'>): ServiceError =>
  new ServiceError('UNAUTHORIZED', {
    message: `API keys cannot manage accounts. Sign in at ${http.publicBaseUrl}/sign-in.`,
  })

const operatorRequired = ({ scopes }: Actor): ServiceError =>
  new ServiceError('INSUFFICIENT_SCOPE', {
    message: 'Only operators can see this.',
    details: { required_scope: 'admin', scopes },
  })
