import type { Plan } from '@subtext/contracts'
import type { PrismaContext } from '../context.ts'

/**
 * Moves a user to a plan, whose gates, quotas and limits apply within a second. Returns false if no user has this email
 * address.
 */
export const setPlan = async ({ db }: Pick<PrismaContext, 'db'>, email: string, plan: Plan): Promise<boolean> =>
  (await db.prisma.user.updateMany({ where: { email }, data: { plan } })).count > 0
