import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { assertRecentSignIn, lockAccount } from '../accounts/index.ts'
import type { PrismaContext, SignedInActor } from '../context.ts'
import { queueNotice } from '../emails/queue.ts'
import { assertKeysIncluded } from '../plans/gates.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type Consent,
  insertOAuthGrant,
  insertOAuthTokens,
  isTokenUnused,
  lockOAuthCode,
  lockRefreshToken,
  markCodeUsed,
  markTokenUsed,
  type RefreshableGrant,
  recordClientUse,
  revokeOAuthGrant,
} from './oauth-sql.ts'
import { describeRedirect } from './redirect-uris.ts'

const CODE_SECONDS = 60
export const ACCESS_TOKEN_SECONDS = 3_600
/** A connection ends when it has not been used for this long. */
const REFRESH_TOKEN_SECONDS = 30 * 86_400
/** How long a refresh token that was replaced gives its successor again. */
const LEEWAY_MS = 60_000
const MAX_CONNECTED_APPS = 50
const SECRET_BYTES = 32
/** The S256 challenge of RFC 7636: a SHA-256 hash in base64url. */
const CHALLENGE = /^[\w-]{43}$/
const VERIFIER = /^[\w.~-]{43,128}$/

type TokenContext = Pick<PrismaContext, 'db' | 'clock'>

export interface TokenSet {
  accessToken: string
  refreshToken: string
  scopes: Scope[]
}

const hashOf = (secret: string): Buffer<ArrayBuffer> => createHash('sha256').update(secret).digest()
const newSecret = (prefix: string): string => `${prefix}_${randomBytes(SECRET_BYTES).toString('hex')}`
const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
const invalidGrant = (what: string): OAuthError =>
  new OAuthError(
    'invalid_grant',
    `The ${what} is not valid: it is unknown, expired, revoked, already used, or was issued to another client.`,
  )

/** Returns whether a text has the form of an S256 code challenge. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Returns whether a text has the form of an access token. Does not check whether the token exists. */
export const isAccessToken = (text: string): boolean => /^at_[0-9a-f]{64}$/.test(text)

/**
 * Stores what a person has just allowed an application. Returns the code that the application exchanges for tokens, once,
 * within a minute. Tokens are as good as keys, so this throws `PLAN_UPGRADE_REQUIRED` and `REAUTHENTICATION_REQUIRED` as their creation
 * does.
 */
export async function createCode(
  ctx: TokenContext,
  actor: SignedInActor,
  { challenge, ...consent }: Omit<Consent, 'userId'> & { challenge: string },
): Promise<string> {
  assertKeysIncluded(actor)
  assertRecentSignIn(actor, ctx.clock())
  const code = newSecret('ac')
  const expiresAt = after(ctx.clock(), CODE_SECONDS)
  await ctx.db.prisma.oAuthCode.create({
    data: { ...consent, userId: actor.userId, hash: hashOf(code), challenge, expiresAt },
  })
  return code
}

export interface CodeRequest {
  code: string
  clientId: string
  redirectUri: string
  verifier: string
  resource: string | undefined
}

/** Exchanges a code for tokens, once: the second use revokes them. Throws `OAuthError`. */
export async function redeemCode(ctx: TokenContext, request: CodeRequest): Promise<TokenSet> {
  const now = ctx.clock()
  const hash = hashOf(request.code)
  // A refusal is returned, because throwing it would roll back what was revoked.
  const outcome = await ctx.db.transaction(async (sql): Promise<TokenSet | OAuthError> => {
    const code = await lockOAuthCode(sql, hash)
    if (!code) return invalidGrant('code')
    if (code.usedAt) {
      // Someone else has the code as well, and nobody can tell which of the two is genuine (RFC 6749, section 4.1.2).
      if (code.grantId) await revokeOAuthGrant(sql, code.grantId, now)
      return invalidGrant('code')
    }
    const isSame = code.clientId === request.clientId && code.redirectUri === request.redirectUri
    if (!isSame || code.expiresAt <= now || !provesChallenge(request.verifier, code.challenge))
      return invalidGrant('code')
    if (request.resource !== undefined && request.resource !== code.resource) return invalidTarget()
    const account = await lockAccount(sql, code.userId)
    const grantId = newId()
    if (!account || !(await markCodeUsed(sql, hash, { grantId, now }))) return invalidGrant('code')
    await insertOAuthGrant(sql, { ...code, id: grantId, now, expiresAt: now }, MAX_CONNECTED_APPS)
    await recordClientUse(sql, code.clientId, now)
    await queueNotice(sql, now, {
      userId: code.userId,
      recipient: account.email,
      kind: 'app_connected',
      data: { name: code.clientName, place: describeRedirect(code.redirectUri) },
    })
    return issueTokens(sql, { grantId, scopes: code.scopes }, now)
  })
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

const invalidTarget = (): OAuthError =>
  new OAuthError('invalid_target', '`resource` must be the one that the person has agreed to.')

function provesChallenge(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const proof = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(proof), Buffer.from(challenge))
}

