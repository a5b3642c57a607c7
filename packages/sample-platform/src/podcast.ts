import type { SampleCue, SampleVideo } from './sample-video.ts'
import { SAMPLE_TALKS } from './samples.ts'
import { buildSilence } from './silence.ts'
import { buildManualVtt } from './timedtext/vtt.ts'

/** A file of the sample podcast. */
export interface SampleFile {
  contentType: string
  body: string | Buffer
}

/** Where every installation with samples serves the feed. What it names is below the folder of the same name. */
const FEED = '/samples/podcast.xml'
const FOLDER = '/samples/podcast/'

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')
const formatSrtTime = (ms: number): string =>
  `${pad(Math.floor(ms / 3_600_000))}:${pad(Math.floor(ms / 60_000) % 60)}:${pad(Math.floor(ms / 1_000) % 60)},${pad(ms % 1_000, 3)}`
const formatShownTime = (ms: number): string => `${Math.floor(ms / 60_000)}:${pad(Math.floor(ms / 1_000) % 60)}`

const buildSrt = (cues: readonly SampleCue[]): string =>
  cues
    .map(
      ({ startMs, durationMs, text }, index) =>
        `${index + 1}\n${formatSrtTime(startMs)} --> ${formatSrtTime(startMs + durationMs)}\n${text}\n`,
    )
    .join('\n')

const buildJson = (cues: readonly SampleCue[], speaker: string): string =>
  JSON.stringify({
    version: '1.0.0',
    segments: cues.map(({ startMs, durationMs, text }) => ({
      speaker,
      startTime: startMs / 1_000,
      endTime: (startMs + durationMs) / 1_000,
      body: text,
    })),
  })

const buildHtml = (cues: readonly SampleCue[], speaker: string): string =>
  cues
    .map(
      ({ startMs, text }) =>
        `<cite>${escapeXml(speaker)}:</cite>\n<time>${formatShownTime(startMs)}</time>\n<p>${escapeXml(text)}</p>`,
    )
    .join('\n')

const FORMATS = {
  vtt: {
    contentType: 'text/vtt',
    build: (cues: readonly SampleCue[], talk: SampleVideo) => buildManualVtt(cues, talk.language),
  },
  srt: { contentType: 'application/x-subrip', build: buildSrt },
  json: {
    contentType: 'application/json',
    build: (cues: readonly SampleCue[], talk: SampleVideo) => buildJson(cues, talk.author),
  },
  html: {
    contentType: 'text/html',
    build: (cues: readonly SampleCue[], talk: SampleVideo) => buildHtml(cues, talk.author),
  },
} as const
type Format = keyof typeof FORMATS

/** The episodes, the newest first, with the formats of their transcripts: every format once, several together, and none. */
const EPISODES: { talk: SampleVideo; formats: readonly Format[] }[] = [
  { talk: SAMPLE_TALKS.english, formats: ['html', 'json', 'srt', 'vtt'] },
  { talk: SAMPLE_TALKS.german, formats: ['srt'] },
  { talk: SAMPLE_TALKS.french, formats: ['json'] },
  { talk: SAMPLE_TALKS.spanish, formats: ['html'] },
  { talk: SAMPLE_TALKS.portuguese, formats: [] },
]
const SOUND = 'mp3'
const SOUND_TYPE = 'audio/mpeg'
const soundOf = ({ lengthSeconds }: SampleVideo): Buffer => buildSilence(lengthSeconds)

const FIRST_DAY = Date.UTC(2026, 5, 1, 8)
const DAY_MS = 86_400_000

function buildItem({ talk, formats }: (typeof EPISODES)[number], index: number): string {
  const transcripts = formats.map(
    (format) =>
      `<podcast:transcript url="podcast/${talk.id}.${format}" type="${FORMATS[format].contentType}" language="${talk.language}"/>`,
  )
  return `<item>
<title>${escapeXml(talk.title)}</title>
<description>${escapeXml(talk.description)}</description>
<guid isPermaLink="false">${talk.id}</guid>
<pubDate>${new Date(FIRST_DAY - index * 7 * DAY_MS).toUTCString()}</pubDate>
<itunes:duration>${talk.lengthSeconds}</itunes:duration>
<enclosure url="podcast/${talk.id}.${SOUND}" type="${SOUND_TYPE}" length="${soundOf(talk).length}"/>
${transcripts.join('\n')}
</item>`
}

const buildFeed = (): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
<title>Sample podcast</title>
<description>Talks for trying out podcasts, without a network.</description>
<link>podcast.xml</link>
<language>en</language>
${EPISODES.map(buildItem).join('\n')}
</channel>
</rss>
`

/** Returns a file of the sample podcast by its path, or null if there is none. Its sound is silence. */
export function readSamplePodcast(path: string): SampleFile | null {
  if (path === FEED) return { contentType: 'application/rss+xml', body: buildFeed() }
  if (!path.startsWith(FOLDER)) return null
  const [, id, ending] = /^([\w-]+)\.(\w+)$/.exec(path.slice(FOLDER.length)) ?? []
  const episode = EPISODES.find(({ talk }) => talk.id === id)
  if (episode && ending === SOUND) return { contentType: SOUND_TYPE, body: soundOf(episode.talk) }
  if (!episode?.formats.some((format) => format === ending)) return null
  const { contentType, build } = FORMATS[ending as Format]
  return { contentType, body: build(episode.talk.tracks[0]?.cues() ?? [], episode.talk) }
}
