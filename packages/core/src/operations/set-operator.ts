import type { Context } from '../context.ts'
import { setUserOperator } from '../users/index.ts'

/** Makes a user an operator of the service, or no longer one, at once. Returns false if no user has this email address. */
export const setOperator = (ctx: Pick<Context, 'db'>, email: string, isOperator: boolean): Promise<boolean> =>
  setUserOperator(ctx.db, email, isOperator)
