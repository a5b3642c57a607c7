import type { AccountsContext } from './context.ts'
import { findStanding } from './sign-up-policy.ts'

/** What better-auth tells about a person who signs in, of which this is needed. */
interface UserInfo {
  user: { email?: string | null | undefined; emailVerified?: boolean | undefined }
  source: { action?: string }
}

/**
 * Decides about a person who comes with a magic link or from an identity provider, before an account is created. Returns the
 * error to show, or nothing.
 */
export async function checkNewUser(
  ctx: AccountsContext,
  { user, source }: UserInfo,
): Promise<{ error: string } | undefined> {
  if (source.action !== 'create-user') return undefined
  // An address that somebody merely claims would give them the account of its owner.
  if (!user.emailVerified || !user.email) return { error: EMAIL_NOT_VERIFIED }
  const standing = await findStanding(ctx, user.email.toLowerCase())
  return standing === 'stranger' ? { error: 'signup_disabled' } : undefined
}

export const EMAIL_NOT_VERIFIED = 'email_not_verified'
