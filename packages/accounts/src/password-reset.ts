import type { AccountsContext } from './context.ts'

/** Records that a person has proved that their address is theirs. */
export async function markVerified({ db, clock }: AccountsContext, id: string): Promise<void> {
  const data = { emailVerified: true, updatedAt: clock() }
  await db.prisma.user.updateMany({ where: { id, emailVerified: false }, data })
}

/** Deletes all other links to set a new password. Their rows contain only the ID of the user. */
export async function forgetResetTokens({ db }: AccountsContext, userId: string): Promise<void> {
  await db.prisma.verification.deleteMany({ where: { value: userId } })
}
