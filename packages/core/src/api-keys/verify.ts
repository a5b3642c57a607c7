import { ServiceError } from '@subtext/contracts'
import { findKeyHolders, type KeyHolder } from '@subtext/db'
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Actor, Context } from '../context.ts'
import { hashApiKey } from './create.ts'

const KEY_PATTERN = /^sk_[0-9a-f]{64}$/
/** A revoked key must be refused everywhere within a second. This leaves half a second for everything else. */
const CACHE_MS = 500
const CACHE_SIZE = 10_000
const MAX_KEYS_PER_STATEMENT = 500

/** Returns whether a text has the form of a key. Does not check whether the key exists. */
export const isApiKey = (text: string): boolean => KEY_PATTERN.test(text)

/** One message for every key, so that callers learn nothing about keys of others. */
const refuse = (): ServiceError =>
  new ServiceError('UNAUTHORIZED', {
    message: 'The API key is not valid: it is unknown, disabled, revoked or expired. Check it, or create a new one.',
  })

/** `isFresh`: without the cache. */
export type VerifyApiKey = (key: string, options?: { isFresh?: boolean }) => Promise<Actor>

/**
 * Creates the function that returns the holder of a key. It throws the same `UNAUTHORIZED` for a malformed, unknown,
 * expired, disabled or revoked key, so that callers cannot tell them apart. Results are cached for half a second, for
 * unknown keys too, and calls that arrive together share one statement. `now` measures their age in milliseconds.
 */
export function createKeyVerifier(
  ctx: Pick<Context, 'db' | 'clock'>,
  now: () => number = () => performance.now(),
): VerifyApiKey {
  const stored = new DataLoader<string, KeyHolder | null>(
    (hashes) =>
      findKeyHolders(
        ctx.db,
        hashes.map((hash) => Buffer.from(hash, 'base64')),
      ),
    { cache: false, maxBatchSize: MAX_KEYS_PER_STATEMENT, batchScheduleFn: setImmediate },
  )
  const holders = new LRUCache<string, { holder: KeyHolder | null }>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (hash) => ({ holder: await stored.load(hash) }),
  })
  const findCached = async (hash: string): Promise<KeyHolder | null> => {
    // `fetch` costs several times as much as `get`, even for what is cached.
    const found = holders.get(hash) ?? (await holders.fetch(hash))
    return found?.holder ?? null
  }
  return async (key, { isFresh = false } = {}) => {
    if (!isApiKey(key)) throw refuse()
    const hash = hashApiKey(key).toString('base64')
    const holder = await (isFresh ? stored.load(hash) : findCached(hash))
    if (!holder || (holder.expiresAt && holder.expiresAt <= ctx.clock())) throw refuse()
    return { userId: holder.userId, apiKeyId: holder.apiKeyId, plan: holder.plan, scopes: holder.scopes }
  }
}
