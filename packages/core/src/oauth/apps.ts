import { ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Context, SignedInActor } from '../context.ts'
import { type ConnectedApp, disconnectApp, listConnectedApps } from './oauth-sql.ts'

type AppContext = Pick<Context, 'db' | 'clock'>

/** Returns the applications that can act for the actor, the last connected first. */
export const listOwnApps = (ctx: AppContext, actor: SignedInActor): Promise<ConnectedApp[]> =>
  listConnectedApps(ctx.db, actor.userId, ctx.clock())

/** Disconnects an application: all of its tokens stop working at once. Throws `NOT_FOUND`. */
export async function disconnectOwnApp(ctx: AppContext, actor: SignedInActor, id: string): Promise<void> {
  const isFound = isUuid(id) && (await disconnectApp(ctx.db, actor.userId, id, ctx.clock()))
  if (!isFound) throw new ServiceError('NOT_FOUND')
}
