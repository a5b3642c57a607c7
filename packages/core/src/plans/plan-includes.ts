import { type Feature, includesFeature, PLANS } from '@subtext/contracts'
import { findUserPlan } from '@subtext/db'
import type { Context } from '../context.ts'

/** Returns whether the present plan of a user includes a feature. */
export async function planIncludes({ db }: Pick<Context, 'db'>, userId: string, feature: Feature): Promise<boolean> {
  const plan = await findUserPlan(db, userId)
  return plan !== null && includesFeature(feature)(PLANS[plan])
}
