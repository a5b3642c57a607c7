import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanCues, parseTimedText } from '@subtext/captions'
import { longVideo } from '@subtext/fakes'
import { createPlatformClient, renderTrack, type TimedtextFormat, tracksOf } from '@subtext/fakes/testing'
import { createYoutubeSource } from '@subtext/youtube'
import { startChild } from './child-process.ts'
import { median } from './median.ts'

const ROUNDS = 7
const HOURS = [1 / 6, 1, 10]
const FORMATS: TimedtextFormat[] = ['json3', 'srv3', 'srv1', 'vtt']
const FORMAT_HOURS = 10

const cpuMillis = async (task: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Returns median CPU times in milliseconds. Every round runs each task once, so that other load affects all tasks alike. */
async function compareCpu<N extends string>(
  tasks: Record<N, () => unknown>,
  rounds = ROUNDS,
): Promise<Record<N, number>> {
  const names = Object.keys(tasks) as N[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>
  for (const name of names) await tasks[name]()
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(await cpuMillis(tasks[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<N, number>
}

/** Repeats a small task, so that the CPU clock can resolve it. */
const repeated = (times: number, task: () => unknown) => async (): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await task()
}

const millis = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
const ratio = (value: number): string => `${value.toFixed(2)}x`

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
  const cells = [cpu.ours, cpu.json, cpu.raw, cpu.fetched].map((value) => millis(value / times).padStart(12))
  const ratios = [cpu.json, cpu.raw, cpu.fetched].map((value) => ratio(cpu.ours / value).padStart(10))
  const size = `${(captions.length / 1e6).toFixed(2)} MB`.padStart(10)
  return `${`${hours < 1 ? `${Math.round(hours * 60)} minutes` : `${hours} h`}`.padEnd(12)}${size}${cells.join('')}${ratios.join('')}`
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
