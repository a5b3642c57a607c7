import type { Subtext } from '@subtext/sdk'

/** A passage of a video, in the shape of LangChain's `Document`. */
export interface Passage {
  pageContent: string
  metadata: {
    /** Leads to the moment at which the passage begins. */
    source: string
    title: string
    channel: string
    language: string
    /** Seconds from the start of the video. */
    start: number
    end: number
  }
}

export interface LoadOptions {
  /** Approximate length of a passage in characters. Default: 1,000. */
  length?: number
}

/**
 * Yields the transcript of a video as passages for a retrieval index. A passage begins and ends with a line of the captions, so
 * that its times are exact.
 */
export async function* loadPassages(
  subtext: Subtext,
  url: string,
  { length = 1_000 }: LoadOptions = {},
): AsyncGenerator<Passage> {
  const result = await subtext.videos.process({ url, options: { summary_modes: [] } }, { format: 'json' })
  const { video_info: video, transcript } = result
  let lines: typeof transcript.segments = []
  const build = (): Passage => {
    const [first] = lines
    const last = lines.at(-1)
    const start = first?.start ?? 0
    const source = new URL(video.url)
    source.searchParams.set('t', `${Math.floor(start)}s`)
    return {
      pageContent: lines.map(({ text }) => text).join(' '),
      metadata: {
        source: source.href,
        title: video.title,
        channel: video.channel.name,
        language: transcript.language,
        start,
        end: last ? last.start + last.duration : start,
      },
    }
  }
  for (const segment of transcript.segments) {
    lines.push(segment)
    if (lines.reduce((sum, { text }) => sum + text.length, 0) < length) continue
    yield build()
    lines = []
  }
  if (lines.length > 0) yield build()
}
