import { ServiceError, type SignInWay } from '@subtext/contracts'
import { readCookie } from '@subtext/core/accounts'
import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import type { Endpoint } from './endpoints.ts'

const PROVIDERS = ['oidc', 'github', 'google'] as const

/** Returns the sign-in method that a request completes, or null if it completes none. */
function wayOf({ path, method }: Endpoint, request: AuthRequest): SignInWay | 'sign_up' | null {
  if (path === '/sign-in/email') return 'password'
  if (path === '/verify-email' || path === '/sign-up/first') return 'sign_up'
  if (path === '/link') return method === 'POST' ? 'magic_link' : null
  if (path === '/magic-link/verify') return method === 'POST' ? 'magic_link' : null
  if (path !== '/callback/:id') return null
  const provider = request.path.split('/').at(-1)
  return PROVIDERS.find((id) => id === provider) ?? null
}

/** Returns the values of a cookie that a reply sets. */
export const cookiesSetBy = ({ headers }: AuthReply, name: string): string[] =>
  headers
    .filter(([header]) => header === 'set-cookie')
    .map(([, value]) => readCookie(value.split(';', 1)[0], name) ?? '')
    .filter((value) => value !== '')

/** Carries out a request and counts it if it was to sign someone in. */
export async function countSignIn(
  ctx: AccountsContext,
  endpoint: Endpoint,
  request: AuthRequest,
  handle: () => Promise<AuthReply>,
): Promise<AuthReply> {
  const way = wayOf(endpoint, request)
  if (way === null) return handle()
  try {
    const reply = await handle()
    const isSignedIn = cookiesSetBy(reply, ctx.sessionCookie.name).length > 0
    // Following the link of a sign-up in another browser confirms the address and signs nobody in.
    if (isSignedIn || way !== 'sign_up') ctx.onSignIn(way, isSignedIn ? 'success' : 'failure')
    return reply
  } catch (error) {
    const isLimited = error instanceof ServiceError && error.code === 'RATE_LIMITED'
    ctx.onSignIn(way, isLimited ? 'limited' : 'failure')
    throw error
  }
}
