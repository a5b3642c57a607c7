import type { Plan } from '@subtext/contracts'
import { setUserPlan } from '@subtext/db'
import type { Context } from '../context.ts'

/** Whether there is a user with this address. Gates, quotas and limits of the plan hold within a second. */
export const setPlan = (ctx: Pick<Context, 'db'>, email: string, plan: Plan): Promise<boolean> =>
  setUserPlan(ctx.db, email, plan)
