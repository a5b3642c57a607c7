import { getSubtitles } from 'youtube-caption-extractor'
import { YoutubeTranscript } from 'youtube-transcript'

/** Texts of the cues that a library has extracted. */
type Extract = (videoId: string) => Promise<string[]>

/** Other libraries that extract captions, which ask the platform through the global `fetch`. */
export const PEERS: Record<string, Extract> = {
  'youtube-transcript': async (videoId) => (await YoutubeTranscript.fetchTranscript(videoId)).map(({ text }) => text),
  'caption-extractor': async (videoId) =>
    (await getSubtitles({ videoID: videoId, lang: 'en' })).map(({ text }) => text),
}

/** Runs `work` while the global `fetch` asks the fake platform at `origin`, whichever host is named. */
export async function withPlatform<T>(origin: string, work: () => Promise<T>): Promise<T> {
  const original = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input)
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-host', asked.host)
    return original(new URL(asked.pathname + asked.search, origin), { ...init, headers })
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = original
  }
}
