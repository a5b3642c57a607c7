import type { Plan, Scope } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import type { PrismaDb } from '@subtext/db/prisma'
import type { Notifier, Producer } from '@subtext/queue'
import type { OwnQuota } from './plans/own-quota.ts'

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** The dependencies of this package's functions. Each process creates one context, at its composition root. */
export interface Context {
  db: Db
  producer: Pick<Producer, 'wakeJobs' | 'isConnected'>
  notifier: Pick<Notifier, 'publish' | 'subscribe'>
  clock: () => Date
  log: Log
}

/** The dependencies of functions that read or write rows through Prisma, which workers and webhook senders do not load. */
export interface PrismaContext extends Context {
  db: PrismaDb
}

/** The caller, as identified by its API key or its session. */
export interface Actor {
  userId: string
  /** Null for a person who has signed in. */
  apiKeyId: string | null
  plan: Plan
  /** Undefined where it does not matter. */
  ownQuota?: OwnQuota
  scopes: readonly Scope[]
  /** Undefined for an API key. */
  session?: ActorSession
}

export interface ActorSession {
  id: string
  /** Whether the person may use the operators' routes. */
  isOperator: boolean
  /** Whether an operator sees the account of somebody else. */
  isSupport: boolean
  /** When the person last proved who they are. */
  authenticatedAt: Date
  expiresAt: Date
}

/** A caller who has signed in. */
export type SignedInActor = Actor & { session: ActorSession }

/** Returns whether the caller is an admin, who passes every plan gate and has no quota. */
export const isAdmin = (actor: Pick<Actor, 'scopes'>): boolean => actor.scopes.includes('admin')
