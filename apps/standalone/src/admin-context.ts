import type { Context } from '@subtext/core/context'
import type { Operator } from '@subtext/core/operations'
import type { SecretBox } from '@subtext/core/webhooks'
import type { PrismaDb } from '@subtext/db/prisma'

/** The command line is valid, but the command cannot be carried out. */
export class RefusedError extends Error {}

export interface AdminContext {
  db: PrismaDb
  clock: () => Date
  log: Context['log']
  /** Who runs the command. */
  by: Operator
  /** Opens the box that encrypts webhook secrets. Called only by commands that need it. */
  openSecretBox: () => Promise<SecretBox>
  readInput: () => Promise<string>
  /** Asks the person to confirm what cannot be undone. Throws `RefusedError` unless they do. */
  confirm: (what: string) => Promise<void>
  /** Adds a line to what is written to standard error. */
  warn: (text: string) => void
  /** Returns the public origin of the service. */
  readOrigin: () => string
}

/** Carries out a command and returns what to print. */
export interface AdminCommand {
  (ctx: AdminContext): Promise<string>
  /** Whether it changes nothing. */
  isReadOnly?: true
}

/** Marks a command as one that changes nothing. */
export const readOnly = (run: (ctx: AdminContext) => Promise<string>): AdminCommand =>
  Object.assign(run, { isReadOnly: true as const })
