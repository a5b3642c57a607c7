import { withTimeout } from '@subtext/runtime'
import { dispatchRequest, type PlatformFetch } from './session/dispatch-request.ts'
import { reportRequest } from './session/observe-requests.ts'
import { buildTarget } from './session/platform-address.ts'
import type { PlatformDestination } from './session/transport.ts'

/** Returns the thumbnail of a video, or null if it is not available soon. Never rejects. */
export type FetchThumbnail = (videoId: string, signal: AbortSignal) => Promise<Uint8Array | null>

const IMAGE_HOST = 'i.ytimg.com'
const TIMEOUT_MS = 1_500
const MAX_BYTES = 512 * 1024
/** Every video has this size. */
const NAME = 'hqdefault'

/**
 * Creates a function that asks the image host directly: the host blocks nobody, and a thumbnail is not worth a proxy. It
 * follows no redirects.
 */
export function createThumbnailFetcher({
  origin,
  fetch: send = dispatchRequest,
  timeoutMs = TIMEOUT_MS,
}: PlatformDestination & { timeoutMs?: number } = {}): FetchThumbnail {
  return async (videoId, signal) => {
    const url = new URL(`https://${IMAGE_HOST}/vi/${encodeURIComponent(videoId)}/${NAME}.jpg`)
    try {
      return await withTimeout(timeoutMs, signal, async (limit) => {
        reportRequest()
        const { status, headers, body } = await send(origin === undefined ? url : buildTarget(url, origin), {
          method: 'GET',
          headers: origin === undefined ? [] : [['x-forwarded-host', IMAGE_HOST]],
          body: undefined,
          dispatcher: undefined,
          redirect: 'manual',
          signal: limit,
          maxBytes: MAX_BYTES,
        })
        const type = new Map(headers).get('content-type') ?? ''
        return status === 200 && type.startsWith('image/') ? await readAll(body) : null
      })
    } catch {
      return null
    }
  }
}

async function readAll(body: Awaited<ReturnType<PlatformFetch>>['body']): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return bytes === 0 ? null : Buffer.concat(chunks)
}
