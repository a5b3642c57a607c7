import { withTimeLimit } from '@subtext/runtime'
import { fetch } from 'undici'
import { z } from 'zod'
import { type Refusal, UpstreamRefusal } from './refusal.ts'

/** Makes the tokens by which the platform's web player proves that it is one. */
export interface TokenProvider {
  /** A token bound to the video. Throws `UpstreamRefusal`. */
  fetchToken(videoId: string, signal: AbortSignal): Promise<string>
}

const TIMEOUT_MS = 15_000
const LONGEST_ANSWER = 64 * 1024
const noToken: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', why: 'no_token' }

const Answer = z
  .object({ poToken: z.string().optional(), po_token: z.string().optional() })
  .transform(({ poToken, po_token }) => poToken ?? po_token)
  .pipe(z.string().regex(/^[\w+/=%-]{1,4096}$/))

const askForToken = async (origin: string, videoId: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(new URL('/get_pot', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content_binding: videoId }),
    redirect: 'error',
    signal,
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > LONGEST_ANSWER) break
  }
  return text
}

/**
 * Asks a service that speaks as the widespread `bgutil-ytdlp-pot-provider` does (`POST /get_pot` with `content_binding`);
 * see https://github.com/Brainicism/bgutil-ytdlp-pot-provider/tree/master/server.
 */
export const createHttpTokenProvider = (origin: string): TokenProvider => ({
  async fetchToken(videoId, signal) {
    try {
      const text = await withTimeLimit(TIMEOUT_MS, signal, (limited) => askForToken(origin, videoId, limited))
      return Answer.parse(JSON.parse(text))
    } catch (error) {
      signal.throwIfAborted()
      throw new UpstreamRefusal(noToken, error)
    }
  },
})
