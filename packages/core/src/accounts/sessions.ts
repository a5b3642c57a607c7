import { createHmac, timingSafeEqual } from 'node:crypto'
import { RECENT_SIGN_IN_MINUTES, type Scope, ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context, PrismaContext, SignedInActor } from '../context.ts'
import { extendSession, findSessionHolder } from './sessions-sql.ts'

export const SESSION_SECONDS = 7 * 86_400
/** A session is extended at most this often, so that most requests write nothing. */
const EXTEND_EVERY_MS = 86_400_000
const RECENT_MS = RECENT_SIGN_IN_MINUTES * 60_000
/** Scopes of people who have signed in. Administration requires a key. */
const SCOPES: readonly Scope[] = ['read', 'write']
/** Scopes of operators who see the account of somebody else. */
const SUPPORT_SCOPES: readonly Scope[] = ['read']
const MAX_SESSIONS_SHOWN = 100

/** How the service recognizes its own cookies. */
export interface SessionCookie {
  name: string
  /** Signs cookies. */
  secret: string
  /** Cookies signed with one of these are accepted as well, while the secret is being rotated. */
  acceptedSecrets: readonly string[]
}

/** Returns the name of a cookie: only those with `__Host-` cannot be set by other hosts of the domain. */
export const cookieName = (name: string, isSecure: boolean): string => `${cookiePrefix(isSecure)}.${name}`
export const cookiePrefix = (isSecure: boolean): string => (isSecure ? '__Host-subtext' : 'subtext')

/** Returns the value of a cookie as it was sent. If it was sent twice, the first one counts, everywhere. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=')
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim()
  }
  return undefined
}

/** Returns the content of a signed cookie, or null if it was not signed with this secret. */
export function openCookie(value: string, secret: string): string | null {
  const text = decode(value)
  const separator = text.lastIndexOf('.')
  if (separator < 1) return null
  const token = text.slice(0, separator)
  const signature = Buffer.from(text.slice(separator + 1), 'base64')
  const expected = createHmac('sha256', secret).update(token).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null
}

/** Returns the value of a signed cookie with this content. */
export const signCookie = (content: string, secret: string): string =>
  encodeURIComponent(`${content}.${createHmac('sha256', secret).update(content).digest('base64')}`)

/** Returns the value of a cookie as if it had been signed with the current secret, if it was signed with an accepted one. */
function signAgain(value: string, { secret, acceptedSecrets }: SessionCookie): string {
  for (const accepted of acceptedSecrets) {
    const content = openCookie(value, accepted)
    if (content !== null) return signCookie(content, secret)
  }
  return value
}

/** Returns a `Cookie` header in which all cookies that were signed with an accepted secret are signed with the current one. */
export function signCookiesAgain(header: string | undefined, cookie: SessionCookie): string | undefined {
  if (header === undefined || cookie.acceptedSecrets.length === 0) return header
  return header
    .split(';')
    .map((pair) => {
      const separator = pair.indexOf('=')
      if (separator < 1) return pair
      return `${pair.slice(0, separator)}=${signAgain(pair.slice(separator + 1).trim(), cookie)}`
    })
    .join(';')
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

export interface RecognizedSession {
  actor: SignedInActor
  /** The cookie's value, if its age or signature has to be renewed in the browser. */
  renewed?: string
}

export type VerifySession = (cookieHeader: string | undefined) => Promise<RecognizedSession | null>

/**
 * Creates the function that returns who has signed in with the session cookie of a request; null if nobody has. Nothing is
 * cached: a session that has ended is refused at once, by every process.
 */
export function createSessionVerifier(ctx: Pick<Context, 'db' | 'clock'>, cookie: SessionCookie): VerifySession {
  return async (header) => {
    const sent = readCookie(header, cookie.name)
    const value = sent && signAgain(sent, cookie)
    const token = value ? openCookie(value, cookie.secret) : null
    if (!value || token === null) return null
    const now = ctx.clock()
    const holder = await findSessionHolder(ctx.db, token, now)
    if (!holder) return null
    const { sessionId: id, userId, plan, ownQuota, authenticatedAt, expiresAt } = holder
    const isSupport = holder.supportUntil !== null
    const until = new Date(now.getTime() + SESSION_SECONDS * 1_000)
    const isDue = !isSupport && until.getTime() - expiresAt.getTime() >= EXTEND_EVERY_MS
    const isExtended = isDue && (await extendSession(ctx.db, holder, { until, now }))
    // What is done in a session for support would be recorded as done by the account's owner.
    const isOperator = holder.isOperator && !isSupport
    const session = { id, isOperator, isSupport, authenticatedAt, expiresAt: isExtended ? until : expiresAt }
    const scopes = isSupport ? SUPPORT_SCOPES : SCOPES
    const actor = { userId, apiKeyId: null, plan, ownQuota, scopes, session }
    return { actor, ...((isExtended || value !== sent) && { renewed: value }) }
  }
}

/** Returns the time until which a sign-in counts as recent. */
export const recentUntil = ({ session }: SignedInActor): Date => new Date(session.authenticatedAt.getTime() + RECENT_MS)

/**
 * Throws `REAUTHENTICATION_REQUIRED` if a person has signed in too long ago, and `SESSION_REQUIRED` for an application that the
 * person has connected. Does not concern keys.
 */
export function assertRecentSignIn(actor: Actor, now: Date): void {
  const { session, apiKeyId } = actor
  if (!session && apiKeyId === null) {
    throw new ServiceError('SESSION_REQUIRED', {
      message: 'Connected applications cannot do this. Sign in, or use an API key.',
    })
  }
  if (session && recentUntil({ ...actor, session }) < now) {
    throw new ServiceError('REAUTHENTICATION_REQUIRED')
  }
}

export interface StoredSession {
  id: string
  createdAt: Date
  expiresAt: Date
  ipAddress: string | null
  userAgent: string | null
  /** Set if an operator sees the account in this session. */
  supportUntil: Date | null
}

/** Returns the sessions of the account that have not expired, the newest first. */
export const listOwnSessions = (
  { db, clock }: Pick<PrismaContext, 'db' | 'clock'>,
  { userId }: SignedInActor,
): Promise<StoredSession[]> =>
  db.prisma.session.findMany({
    where: { userId, expiresAt: { gt: clock() }, OR: [{ supportUntil: null }, { supportUntil: { gt: clock() } }] },
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true, supportUntil: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_SESSIONS_SHOWN,
  })

/** Ends a session of the account. Throws `NOT_FOUND`. */
export async function endOwnSession(
  { db }: Pick<PrismaContext, 'db'>,
  { userId }: SignedInActor,
  id: string,
): Promise<void> {
  const isEnded = isUuid(id) && (await db.prisma.session.deleteMany({ where: { id, userId } })).count > 0
  if (!isEnded) throw new ServiceError('NOT_FOUND')
}
