import type { Plan } from '@subtext/contracts'
import type { Context } from '../context.ts'
import { setUserPlan } from '../users/index.ts'

/**
 * Moves a user to a plan, whose gates, quotas and limits apply within a second. Returns false if no user has this email
 * address.
 */
export const setPlan = (ctx: Pick<Context, 'db'>, email: string, plan: Plan): Promise<boolean> =>
  setUserPlan(ctx.db, email, plan)
