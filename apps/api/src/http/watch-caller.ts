import { ServiceError } from '@subtext/contracts'
import { findInvalidKeys, refuseKey } from '@subtext/core/api-keys'
import type { Request } from 'express'
import type { ApiContext } from '../context.ts'
import { confirmCaller } from './identify.ts'
import { createTurns } from './turns.ts'

/** A revocation takes effect within a second. The turns let other requests in between. */
const CHECKS = { everyMs: 900, count: 3 }

type Refuse = (refusal: ServiceError) => void

export interface WatchedCaller extends Pick<Request, 'headers' | 'headersDistinct'> {
  /** Null for a token or a session. */
  apiKeyId: string | null
}

/** The requests in progress that share a key, token or session. */
interface Watched extends WatchedCaller {
  refusals: Set<Refuse>
}

type Watch = (caller: WatchedCaller, refuse: Refuse) => () => void

const watches = new WeakMap<ApiContext, Watch>()

/**
 * Calls `refuse` when the key, token or session of a request stops being valid. Requests with the same one share its check, and
 * keys share a statement. Returns a function that ends it.
 */
export function watchCaller(ctx: ApiContext, caller: WatchedCaller, refuse: Refuse): () => void {
  const watch = watches.get(ctx) ?? createWatch(ctx)
  watches.set(ctx, watch)
  return watch(caller, refuse)
}

/** Exported for tests only. */
export function createWatch(
  ctx: ApiContext,
  findInvalid: (apiKeyIds: readonly string[]) => Promise<string[]> = (ids) => findInvalidKeys(ctx, ids),
): Watch {
  const callers = new Map<string, Watched>()

  const refuseAll = (caller: Watched | undefined, refusal: ServiceError): void => {
    for (const refuse of caller?.refusals ?? []) refuse(refusal)
  }
  // Any other error than a refusal, such as an unavailable database, says nothing about the callers.
  const check = (caller: Watched): Promise<void> =>
    confirmCaller(ctx, caller).catch((error: unknown) => {
      if (error instanceof ServiceError) refuseAll(caller, error)
    })
  const checkKeys = async (apiKeyIds: string[]): Promise<void> => {
    for (const apiKeyId of await findInvalid(apiKeyIds).catch(() => [])) refuseAll(callers.get(apiKeyId), refuseKey())
  }
  const turns = createTurns<Watched>(CHECKS, (due) => {
    const apiKeyIds: string[] = []
    for (const caller of due) {
      if (caller.apiKeyId !== null) apiKeyIds.push(caller.apiKeyId)
      else void check(caller)
    }
    if (apiKeyIds.length > 0) void checkKeys(apiKeyIds)
  })

  return (caller, refuse) => {
    const name = caller.apiKeyId ?? JSON.stringify([caller.headers.authorization, caller.headers.cookie])
    const watched = callers.get(name) ?? { ...caller, refusals: new Set() }
    if (watched.refusals.size === 0) {
      callers.set(name, watched)
      turns.add(watched)
    }
    watched.refusals.add(refuse)
    return () => {
      if (!watched.refusals.delete(refuse) || watched.refusals.size > 0) return
      callers.delete(name)
      turns.delete(watched)
    }
  }
}
