import type { PrismaDb } from '@subtext/db/prisma'
import { v7 as newId } from 'uuid'

export interface StoredTestSubscription {
  userId: string
  sourceId: string
  id: string
}

interface SubscriptionOverrides {
  userId?: string
  timeZone?: string
  email?: string
  match?: { any: string[] }
  digestedAt?: Date
}

/** Stores a subscription of a new user on the Pro plan to a new channel. */
export async function storeSubscription(
  { prisma }: Pick<PrismaDb, 'prisma'>,
  { userId = newId(), timeZone, ...settings }: SubscriptionOverrides = {},
): Promise<StoredTestSubscription> {
  const [sourceId, id, now] = [newId(), newId(), new Date()]
  const dates = { createdAt: now, updatedAt: now, digestedAt: now }
  const subscription = {
    id,
    userId,
    action: 'process',
    options: {},
    priority: 'normal',
    stopKey: new Uint8Array(1),
  } as const
  await prisma.user.create({
    data: { id: userId, email: `${userId}@example.org`, plan: 'pro', ...(timeZone && { timeZone }) },
  })
  const subscriptions = { create: { ...subscription, ...dates, ...settings } }
  const accounts = { create: { id: newId(), userId, createdAt: now, subscriptions } }
  await prisma.source.create({ data: { id: sourceId, kind: 'channel', platformId: sourceId, usedAt: now, accounts } })
  return { userId, sourceId, id }
}
