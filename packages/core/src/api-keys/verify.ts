import { includesFeature, PLAN_NAMES, PLANS, ServiceError } from '@subtext/contracts'
import { isApiKey } from '@subtext/runtime'
import { LRUCache } from 'lru-cache'
import type { Actor, Context } from '../context.ts'
import { refuseSuspended } from '../operations/suspended.ts'
import { assertKeysIncluded } from '../plans/gates.ts'
import { hashApiKey } from './create.ts'
import { findKeyHolders, type KeyHolder, listInvalidKeys } from './keys-sql.ts'

/** A revoked key must be refused everywhere within a second. This leaves half a second for everything else. */
const CACHE_MS = 500
const CACHE_SIZE = 10_000
const MAX_KEYS_PER_STATEMENT = 500

/** Returns the refusal of a key: the same for every one, so that callers learn nothing about keys of others. */
export const refuseKey = (): ServiceError =>
  new ServiceError('UNAUTHORIZED', {
    message: 'The API key is not valid: it is unknown, disabled, revoked or expired. Check it, or create a new one.',
  })

export type VerifyApiKey = (key: string) => Promise<Actor>

/**
 * Creates the function that returns the holder of a key. It throws the same `UNAUTHORIZED` for a malformed, unknown,
 * expired, disabled or revoked key, or one of a deleted account, so that callers cannot tell them apart. Results are cached for
 * half a second, for unknown keys too. `now` measures their age in milliseconds. Throws `PLAN_UPGRADE_REQUIRED` for a key that the
 * person has made, as long as the plan includes no keys; those of operators work in every plan. The holder of a key of a suspended
 * account is told so.
 */
export function createKeyVerifier(
  ctx: Pick<Context, 'db' | 'clock'>,
  now: () => number = () => performance.now(),
): VerifyApiKey {
  const holders = new LRUCache<string, { holder: KeyHolder | null }>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (hash) => ({ holder: (await findKeyHolders(ctx.db, [hash]))[0] ?? null }),
  })
  const findCached = async (hash: string): Promise<KeyHolder | null> => {
    // `fetch` costs several times as much as `get`, even for what is cached.
    const found = holders.get(hash) ?? (await holders.fetch(hash))
    return found?.holder ?? null
  }
  return async (key) => {
    if (!isApiKey(key)) throw refuseKey()
    const holder = await findCached(hashApiKey(key).toString('hex'))
    if (!holder || (holder.expiresAt && holder.expiresAt <= ctx.clock())) throw refuseKey()
    if (holder.suspended) throw refuseSuspended()
    const { userId, apiKeyId, plan, ownQuota, scopes, byOperator } = holder
    const actor = { userId, apiKeyId, plan, ownQuota, scopes }
    if (!byOperator) assertKeysIncluded(actor)
    return actor
  }
}

const PLANS_WITH_KEYS = PLAN_NAMES.filter((plan) => includesFeature('api_keys')(PLANS[plan]))

/** Returns those of the keys with these IDs that are not valid any more, or that the plan does not include any more. Caches nothing. */
export async function findInvalidKeys(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  apiKeyIds: readonly string[],
): Promise<string[]> {
  const invalid: string[] = []
  for (let at = 0; at < apiKeyIds.length; at += MAX_KEYS_PER_STATEMENT) {
    const ids = apiKeyIds.slice(at, at + MAX_KEYS_PER_STATEMENT)
    invalid.push(...(await listInvalidKeys(db, ids, { now: clock(), plans: PLANS_WITH_KEYS })))
  }
  return invalid
}
