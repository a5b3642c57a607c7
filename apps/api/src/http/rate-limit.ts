import type { ServerResponse } from 'node:http'
import { type Plan, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin } from '@subtext/core/context'
import type { RequestWindow } from '@subtext/queue'
import { clientNetwork } from '@subtext/runtime'

/** Requests per hour: of a key or person by plan, of an admin key, and of an address without a valid key or session. */
export type RequestLimitSettings = Record<Plan | 'admin' | 'address', number>

/** Returns the key of the window in which a request is counted, and that window's limit. */
export function windowOf(
  limits: RequestLimitSettings,
  actor: Actor | undefined,
  client: { readonly ip?: string | undefined },
): { key: string; limit: number } {
  return actor
    ? {
        // Sessions and connected applications of a person share one window.
        key: actor.apiKeyId === null ? `user:${actor.userId}` : `key:${actor.apiKeyId}`,
        limit: isAdmin(actor) ? limits.admin : limits[actor.plan],
      }
    : { key: `address:${clientNetwork(client.ip ?? '')}`, limit: limits.address }
}

const unixSeconds = (time: Date): number => Math.ceil(time.getTime() / 1_000)

export const windowHeaders = ({ limit, used, remaining, resetAt }: RequestWindow): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Used': String(used),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(unixSeconds(resetAt)),
})

export const setWindowHeaders = (response: ServerResponse, window: RequestWindow): void => {
  for (const [name, value] of Object.entries(windowHeaders(window))) response.setHeader(name, value)
}

export const rateLimited = ({ limit, used, resetAt }: RequestWindow): ServiceError =>
  new ServiceError('RATE_LIMITED', {
    details: { limit, used, reset_at: resetAt.toISOString() },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1_000)),
  })

const MAX_EXHAUSTED = 10_000

export interface ExhaustedWindows {
  add(key: string, window: RequestWindow): void
  /** Returns the window of this key if it is known to be used up and has not ended. */
  find(key: string): RequestWindow | undefined
}

/** Remembers which windows are used up, so that further requests of a flood are refused without asking Redis. */
export function createExhaustedWindows(clock: () => Date): ExhaustedWindows {
  const windows = new Map<string, RequestWindow>()
  return {
    add(key, window) {
      // Those that are dropped are found again with their next request.
      if (windows.size >= MAX_EXHAUSTED) windows.clear()
      windows.set(key, window)
    },
    find(key) {
      const window = windows.get(key)
      if (!window || window.resetAt > clock()) return window
      windows.delete(key)
      return undefined
    },
  }
}
