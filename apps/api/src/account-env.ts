import { hkdfSync } from 'node:crypto'
import { count, flag, httpUrl, type keyRing, signInEnabled } from '@subtext/runtime'
import { z } from 'zod'

const MIN_SECRET_LENGTH = 32

/** Settings of accounts, sign-in and email. */
export const AccountEnv = z.object({
  DASHBOARD_ENABLED: signInEnabled,
  AUTH_SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH)
    .optional()
    .describe(
      'Signs session cookies: at least 32 random characters, the same for all API processes. Default: derived from the first key of WEBHOOK_SECRET_KEY.',
    ),
  AUTH_SECRET_ACCEPTED: z
    .string()
    .min(MIN_SECRET_LENGTH)
    .optional()
    .describe('Another secret whose session cookies are accepted while AUTH_SECRET is being rotated.'),
  SIGN_UP: z
    .enum(['open', 'closed', 'invite'])
    .default('open')
    .describe('Who can create an account: everyone, nobody, or those invited with `npm run admin -- invite`.'),
  AUTH_LIMIT_ADDRESS: count(100, 1, 1_000_000).describe(
    'Failed sign-ins per hour, and requests for emails per hour, from an IP address.',
  ),
  OIDC_ISSUER: httpUrl.optional().describe('Issuer of an OpenID Connect provider that people can sign in with.'),
  OIDC_CLIENT_ID: z.string().optional().describe('Client ID at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('Client secret at the OpenID Connect provider.'),
  OIDC_NAME: z.string().default('OpenID').describe('Name of the OpenID Connect provider on the sign-in page.'),
  OIDC_TRUST_EMAIL: flag(false).describe(
    'Treat the addresses from the OpenID Connect provider as verified, even if it does not say so. Only for providers that assign the addresses themselves.',
  ),
  GITHUB_CLIENT_ID: z.string().optional().describe('Client ID of an OAuth app at GitHub.'),
  GITHUB_CLIENT_SECRET: z.string().optional().describe('Client secret of the OAuth app at GitHub.'),
  GOOGLE_CLIENT_ID: z.string().optional().describe('Client ID of an OAuth client at Google.'),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe('Client secret of the OAuth client at Google.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Server that sends emails, as in smtps://user:password@smtp.example.org. If unset, emails are written to MAIL_DIR, for development.',
    ),
  MAIL_FROM: z
    .string()
    .optional()
    .describe(
      'Sender of emails, as in `Subtext <no-reply@example.org>`. Default: no-reply at the host of PUBLIC_BASE_URL.',
    ),
  MAIL_DIR: z.string().default('.data/mail').describe('Folder for emails while SMTP_URL is unset.'),
})
type AccountEnv = z.output<typeof AccountEnv>

/** Groups of settings that must be set together. */
const GROUPS = [
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
] as const satisfies (keyof AccountEnv)[][]

/** Adds an issue for each setting that is missing although another one needs it. */
export function requireWholeGroups(env: AccountEnv, issue: z.RefinementCtx): void {
  for (const group of GROUPS) {
    const given = group.filter((name) => env[name] !== undefined)
    for (const name of given.length > 0 ? group : []) {
      if (env[name] === undefined) {
        issue.addIssue({ code: 'custom', path: [name], message: `Required together with ${given.join(' and ')}.` })
      }
    }
  }
}

interface AuthSecrets {
  /** Signs cookies. */
  secret: string
  /** Cookies signed with one of these are accepted as well. */
  acceptedSecrets: string[]
}

/** Returns the secrets of cookies. */
export function authSecrets(env: AccountEnv & { WEBHOOK_SECRET_KEY: z.output<typeof keyRing> }): AuthSecrets {
  const derived = env.WEBHOOK_SECRET_KEY.map(({ key }) =>
    Buffer.from(hkdfSync('sha256', key, '', 'subtext sign-in', 32)).toString('base64url'),
  )
  const own = env.AUTH_SECRET === undefined ? derived : [env.AUTH_SECRET]
  const [secret = '', ...acceptedSecrets] = [...own, ...(env.AUTH_SECRET_ACCEPTED ? [env.AUTH_SECRET_ACCEPTED] : [])]
  return { secret, acceptedSecrets }
}
