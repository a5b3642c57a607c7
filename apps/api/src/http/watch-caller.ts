import { ServiceError } from '@subtext/contracts'
import type { Request } from 'express'
import type { ApiContext } from '../context.ts'
import { confirmCaller } from './identify.ts'

/** A revocation takes effect within a second. */
const CHECK_EVERY_MS = 900
/** The callers are checked in turns, so that other requests need not wait until all of them are. */
const TURNS = 3

type Refuse = (refusal: ServiceError) => void

/** The requests in progress that share a key, token or session. */
interface Watched extends Pick<Request, 'headers' | 'headersDistinct'> {
  turn: number
  refusals: Set<Refuse>
}

const watches = new WeakMap<ApiContext, ReturnType<typeof createWatch>>()

/**
 * Calls `refuse` when the key, token or session of a request stops being valid. Requests with the same credential share one
 * check. Returns a function that ends it.
 */
export function watchCaller(ctx: ApiContext, request: Request, refuse: Refuse): () => void {
  const watch = watches.get(ctx) ?? createWatch(ctx)
  watches.set(ctx, watch)
  return watch(request, refuse)
}

function createWatch(ctx: ApiContext) {
  const callers = new Map<string, Watched>()
  let timer: NodeJS.Timeout | undefined
  let turn = 0

  const check = (caller: Watched): Promise<void> =>
    confirmCaller(ctx, caller).catch((error: unknown) => {
      // Any other error, such as an unavailable database, says nothing about the caller.
      if (error instanceof ServiceError) for (const refuse of caller.refusals) refuse(error)
    })
  const checkNext = (): void => {
    turn = (turn + 1) % TURNS
    for (const caller of callers.values()) if (caller.turn === turn) void check(caller)
  }

  return ({ headers, headersDistinct }: Request, refuse: Refuse): (() => void) => {
    const name = JSON.stringify([headers.authorization, headers['x-api-key'], headers.cookie])
    const caller = callers.get(name) ?? { headers, headersDistinct, turn: callers.size % TURNS, refusals: new Set() }
    callers.set(name, caller)
    caller.refusals.add(refuse)
    timer ??= setInterval(checkNext, CHECK_EVERY_MS / TURNS)
    return () => {
      caller.refusals.delete(refuse)
      if (caller.refusals.size === 0) callers.delete(name)
      if (callers.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
