import { withTimeout } from '@subtext/runtime'
import { fetch } from 'undici'
import { z } from 'zod'
import { type Refusal, UpstreamRefusal } from './refusals/refusal.ts'

/** Provides the tokens with which the platform's web player proves that it is genuine. */
export interface TokenProvider {
  /** Fetches a token that is bound to the video. Throws `UpstreamRefusal`. */
  fetchToken(videoId: string, signal: AbortSignal): Promise<string>
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_CHARS = 64 * 1024
const noToken: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause: 'no_token' }

const TokenResponse = z
  .object({ poToken: z.string().optional(), po_token: z.string().optional() })
  .transform(({ poToken, po_token }) => poToken ?? po_token)
  .pipe(z.string().regex(/^[\w+/=%-]{1,4096}$/))

const requestToken = async (origin: string, videoId: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(new URL('/get_pot', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content_binding: videoId }),
    // A redirect has no token. Under `error`, Node 20 may forget the signal: see `watchStreams` of @subtext/llm.
    redirect: 'manual',
    signal,
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > MAX_RESPONSE_CHARS) break
  }
  return text
}

/**
 * Creates a provider that asks a service with the protocol of `bgutil-ytdlp-pot-provider` (`POST /get_pot` with
 * `content_binding`); see https://github.com/Brainicism/bgutil-ytdlp-pot-provider/tree/master/server.
 */
export const createHttpTokenProvider = (origin: string): TokenProvider => ({
  async fetchToken(videoId, signal) {
    try {
      const text = await withTimeout(TIMEOUT_MS, signal, (limited) => requestToken(origin, videoId, limited))
      return TokenResponse.parse(JSON.parse(text))
    } catch (error) {
      signal.throwIfAborted()
      throw new UpstreamRefusal(noToken, error)
    }
  },
})
