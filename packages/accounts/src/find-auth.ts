import { ServiceError } from '@subtext/contracts'
import type { AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { type Auth, createAuth } from './create-auth.ts'
import type { Endpoint } from './endpoints.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Creates the function that returns better-auth. better-auth asks the OpenID Connect provider for its addresses once, during
 * setup, and leaves out a provider that does not respond. It is therefore set up again when someone wants to sign in with that
 * provider. The function throws `SERVICE_UNAVAILABLE` if the provider still does not respond.
 */
export function createAuthFinder(ctx: AccountsContext): (endpoint: Endpoint, request: AuthRequest) => Promise<Auth> {
  let auth = createAuth(ctx)
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    const renewed = createAuth(ctx)
    if (await knowsProvider(renewed)) auth = renewed
  }
  return async (endpoint, request) => {
    if (!ctx.settings.oidc || !needsProvider(endpoint, request) || (await knowsProvider(auth))) return auth
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    await renewing
    if (await knowsProvider(auth)) return auth
    const message = 'The identity provider does not respond. Try again later, or sign in with a link by email.'
    throw new ServiceError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

const needsProvider = ({ path }: Endpoint, request: AuthRequest): boolean =>
  path === '/sign-in/social' ? request.body?.provider === 'oidc' : request.path === '/callback/oidc'

const knowsProvider = async (auth: Auth): Promise<boolean> =>
  (await auth.$context).socialProviders.some(({ id }) => id === 'oidc')
