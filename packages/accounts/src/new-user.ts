import type { AccountsContext } from './context.ts'
import { findStanding } from './sign-up-policy.ts'

/** The fields of better-auth's user that are needed here. */
interface UserInfo {
  user: { email?: string | null | undefined; emailVerified?: boolean | undefined }
  source: { action?: string }
}

/**
 * Decides, before an account is created, whether a person with a magic link or from an identity provider may have one. Returns
 * the error to show, or nothing.
 */
export async function checkNewUser(
  ctx: AccountsContext,
  { user, source }: UserInfo,
): Promise<{ error: string } | undefined> {
  if (source.action !== 'create-user') return undefined
  // Otherwise, merely claiming an address would give access to its owner's account.
  if (!user.emailVerified || !user.email) return { error: EMAIL_NOT_VERIFIED }
  const standing = await findStanding(ctx, user.email.toLowerCase())
  return standing === 'stranger' ? { error: 'signup_disabled' } : undefined
}

export const EMAIL_NOT_VERIFIED = 'email_not_verified'
