import { type Scope, ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { PrismaContext, SignedInActor } from '../context.ts'

type AppContext = Pick<PrismaContext, 'db' | 'clock'>

/** An application that a person has connected. */
export interface StoredConnectedApp {
  id: string
  clientId: string
  name: string
  redirectUri: string
  scopes: Scope[]
  createdAt: Date
  lastUsedAt: Date | null
}

/** Returns the applications that can act for the actor, the last connected first. */
export async function listOwnApps({ db, clock }: AppContext, { userId }: SignedInActor): Promise<StoredConnectedApp[]> {
  const grants = await db.prisma.oAuthGrant.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: clock() } },
    orderBy: { id: 'desc' },
  })
  return grants.map(({ clientName, scopes, ...grant }) => ({ ...grant, name: clientName, scopes: scopes as Scope[] }))
}

/**
 * Disconnects all applications of an account: their tokens stop working at once, codes can no longer be exchanged for some, and the
 * addresses that feed readers know lead nowhere.
 */
export async function disconnectAllApps({ db, clock }: AppContext, userId: string): Promise<void> {
  // First, so that none is exchanged after its tokens would have been revoked. One that was used shows a second use.
  await db.prisma.oAuthCode.deleteMany({ where: { userId, usedAt: null } })
  await db.prisma.oAuthGrant.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: clock() } })
  await db.prisma.feed.deleteMany({ where: { userId } })
}

/** Disconnects an application: all of its tokens stop working at once. Throws `NOT_FOUND`. */
export async function disconnectOwnApp(
  { db, clock }: AppContext,
  { userId }: SignedInActor,
  id: string,
): Promise<void> {
  const grant = isUuid(id)
    ? await db.prisma.oAuthGrant.findFirst({ where: { id, userId }, select: { id: true } })
    : null
  if (!grant) throw new ServiceError('NOT_FOUND')
  await db.prisma.oAuthGrant.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: clock() } })
}
