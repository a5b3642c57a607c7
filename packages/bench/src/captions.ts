import { join } from 'node:path'
import { cleanCues, parseTimedText } from '@subtext/captions'
import { longVideo } from '@subtext/fakes'
import { createPlatformClient, renderTrack, type TimedtextFormat, tracksOf } from '@subtext/fakes/testing'
import { at } from '@subtext/runtime'
import { openFolder } from '@subtext/testbed'
import { createYoutubeSource } from '@subtext/youtube'
import { startChild } from './child-process.ts'
import { compareCpu, formatLength, formatMillis, formatRange, formatRatio, repeated } from './compare-cpu.ts'
import { fetchFrom, PEERS } from './extraction-peers.ts'
import type { Part } from './part.ts'

const HOURS = [1 / 6, 1, 10]
const FORMATS: TimedtextFormat[] = ['json3', 'srv3', 'srv1', 'vtt']
const FORMAT_HOURS = 10

type Extraction = 'ours' | 'youtubei.js' | keyof typeof PEERS

/** Of the characters that ours extracts. Others repeat what rolling captions repeat, so they may find more. */
const MIN_SHARE = 0.9

async function measureExtraction(origin: string, index: number): Promise<string[]> {
  const videoId = `sbtx-bench${index}`
  const hours = HOURS[index] ?? 0
  const times = hours >= 10 ? 1 : hours >= 1 ? 3 : 10
  const source = createYoutubeSource({ origin, proxyUrls: [] })
  const client = createPlatformClient({ origin })
  const session = await client.createSession()
  const ours = async (): Promise<string[]> => {
    const video = await source.fetchVideo(videoId, { useProxy: null, signal: new AbortController().signal })
    const { cues } = await video.fetchTranscript(at(video.tracks, 0))
    return cues.map(({ text }) => text)
  }
  const youtubei = async (): Promise<string[]> => {
    const player = await client.play(videoId, 'ANDROID', session)
    const { events } = JSON.parse(await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text()) as Json3
    return events.map(({ segs = [] }) => segs.map(({ utf8 }) => utf8).join(''))
  }
  const works: Record<Extraction, () => Promise<string[]>> = { ours, 'youtubei.js': youtubei }
  for (const [name, extract] of Object.entries(PEERS))
    works[name] = () => extract(videoId, { fetch: fetchFrom(origin) })
  const lengthOf = (texts: string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
  const expected = lengthOf(await ours())
  for (const [name, work] of Object.entries(works)) {
    const length = lengthOf(await work())
    if (length < expected * MIN_SHARE) throw new Error(`${name} extracted ${length} characters instead of ${expected}.`)
  }
  const tasks = Object.entries(works).map(([name, work]) => [name, repeated(times, work)])
  const cpu = await compareCpu<Extraction>(Object.fromEntries(tasks))
  return Object.entries(cpu).map(([name, { times: spent, ratio }]) =>
    [
      (name === 'ours' ? formatLength(hours) : '').padEnd(12),
      name.padEnd(20),
      formatRange(spent, (value) => formatMillis(value / times)).padStart(34),
      (name === 'ours' ? '' : formatRange(ratio, formatRatio)).padStart(26),
    ].join(''),
  )
}

interface Json3 {
  events: { segs?: { utf8: string }[] }[]
}

async function measureFormat(format: TimedtextFormat): Promise<string> {
  const video = longVideo({ id: 'sbtx-formats', hours: FORMAT_HOURS })
  const [track] = video.tracks
  if (!track) throw new Error('The sample video has no track.')
  // As it comes from the network: a string that was put together from parts is slower to read.
  const body = Buffer.from(renderTrack(track, format, video.lengthSeconds).body).toString()
  const megabytes = Buffer.byteLength(body) / 1e6
  const works: Record<'parse' | 'whole' | 'json', () => unknown> = {
    parse: () => parseTimedText(body),
    whole: () => cleanCues(parseTimedText(body), 'auto'),
    json: () => (format === 'json3' ? JSON.parse(body) : null),
  }
  const { whole, parse, json } = await compareCpu({ whole: works.whole, parse: works.parse, json: works.json })
  const speed = (value: number): string => `${(megabytes / (value / 1_000)).toFixed(0)} MB/s`.padStart(14)
  const baseline =
    format === 'json3'
      ? `   JSON.parse alone: ${speed(json.times.median).trim()}; parse + clean takes ${formatRange(json.ratio, formatRatio)} its time`
      : ''
  return `${format.padEnd(12)}${`${megabytes.toFixed(1)} MB`.padStart(10)}${speed(parse.times.median)}${speed(whole.times.median)}${baseline}`
}

const EXTRACTION_HEAD = `CPU per video for extracting captions  (ours: player, confirmation, json3, cleaning)
${''.padEnd(32)}${'median [quartiles]'.padStart(34)}${'ours / library'.padStart(26)}`
const FORMAT_HEAD = `Parsers, ${FORMAT_HOURS} hours of auto-generated captions
${'format'.padEnd(12)}${'size'.padStart(10)}${'parse'.padStart(14)}${'parse + clean'.padStart(14)}`

/**
 * Measures the CPU time of extraction without servers and databases, compared with other libraries on the same fake
 * platform, and that of the parsers.
 */
export const measureCaptions: Part = async ({ say, undo }) => {
  const platform = startChild(
    new URL('./platform-process.ts', import.meta.url),
    join(await openFolder(undo), 'platform.log'),
  )
  undo.add(platform.stop)
  const origin = await platform.call<string>('start', HOURS)
  const lines: string[] = []
  for (const index of HOURS.keys()) {
    say(`captions: extraction ${index + 1} of ${HOURS.length}`)
    lines.push(...(await measureExtraction(origin, index)))
  }
  const speeds: string[] = []
  for (const format of FORMATS) {
    say(`captions: ${format}`)
    speeds.push(await measureFormat(format))
  }
  return [EXTRACTION_HEAD, ...lines, '', FORMAT_HEAD, ...speeds].join('\n')
}
