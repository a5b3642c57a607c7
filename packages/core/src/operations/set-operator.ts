import type { PrismaContext } from '../context.ts'

/** Makes a user an operator of the service, or no longer one, at once. Returns false if no user has this email address. */
export const setOperator = async (
  { db }: Pick<PrismaContext, 'db'>,
  email: string,
  isOperator: boolean,
): Promise<boolean> =>
  (await db.prisma.user.updateMany({ where: { email, deletedAt: null }, data: { isOperator } })).count > 0
