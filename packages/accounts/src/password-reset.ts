import { deleteVerificationsOf, verifyUser } from '@subtext/db'
import type { AccountsContext } from './context.ts'

/** Records that a person has shown that their address is theirs. */
export const markVerified = (ctx: AccountsContext, userId: string): Promise<void> =>
  verifyUser(ctx.db, userId, ctx.clock())

/** Forgets all other links to a new password. Their rows hold nothing but the ID of the user. */
export const forgetResetTokens = (ctx: AccountsContext, userId: string): Promise<void> =>
  deleteVerificationsOf(ctx.db, userId)
