import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { escapeMarkup } from '@subtext/render'

/** An episode in the feed of a test. */
export interface TestEpisode {
  title: string
  hasTranscript: boolean
  published?: Date
}

const TRANSCRIPT = `WEBVTT

00:00.000 --> 00:04.000
The river is long.

00:05.000 --> 00:09.000
The bridge is old.
`

/** Serves a podcast whose newest episode is the first, with the transcripts of those that have one. */
export async function startPodcast(episodes: TestEpisode[]) {
  const item = ({ title, hasTranscript, published = new Date() }: TestEpisode): string => `<item>
    <title>${escapeMarkup(title)}</title><guid isPermaLink="false">${escapeMarkup(title)}</guid>
    <pubDate>${published.toUTCString()}</pubDate>
    <enclosure url="${enclosureOf(title)}" type="audio/mpeg" length="1"/>
    ${hasTranscript ? `<podcast:transcript url="${origin}/transcript.vtt?${encodeURIComponent(title)}" type="text/vtt"/>` : ''}
  </item>`
  const feed = (): string => `<?xml version="1.0"?>
<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>A podcast</title><language>en</language>
${episodes.map(item).join('\n')}
</channel></rss>`
  const server = createServer(({ url }, response) => {
    response.end(url?.startsWith('/transcript') ? TRANSCRIPT : feed())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const enclosureOf = (title: string): string => `https://media.example.org/${encodeURIComponent(title)}.mp3`
  return {
    url: `${origin}/feed.xml`,
    enclosureOf,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
