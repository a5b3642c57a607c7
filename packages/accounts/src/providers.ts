import type { BetterAuthOptions } from 'better-auth'
import { APIError, addOAuthServerContext, createAuthMiddleware } from 'better-auth/api'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { AccountsContext } from './context.ts'
import { isPlainAddress } from './plain-address.ts'
import type { OidcSettings } from './settings.ts'

const DISCOVERY_PATH = '/.well-known/openid-configuration'
const TIMEOUT_MS = 10_000

/** Returns the issuer without the slash at the end that some providers write and others do not. */
export const normalizeIssuer = (issuer: string): string => issuer.replace(/\/$/, '')

/** Returns the plugin for the OpenID Connect provider, if there is one. */
export const listOAuthProviders = ({ settings: { oidc } }: AccountsContext) =>
  oidc ? [genericOAuth({ config: [describeOidc(oidc)] })] : []

const describeOidc = (oidc: OidcSettings): GenericOAuthConfig => {
  const discoveryUrl = `${normalizeIssuer(oidc.issuer)}${DISCOVERY_PATH}`
  return {
    providerId: 'oidc',
    name: oidc.name,
    discoveryUrl,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    requireIdTokenVerification: true,
    // Signing out of this service is not signing out everywhere.
    disableProviderLogout: true,
    getUserInfo: (tokens) => readUserInfo(oidc, discoveryUrl, tokens),
  }
}

/** The checks that better-auth's own providers are told to make. */
export const refuseOddAddresses = {
  mapProfileToUser: ({ email }: { email?: unknown }) => (isPlainAddress(email) ? {} : { emailVerified: false }),
}

interface Claims {
  sub?: unknown
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

/**
 * Returns the person who has signed in, from the ID token, which better-auth has verified, and from the provider's user info if
 * the token lacks the address. Returns null if there is no ID token, or if the two are about different people (OpenID Connect
 * Core, 5.3.2).
 */
async function readUserInfo(
  { trustEmail }: OidcSettings,
  discoveryUrl: string,
  { idToken, accessToken }: { idToken?: string | undefined; accessToken?: string | undefined },
) {
  const claims = idToken === undefined ? null : readClaims(idToken)
  if (!claims || typeof claims.sub !== 'string') return null
  const more = typeof claims.email === 'string' || !accessToken ? {} : await fetchUserInfo(discoveryUrl, accessToken)
  if (more.sub !== undefined && more.sub !== claims.sub) return null
  const { email, email_verified, name } = { ...more, ...claims }
  if (typeof email !== 'string') return null
  const { sub } = claims
  return {
    sub,
    id: sub,
    email,
    emailVerified: isPlainAddress(email) && (trustEmail || email_verified === true),
    name: typeof name === 'string' ? cleanName(name) : '',
  }
}

const MAX_NAME_LENGTH = 80
/** Control characters have no place in a name, and PostgreSQL accepts no NUL. */
const cleanName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()

function readClaims(idToken: string): Claims | null {
  const [, payload = ''] = idToken.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return typeof claims === 'object' && claims !== null ? claims : null
}

async function fetchUserInfo(discoveryUrl: string, accessToken: string): Promise<Claims> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const discovery = (await (await fetch(discoveryUrl, { signal })).json()) as { userinfo_endpoint?: unknown }
  if (typeof discovery.userinfo_endpoint !== 'string') return {}
  const response = await fetch(discovery.userinfo_endpoint, {
    signal,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${accessToken}` },
  })
  return response.ok ? ((await response.json()) as Claims) : {}
}

/**
 * Remembers with which provider a sign-in began, and refuses the response of another one: a provider could otherwise pass on
 * what it got from the other (the mix-up attack of RFC 9700, section 4.4).
 */
export const bindStateToProvider = createAuthMiddleware(async (c) => {
  if (c.path === '/sign-in/social') await addOAuthServerContext({ provider: String(c.body?.provider) })
  if (c.path !== '/callback/:id') return
  const state = String(c.query?.state ?? '')
  // PostgreSQL text cannot contain NUL, so no sign-in has begun with it.
  if (state.includes('\u0000')) throw stateMismatch(c)
  const row = await c.context.internalAdapter.findVerificationValue(state)
  const stored: unknown = row && JSON.parse(row.value)
  const started = (stored as { serverContext?: { provider?: unknown } } | null)?.serverContext?.provider
  // Without a row, better-auth refuses the response itself.
  if (row && started !== c.params?.id) throw stateMismatch(c)
})

const stateMismatch = ({ context }: { context: { options: BetterAuthOptions } }): APIError =>
  new APIError('FOUND', undefined, { Location: `${context.options.onAPIError?.errorURL}?error=state_mismatch` })
