import { deleteVerificationsOf, verifyUser } from '@subtext/core/accounts'
import type { AccountsContext } from './context.ts'

/** Records that a person has proved that their address is theirs. */
export const markVerified = (ctx: AccountsContext, userId: string): Promise<void> =>
  verifyUser(ctx.db, userId, ctx.clock())

/** Deletes all other links to set a new password. Their rows contain only the ID of the user. */
export const forgetResetTokens = (ctx: AccountsContext, userId: string): Promise<void> =>
  deleteVerificationsOf(ctx.db, userId)
