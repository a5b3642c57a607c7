import type { AccountSettings, AccountsService, PasswordHashing } from '@subtext/accounts'
import {
  cookieName,
  createSessionVerifier,
  SESSION_SECONDS,
  type SessionCookie,
  type VerifySession,
} from '@subtext/core/accounts'
import type { PrismaContext } from '@subtext/core/context'
import type { EmailSender } from '@subtext/core/emails'
import type { SecretBox } from '@subtext/core/webhooks'
import { publicBaseUrlOf } from '@subtext/runtime'
import { authSecrets } from './account-env.ts'
import { createMailCheck, startEmailSender } from './emails.ts'
import type { ApiEnv } from './env.ts'
import { listOwnOrigins } from './http/own-origin.ts'
import type { ApiMetrics } from './metrics.ts'

/** Recognizes people who have signed in, and signs them in. */
export interface SignIn {
  verify: VerifySession
  cookieName: string
  /** Returns the `Set-Cookie` header with which a browser keeps a session for its full time. */
  writeCookie: (value: string) => string
  /** The `Set-Cookie` header with which a browser forgets a session. */
  clearCookie: string
  /** Returns the service behind `/auth`. It is loaded with the first request, because loading takes most of a second. */
  load: () => Promise<AccountsService>
}

interface AccountsOptions {
  secretBox: SecretBox
  metrics: ApiMetrics
  /** Replaced in tests only. */
  passwords?: PasswordHashing
}

export interface OpenAccounts {
  /** Null if sign-in is disabled. */
  signIn: SignIn | null
  /** Starts to send emails. */
  sendEmails(): void
  close(): Promise<void>
}

/** Creates what accounts need. Nothing is loaded or sent yet. */
export function openAccounts(env: ApiEnv, base: PrismaContext, given: AccountsOptions): OpenAccounts {
  const publicBaseUrl = publicBaseUrlOf(env)
  let sender: EmailSender | undefined
  const options = { ...given, publicBaseUrl, wakeSender: () => sender?.wake() }
  return {
    signIn: env.DASHBOARD_ENABLED ? createSignIn(env, base, options) : null,
    sendEmails() {
      if (env.DASHBOARD_ENABLED) sender ??= startEmailSender(env, base, options)
    },
    async close() {
      await sender?.close()
    },
  }
}

interface SignInOptions extends AccountsOptions {
  publicBaseUrl: string
  wakeSender: () => void
}

function createSignIn(env: ApiEnv, base: PrismaContext, options: SignInOptions): SignIn {
  const { publicBaseUrl, secretBox, metrics, passwords, wakeSender } = options
  const isSecure = publicBaseUrl.startsWith('https:')
  const sessionCookie: SessionCookie = { name: cookieName('session_token', isSecure), ...authSecrets(env) }
  const attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`
  const verifySession = createSessionVerifier(base, sessionCookie)
  let loading: Promise<AccountsService> | undefined
  const load = async (): Promise<AccountsService> => {
    const { createAccountsService } = await import('@subtext/accounts')
    const settings = readAccountSettings(env, publicBaseUrl)
    const onSignIn = metrics.countSignIn
    const findMailProblem = createMailCheck(env)
    const parts = {
      settings,
      sessionCookie,
      verifySession,
      secretBox,
      passwords,
      onSignIn,
      wakeSender,
      findMailProblem,
    }
    return createAccountsService({ ...base, ...parts })
  }
  return {
    verify: verifySession,
    cookieName: sessionCookie.name,
    writeCookie: (value) => `${sessionCookie.name}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes}`,
    clearCookie: `${sessionCookie.name}=; Max-Age=0; ${attributes}`,
    load: () => {
      loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return loading
    },
  }
}

function readAccountSettings(env: ApiEnv, publicBaseUrl: string): AccountSettings {
  const github = readClient(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET)
  const google = readClient(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET)
  const oidc = readClient(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET)
  return {
    publicBaseUrl,
    ownOrigins: listOwnOrigins(publicBaseUrl),
    signUp: env.SIGN_UP,
    limitPerNetwork: env.AUTH_LIMIT_ADDRESS,
    ...(github && { github }),
    ...(google && { google }),
    ...(oidc &&
      env.OIDC_ISSUER && {
        oidc: { ...oidc, issuer: env.OIDC_ISSUER, name: env.OIDC_NAME, trustEmail: env.OIDC_TRUST_EMAIL },
      }),
  }
}

const readClient = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined
