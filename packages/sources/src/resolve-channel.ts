import type { PlatformAnswer } from '@subtext/youtube'
import { SourceGoneError } from './listing.ts'
import { readForwardedUrl, readResolvedChannel } from './pages/read-resolved.ts'

export type Resolve = (url: string) => Promise<PlatformAnswer>

const PLATFORM = 'https://www.youtube.com/'
const MAX_HOPS = 2

/**
 * Returns the ID of the channel with a name such as `@handle`, `c/Name` or `user/Name`. Throws `SourceGoneError` if there is
 * none, and what `resolve` throws.
 */
export async function resolveChannel(name: string, resolve: Resolve): Promise<string> {
  let url = PLATFORM + name.split('/').map(encodeURIComponent).join('/').replace(/^%40/, '@')
  for (let hops = 0; hops <= MAX_HOPS; hops++) {
    const { body } = await resolve(url)
    const channelId = readResolvedChannel(body)
    if (channelId !== null) return channelId
    const forwarded = readForwardedUrl(body)
    if (forwarded === null || !forwarded.startsWith(PLATFORM)) break
    url = forwarded
  }
  throw new SourceGoneError('not_found')
}
