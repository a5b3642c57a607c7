import type { Plan, Scope } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import type { Notifier, Producer } from '@subtext/queue'

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** What every verb may use. Made once a process, at its composition root. */
export interface Context {
  db: Db
  producer: Pick<Producer, 'wakeJobs' | 'isConnected'>
  notifier: Pick<Notifier, 'publish' | 'subscribe'>
  clock: () => Date
  log: Log
}

/** Who calls. */
export interface Actor {
  userId: string
  apiKeyId: string
  plan: Plan
  scopes: readonly Scope[]
}

/** Admins pass every gate and have no quota. */
export const isAdmin = (actor: Actor): boolean => actor.scopes.includes('admin')
