import type { Plan, Scope } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import type { Notifier, Producer } from '@subtext/queue'

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What the functions of this package work with. Each process creates one, at its composition root. */
export interface Context {
  db: Db
  producer: Pick<Producer, 'wakeJobs' | 'isConnected'>
  notifier: Pick<Notifier, 'publish' | 'subscribe'>
  clock: () => Date
  log: Log
}

/** The caller, as identified by its API key. */
export interface Actor {
  userId: string
  apiKeyId: string
  plan: Plan
  scopes: readonly Scope[]
}

/** Returns whether the caller is an admin, who passes every plan gate and has no quota. */
export const isAdmin = (actor: Actor): boolean => actor.scopes.includes('admin')