interface Issue {
  grantId: string
  scopes: Scope[]
  granted?: Scope[]
  /** Returns a secret with this prefix. */
  derive?: (prefix: string) => string
}

async function issueTokens(
  sql: Sql,
  { grantId, scopes, granted = scopes, derive = newSecret }: Issue,
  now: Date,
): Promise<TokenSet> {
  const [accessToken, refreshToken] = [derive('at'), derive('rt')]
  const tokens = [
    { hash: hashOf(accessToken), kind: 'access', scopes, expiresAt: after(now, ACCESS_TOKEN_SECONDS) },
    { hash: hashOf(refreshToken), kind: 'refresh', scopes: granted, expiresAt: after(now, REFRESH_TOKEN_SECONDS) },
  ] as const
  await insertOAuthTokens(sql, grantId, [...tokens], now)
  return { accessToken, refreshToken, scopes }
}

export interface RefreshRequest {
  refreshToken: string
  clientId: string
  resource: string | undefined
  /** Undefined stands for all that the person has agreed to. */
  scopes: Scope[] | undefined
}

/**
 * Returns what derives the successors of a refresh token. The same token and salt give the same successors, and neither is enough
 * on its own, so the database holds nothing with which a token could be computed.
 */
const deriveSuccessors =
  (refreshToken: string, salt: Uint8Array, scopes: readonly Scope[]) =>
  (prefix: string): string => {
    // Access tokens differ by scopes; a refresh token has one successor.
    const purpose = JSON.stringify(prefix === 'at' ? [prefix, [...scopes].sort()] : [prefix])
    return `${prefix}_${createHmac('sha256', refreshToken).update(salt).update(purpose).digest('hex')}`
  }

/**
 * Exchanges a refresh token for new tokens. A token that was just replaced gives the same successor again, because the answer may
 * have been lost, or two windows may have refreshed at once. Any later use, or one after its successor was used, means that someone
 * has copied it: it revokes all tokens of the connection. Throws `OAuthError`.
 */
export async function refreshTokens(ctx: TokenContext, request: RefreshRequest): Promise<TokenSet> {
  const now = ctx.clock()
  const hash = hashOf(request.refreshToken)
  const outcome = await ctx.db.transaction(async (sql): Promise<TokenSet | OAuthError> => {
    const found = await lockRefreshToken(sql, hash)
    if (!found || found.revokedAt || found.clientId !== request.clientId) return invalidGrant('refresh token')
    // The token stays unused, so it works again when the account is restored.
    if (found.suspended) return invalidGrant('refresh token')
    const salt = found.usedAt ? await findLeeway(sql, request.refreshToken, found, now) : randomBytes(SECRET_BYTES)
    if (!salt) {
      await revokeOAuthGrant(sql, found.grantId, now)
      return invalidGrant('refresh token')
    }
    if (found.expiresAt <= now) return invalidGrant('refresh token')
    if (request.resource !== undefined && request.resource !== found.resource) return invalidTarget()
    const { grantId, scopes: granted } = found
    const scopes = request.scopes ?? granted
    if (!scopes.every((scope) => granted.includes(scope))) {
      return new OAuthError('invalid_scope', 'The person has not agreed to all of these scopes.')
    }
    if (!found.usedAt) await markTokenUsed(sql, hash, { successorSalt: salt, now })
    const derive = deriveSuccessors(request.refreshToken, salt, scopes)
    return issueTokens(sql, { grantId, scopes, granted, derive }, now)
  })
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

/** Returns the salt of a token that was used before, if its successor may be given out again. */
async function findLeeway(
  sql: Sql,
  refreshToken: string,
  { usedAt, successorSalt }: RefreshableGrant,
  now: Date,
): Promise<Uint8Array | null> {
  const isRecent = usedAt !== null && now.getTime() - usedAt.getTime() <= LEEWAY_MS
  if (!isRecent || !successorSalt) return null
  const successor = deriveSuccessors(refreshToken, successorSalt, [])('rt')
  return (await isTokenUnused(sql, hashOf(successor))) ? successorSalt : null
}

/** Revokes all tokens of the connection that a token belongs to, if the token was issued to this client (RFC 7009). */
export async function revokeToken({ db, clock }: TokenContext, token: string, clientId: string): Promise<void> {
  const where = { clientId, revokedAt: null, tokens: { some: { hash: hashOf(token) } } }
  await db.prisma.oAuthGrant.updateMany({ where, data: { revokedAt: clock() } })
}

export const hashToken = hashOf
