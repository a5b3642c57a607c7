import { z } from 'zod'
import type { Subject } from './limits.ts'
import { isPlainAddress } from './plain-address.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './settings.ts'
import { targetUrl } from './target-url.ts'

const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 80
const MAX_URL_LENGTH = 2_000

// PostgreSQL text cannot contain NUL, and a lone surrogate has no UTF-8 encoding.
const storable = z
  .string()
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'Must be well-formed Unicode.' })
const email = z
  .string()
  .trim()
  // Checked before lowercasing, which would turn the Kelvin sign into a `k`.
  .refine(isPlainAddress, { error: 'Must be an email address of ASCII characters.' })
  .toLowerCase()
  .pipe(z.email().max(MAX_EMAIL_LENGTH))
const url = storable.max(MAX_URL_LENGTH).pipe(targetUrl).optional()
const password = storable.max(MAX_PASSWORD_LENGTH)
const newPassword = password.min(MIN_PASSWORD_LENGTH)
const token = storable.max(200)
/** Whether a new password also ends the access of connected applications and feed readers. */
const disconnectApps = z.boolean().default(true)

export interface Endpoint {
  method: 'GET' | 'POST'
  /** Below `/auth`, with `:name` for a variable part. */
  path: string
  /** Fields that are passed on; others are dropped. */
  body?: z.ZodObject
  /** By what attempts are counted: the address in the request, the session, or the network alone. */
  limit?: { subject: Subject; by: 'email' | 'session' | 'network' }
  /** Requires a person who has signed in. */
  session?: true
  /** Is of use only if an email can be sent. */
  sendsMail?: true
}

/**
 * Everything that can be reached. better-auth has more endpoints, such as those that show the tokens of providers; what is
 * not listed here does not exist. Names and fields are those of better-auth.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    body: z.object({
      email,
      password: newPassword,
      name: storable.trim().max(MAX_NAME_LENGTH).default(''),
      callbackURL: url,
    }),
    limit: { subject: 'mail', by: 'email' },
    sendsMail: true,
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    body: z.object({ email, password, callbackURL: url }),
    limit: { subject: 'password', by: 'email' },
  },
  {
    method: 'POST',
    path: '/sign-in/magic-link',
    body: z.object({ email, callbackURL: url, errorCallbackURL: url, newUserCallbackURL: url }),
    limit: { subject: 'mail', by: 'email' },
    sendsMail: true,
  },
  {
    method: 'POST',
    path: '/sign-in/social',
    body: z.object({
      provider: z.enum(['oidc', 'github', 'google']),
      callbackURL: url,
      errorCallbackURL: url,
      newUserCallbackURL: url,
      disableRedirect: z.boolean().optional(),
    }),
    limit: { subject: 'redirect', by: 'network' },
  },
  { method: 'GET', path: '/callback/:id' },
  { method: 'POST', path: '/sign-out', body: z.object({}) },
  {
    method: 'POST',
    path: '/request-password-reset',
    body: z.object({ email, redirectTo: url }),
    limit: { subject: 'mail', by: 'email' },
    sendsMail: true,
  },
  { method: 'GET', path: '/reset-password/:token' },
  { method: 'POST', path: '/reset-password', body: z.object({ newPassword, token, disconnectApps }) },
  {
    method: 'POST',
    path: '/change-password',
    body: z.object({ currentPassword: password, newPassword, disconnectApps }),
    limit: { subject: 'password', by: 'session' },
    session: true,
  },
  {
    method: 'POST',
    path: '/verify-password',
    body: z.object({ password }),
    limit: { subject: 'password', by: 'session' },
    session: true,
  },
  { method: 'GET', path: '/verify-email' },
  { method: 'POST', path: '/verify-email' },
  { method: 'GET', path: '/magic-link/verify' },
  { method: 'POST', path: '/magic-link/verify' },
  { method: 'GET', path: '/link' },
  { method: 'POST', path: '/link' },
  {
    method: 'POST',
    path: '/sign-up/first',
    body: z.object({
      token,
      email,
      password: newPassword,
      name: storable.trim().max(MAX_NAME_LENGTH).default(''),
    }),
  },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/options' },
]

const matches = (pattern: string, path: string): boolean => {
  const parts = path.split('/')
  const expected = pattern.split('/')
  return parts.length === expected.length && expected.every((part, at) => part.startsWith(':') || part === parts[at])
}

/** Returns the endpoints with this path, one for each method. */
export const findEndpoints = (path: string): Endpoint[] => ENDPOINTS.filter((endpoint) => matches(endpoint.path, path))
