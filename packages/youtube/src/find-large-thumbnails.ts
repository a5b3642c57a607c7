import type { PlatformFetch } from './session/dispatch-request.ts'
import { buildTarget } from './session/platform-address.ts'
import type { PlatformDestination } from './session/transport.ts'

/** Whether the two large thumbnails of a video exist. */
export interface LargeThumbnails {
  standard: boolean
  maxres: boolean
}

/** Returns which large thumbnails a video has; null if that cannot be found out quickly. Never rejects. */
export type FindLargeThumbnails = (videoId: string) => Promise<LargeThumbnails | null>

interface FinderOptions extends PlatformDestination {
  /** Timeout of a request to the image host. */
  timeoutMs?: number
  /** How long the image host is left alone after it has failed to reply. */
  restMs?: number
  /** Maximum number of videos about which the image host is asked at the same time. */
  maxConcurrent?: number
}

/** A `fetch` like that of Node.js, which is loaded only when it is used. */
const fetchFromHost: PlatformFetch = (url, { method, headers, redirect, signal }) =>
  globalThis.fetch(url, { method, headers, redirect, signal })

const IMAGE_HOST = 'i.ytimg.com'
const TIMEOUT_MS = 1_500
const REST_MS = 60_000
const MAX_CONCURRENT = 16

/**
 * Creates the function that asks the image host. Requests for the same video share their reply. While the host is busy or has
 * just failed, it is not asked, so that nobody waits for a reply that is unlikely to come.
 */
export function createLargeThumbnailFinder({
  origin,
  fetch = fetchFromHost,
  timeoutMs = TIMEOUT_MS,
  restMs = REST_MS,
  maxConcurrent = MAX_CONCURRENT,
}: FinderOptions): FindLargeThumbnails {
  const pending = new Map<string, Promise<LargeThumbnails | null>>()
  let restsUntil = 0

  const exists = async (videoId: string, file: string): Promise<boolean> => {
    const url = new URL(`https://${IMAGE_HOST}/vi/${videoId}/${file}.jpg`)
    const { status, headers } = await fetch(origin === undefined ? url : buildTarget(url, origin), {
      method: 'HEAD',
      headers: origin === undefined ? [] : [['x-forwarded-host', IMAGE_HOST]],
      body: undefined,
      dispatcher: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      maxBytes: 0,
    })
    const type = new Map(headers).get('content-type') ?? ''
    if (status === 200 && type.startsWith('image/')) return true
    if (status === 404) return false
    throw new Error(`Unexpected response of the image host: ${status} ${type.slice(0, 100)}`)
  }

  const ask = async (videoId: string): Promise<LargeThumbnails | null> => {
    try {
      const [standard, maxres] = await Promise.all([exists(videoId, 'sddefault'), exists(videoId, 'maxresdefault')])
      return { standard, maxres }
    } catch {
      restsUntil = performance.now() + restMs
      return null
    } finally {
      pending.delete(videoId)
    }
  }

  return async (videoId) => {
    const known = pending.get(videoId)
    if (known) return known
    if (pending.size >= maxConcurrent || performance.now() < restsUntil) return null
    const asked = ask(videoId)
    pending.set(videoId, asked)
    return asked
  }
}
