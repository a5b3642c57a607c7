import { ServiceError } from '@subtext/contracts'
import { findKeyHolder, type KeyHolder } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Actor, Context } from '../context.ts'
import { hashApiKey } from './create.ts'

export const KEY_PATTERN = /^sk_[0-9a-f]{64}$/
/** A revoked key is refused everywhere within a second; half of it is left for the rest of the way. */
const CACHE_MS = 500
const CACHE_SIZE = 10_000

export type VerifyApiKey = (key: string) => Promise<Actor>

/**
 * Turns a key into who holds it; `UNAUTHORIZED` for a malformed, unknown, expired, disabled or revoked one, with nothing
 * to tell them apart. Answers are kept for half a second, also of unknown keys, and callers that ask together share one
 * look into the database.
 */
export function createKeyVerifier(ctx: Pick<Context, 'db' | 'clock'>): VerifyApiKey {
  const holders = new LRUCache<string, { holder: KeyHolder | null }>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    fetchMethod: async (hash) => ({ holder: await findKeyHolder(ctx.db, Buffer.from(hash, 'base64')) }),
  })
  return async (key) => {
    if (!KEY_PATTERN.test(key)) throw new ServiceError('UNAUTHORIZED')
    const found = await holders.fetch(hashApiKey(key).toString('base64'))
    const holder = found?.holder
    if (!holder || (holder.expiresAt && holder.expiresAt <= ctx.clock())) throw new ServiceError('UNAUTHORIZED')
    return { userId: holder.userId, apiKeyId: holder.apiKeyId, plan: holder.plan, scopes: holder.scopes }
  }
}
