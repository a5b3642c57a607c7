import { getSubtitles } from 'youtube-caption-extractor'
import { YoutubeTranscript } from 'youtube-transcript'

/** Returns texts of the cues that a library has extracted. */
type Extract = (videoId: string, options: { fetch: typeof fetch }) => Promise<string[]>

/** Other libraries that extract captions. */
export const PEERS: Record<string, Extract> = {
  'youtube-transcript': async (videoId, options) =>
    (await YoutubeTranscript.fetchTranscript(videoId, options)).map(({ text }) => text),
  'caption-extractor': async (videoID, { fetch }) =>
    (await getSubtitles({ videoID, lang: 'en', fetch })).map(({ text }) => text),
}

/** Returns a `fetch` that asks the fake platform at `origin`, whichever host is named. */
export const fetchFrom =
  (origin: string): typeof fetch =>
  (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input)
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-host', asked.host)
    return fetch(new URL(asked.pathname + asked.search, origin), { ...init, headers })
  }
