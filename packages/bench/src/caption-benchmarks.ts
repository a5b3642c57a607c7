import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanCues, parseTimedText } from '@subtext/captions'
import { longVideo } from '@subtext/fakes'
import { createPlatformClient, renderTrack, type TimedtextFormat, tracksOf } from '@subtext/fakes/testing'
import { createYoutubeSource } from '@subtext/youtube'
import { startChild } from './child-process.ts'
import { compareCpu, formatLength, formatMillis, formatRatio, repeated } from './compare-cpu.ts'

const HOURS = [1 / 6, 1, 10]
const FORMATS: TimedtextFormat[] = ['json3', 'srv3', 'srv1', 'vtt']
const FORMAT_HOURS = 10

async function measureExtraction(origin: string, index: number): Promise<string> {
  const videoId = `sbtx-bench${index}`
  const hours = HOURS[index] ?? 0
  const times = hours >= 10 ? 1 : hours >= 1 ? 4 : 20
  const source = createYoutubeSource({ origin, proxyUrls: [] })
  const client = createPlatformClient({ origin })
  const session = await client.createSession()
  const player = await client.play(videoId, 'ANDROID', session)
  const captions = await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text()
  const answer = JSON.stringify(player)
  const cpu = await compareCpu({
    ours: repeated(times, async () => {
      const video = await source.fetchVideo(videoId, { useProxy: null, signal: new AbortController().signal })
      const [track] = video.tracks
      if (track) await video.fetchTranscript(track)
    }),
    json: repeated(times, () => {
      JSON.parse(answer)
      JSON.parse(captions)
    }),
    raw: repeated(times, () => client.play(videoId, 'ANDROID', session)),
    fetched: repeated(times, async () => {
      await client.play(videoId, 'ANDROID', session)
      JSON.parse(await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text())
    }),
  })
  const cells = [cpu.ours, cpu.json, cpu.raw, cpu.fetched].map((value) => formatMillis(value / times).padStart(12))
  const ratios = [cpu.json, cpu.raw, cpu.fetched].map((value) => formatRatio(cpu.ours / value).padStart(10))
  const size = `${(captions.length / 1e6).toFixed(2)} MB`.padStart(10)
  return `${formatLength(hours)}${size}${cells.join('')}${ratios.join('')}`
}

async function measureFormat(format: TimedtextFormat): Promise<string> {
  const video = longVideo({ id: 'sbtx-formats', hours: FORMAT_HOURS })
  const [track] = video.tracks
  if (!track) throw new Error('The sample video has no track.')
  const { body } = renderTrack(track, format, video.lengthSeconds)
  const megabytes = Buffer.byteLength(body) / 1e6
  const works: Record<'parse' | 'whole' | 'json', () => unknown> = {
    parse: () => parseTimedText(body),
    whole: () => cleanCues(parseTimedText(body), 'auto'),
    json: () => (format === 'json3' ? JSON.parse(body) : null),
  }
  const cpu = await compareCpu(works)
  const speed = (value: number): string => `${(megabytes / (value / 1_000)).toFixed(0)} MB/s`.padStart(14)
  const baseline = format === 'json3' ? `   (JSON.parse alone: ${speed(cpu.json).trim()})` : ''
  return `${format.padEnd(12)}${`${megabytes.toFixed(1)} MB`.padStart(10)}${speed(cpu.parse)}${speed(cpu.whole)}${baseline}`
}

const EXTRACTION_HEAD = `CPU per video for extracting captions  (ours: player, confirmation, json3, cleaning)
${'length'.padEnd(12)}${'json3'.padStart(10)}${['ours', 'JSON.parse', 'raw player', 'raw + json3'].map((name) => name.padStart(12)).join('')}${['/parse', '/player', '/both'].map((name) => name.padStart(10)).join('')}`
const FORMAT_HEAD = `Parsers, ${FORMAT_HOURS} hours of auto-generated captions
${'format'.padEnd(12)}${'size'.padStart(10)}${'parse'.padStart(14)}${'parse + clean'.padStart(14)}`

/**
 * Measures the CPU time of extraction without servers and databases, compared with parsing the same bytes as JSON, with one
 * raw call of the client library, and with this call plus fetching and parsing the captions.
 */
export async function measureCaptions(say: (text: string) => void): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'subtext-bench-'))
  const child = startChild(new URL('./platform-process.ts', import.meta.url), join(directory, 'platform.log'))
  try {
    const origin = await child.call<string>('start', HOURS)
    const lines: string[] = []
    for (const index of HOURS.keys()) {
      say(`captions: extraction ${index + 1} of ${HOURS.length}`)
      lines.push(await measureExtraction(origin, index))
    }
    const speeds: string[] = []
    for (const format of FORMATS) {
      say(`captions: ${format}`)
      speeds.push(await measureFormat(format))
    }
    return [EXTRACTION_HEAD, ...lines, '', FORMAT_HEAD, ...speeds].join('\n')
  } finally {
    await child.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
