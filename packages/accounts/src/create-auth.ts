import { cookiePrefix, endSupportBy, SESSION_SECONDS } from '@subtext/core/accounts'
import { disconnectAllApps } from '@subtext/core/oauth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal'
import { magicLink } from 'better-auth/plugins/magic-link'
import { v7 as newId } from 'uuid'
import { confirmWithPassword } from './confirm-password.ts'
import type { AccountsContext } from './context.ts'
import { sendLink, sendNotice } from './emails.ts'
import { checkNewUser } from './new-user.ts'
import { forgetResetTokens, markVerified } from './password-reset.ts'
import { bindStateToProvider, listOAuthProviders, refuseOddAddresses } from './providers.ts'
import {
  ADDRESS_HEADER,
  AUTH_PREFIX,
  isSecure,
  KEEP_APPS_HEADER,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from './settings.ts'
import { signInByOperator } from './sign-in-links.ts'
import { signUpWithPassword } from './sign-up.ts'
import { findStanding } from './sign-up-policy.ts'

const MAGIC_LINK_MINUTES = 15
const RESET_MINUTES = 60
const SECONDS_PER_DAY = 86_400
const MAX_USER_AGENT_LENGTH = 400

export type Auth = ReturnType<typeof createAuth>

/** Sets up better-auth on the service's own tables, with everything that is not needed disabled. */
export function createAuth(ctx: AccountsContext) {
  const { settings } = ctx
  return betterAuth({
    appName: 'Subtext',
    baseURL: settings.publicBaseUrl,
    basePath: AUTH_PREFIX,
    secret: ctx.sessionCookie.secret,
    trustedOrigins: [...settings.ownOrigins],
    database: prismaAdapter(ctx.db.prisma, { provider: 'postgresql', transaction: true }),
    user: { modelName: 'user', validateUserInfo: (data) => checkNewUser(ctx, data) },
    session: {
      modelName: 'session',
      expiresIn: SESSION_SECONDS,
      updateAge: SECONDS_PER_DAY,
      // A session that has ended must not be accepted for another minute because a cookie says so.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'identity',
      updateAccountOnSignIn: false,
      // An account with an unverified address has no sign-in method that someone else could have set up.
      accountLinking: { enabled: true, requireLocalEmailVerified: false, trustedProviders: [] },
    },
    verification: { modelName: 'verification', storeIdentifier: 'hashed' },
    emailAndPassword: passwordOptions(ctx),
    socialProviders: socialProvidersOf(ctx),
    plugins: [
      signUpWithPassword(ctx),
      confirmWithPassword(ctx),
      signInByOperator(ctx),
      magicLink({
        expiresIn: MAGIC_LINK_MINUTES * 60,
        storeToken: 'hashed',
        sendMagicLink: ({ email, url }) => sendMagicLink(ctx, email, url),
      }),
      ...listOAuthProviders(ctx),
    ],
    hooks: { before: bindStateToProvider },
    databaseHooks: DATABASE_HOOKS,
    // Requests are limited before they get here, by account as well.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Errors that better-auth does not expect are handled and logged like those of any other request.
    onAPIError: { errorURL: `${settings.publicBaseUrl}/sign-in`, throw: true },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => ctx.log.warn('sign-in', { reason: message, details }),
    },
    advanced: advancedOptions(ctx),
  } satisfies BetterAuthOptions)
}

function passwordOptions(ctx: AccountsContext): NonNullable<BetterAuthOptions['emailAndPassword']> {
  return {
    enabled: true,
    requireEmailVerification: true,
    minPasswordLength: MIN_PASSWORD_LENGTH,
    maxPasswordLength: MAX_PASSWORD_LENGTH,
    ...(ctx.passwords && { password: ctx.passwords }),
    resetPasswordTokenExpiresIn: RESET_MINUTES * 60,
    revokeSessionsOnPasswordReset: true,
    async sendResetPassword({ user, url }) {
      const link = new URL(url)
      // Without a page to return to, better-auth's link leads nowhere.
      if (!link.searchParams.get('callbackURL')) link.searchParams.set('callbackURL', '/reset-password')
      await sendLink(ctx, 'reset_password', { recipient: user.email, link: link.href, minutes: RESET_MINUTES })
    },
    async onPasswordReset({ user }, request) {
      // The link has shown that the address is theirs.
      await markVerified(ctx, user.id)
      await forgetResetTokens(ctx, user.id)
      await endSupportBy(ctx.db, user.id)
      if (!request?.headers.has(KEEP_APPS_HEADER)) await disconnectAllApps(ctx, user.id)
      await sendNotice(ctx, 'password_changed', user.email, {})
    },
  }
}

function socialProvidersOf({ settings }: AccountsContext): NonNullable<BetterAuthOptions['socialProviders']> {
  const { github, google } = settings
  return {
    ...(github && { github: { ...github, ...refuseOddAddresses } }),
    ...(google && { google: { ...google, ...refuseOddAddresses } }),
  }
}

async function sendMagicLink(ctx: AccountsContext, email: string, url: string): Promise<void> {
  const standing = await findStanding(ctx, email)
  if (standing === 'stranger') return sendNotice(ctx, 'not_invited', email, {})
  return sendLink(ctx, 'sign_in_link', { recipient: email, link: url, minutes: MAGIC_LINK_MINUTES })
}

/** Fields that better-auth would store and the service does not. */
const DATABASE_HOOKS: NonNullable<BetterAuthOptions['databaseHooks']> = {
  user: {
    create: {
      // Accounts are only created with a confirmed address.
      before: async (user) => (user.emailVerified ? { data: { ...user, image: undefined } } : false),
    },
    update: { before: async (user) => ({ data: { ...user, image: undefined } }) },
  },
  account: {
    create: {
      before: async (account) => ({
        data: {
          ...account,
          accessToken: undefined,
          refreshToken: undefined,
          idToken: undefined,
          accessTokenExpiresAt: undefined,
          refreshTokenExpiresAt: undefined,
          scope: undefined,
        },
      }),
    },
  },
  session: {
    create: {
      before: async (session) => ({
        data: { ...session, userAgent: session.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) },
      }),
    },
  },
}

function advancedOptions({ settings }: AccountsContext): NonNullable<BetterAuthOptions['advanced']> {
  return {
    // The prefix `__Host-` is part of the name, so better-auth must not add its own.
    useSecureCookies: false,
    cookiePrefix: cookiePrefix(isSecure(settings)),
    defaultCookieAttributes: { secure: isSecure(settings), httpOnly: true, sameSite: 'lax', path: '/' },
    // Off by default when NODE_ENV is `test`.
    disableOriginCheck: false,
    disableCSRFCheck: false,
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    database: { generateId: () => newId(), validateSchema: false },
  }
}
