import { hash, randomBytes } from 'node:crypto'
import type { Plan, Scope } from '@subtext/contracts'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import { insertApiKey, upsertUser } from './keys-sql.ts'

const VISIBLE_PREFIX_LENGTH = 9

export const hashApiKey = (key: string): Buffer<ArrayBuffer> => hash('sha256', key, 'buffer')

export interface NewApiKey {
  email: string
  plan: Plan
  scopes: Scope[]
  /** Absent: the key never expires. */
  expiresAt?: Date
}

/**
 * Creates a key for the user with this email address, and creates the user if there is none; an existing user moves to `plan`.
 * Returns the key, `sk_` and 64 hexadecimal digits, which cannot be read again later.
 */
export async function createApiKey(ctx: Pick<Context, 'db'>, request: NewApiKey): Promise<string> {
  const userId = await upsertUser(ctx.db, { id: newId(), email: request.email, plan: request.plan })
  const { key, ...stored } = buildApiKey()
  const { scopes, expiresAt = null } = request
  await insertApiKey(ctx.db, { id: newId(), userId, name: null, scopes, expiresAt, byOperator: true, ...stored })
  return key
}

/** Returns a new key, and the parts of it that are stored. */
export function buildApiKey() {
  const key = `sk_${randomBytes(32).toString('hex')}`
  return { key, hash: hashApiKey(key), prefix: key.slice(0, VISIBLE_PREFIX_LENGTH), lastFour: key.slice(-4) }
}
