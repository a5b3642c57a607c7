import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StructuredResult, SUMMARY_MODES } from '@subtext/contracts'
import { findMetricsPort } from '@subtext/embedded/testing'
import { longVideo, type SampleVideo } from '@subtext/fakes'
import { type Client, startTestSystem, type TestSystem, watchUrl } from '@subtext/server/testing'

const EVENTS = 30_000
const HOURS = 10
const CHARS = 328
const MEGABYTE = 1024 * 1024
/** What is promised; what is needed is less than half of it. */
const LONGEST_STOP_MS = 100

/** Ten hours in 30,000 events of 10 MB altogether, no two alike. */
function hugeVideo(id: string): SampleVideo {
  const video = longVideo({ id, hours: HOURS })
  const lines = video.tracks[0]?.cues().map(({ text }) => text) ?? []
  const stepMs = (HOURS * 3_600_000) / EVENTS
  const cues = Array.from({ length: EVENTS }, (_, index) => {
    let text = `event ${index + 1}`
    for (let at = index; text.length < CHARS; at += 7) text += ` ${lines[at % lines.length]}`
    return { startMs: index * stepMs, durationMs: stepMs - 100, text: text.slice(0, CHARS) }
  })
  return { ...video, tracks: [{ language: 'en', kind: 'manual', name: 'English', cues: () => cues }] }
}

/** The first alone, the others at once. */
const HUGE = ['sbtx-huge01', 'sbtx-huge02', 'sbtx-huge03'] as const
/** What is promised for one. */
const MOST_MEMORY = 512 * MEGABYTE
/** Of those that take turns, what the former ones have left may not have been collected yet; all of them at once need more. */
const MOST_MEMORY_IN_TURNS = 576 * MEGABYTE

let system: TestSystem
let client: Client
let metricsPort: number
let directory: string
const stopsPath = (): string => join(directory, 'stops')
const METER = new URL('./stop-meter.mjs', import.meta.url)

/** The longest that the worker's main thread kept everybody waiting, in milliseconds of its CPU time; null where the system does not tell. */
async function readLongestStop(since: number): Promise<number | null> {
  const schedstat = await readFile(`/proc/${process.pid}/schedstat`, 'utf8').catch(() => null)
  if (schedstat === null) return null
  const text = await readFile(`${stopsPath()}.${system.workers[0]?.pid}`, 'utf8').catch(() => '')
  const stops = text.split('\n').map((line) => line.split(' ').map(Number))
  return Math.max(0, ...stops.flatMap(([at = 0, milliseconds = 0]) => (at >= since ? [milliseconds] : [])))
}

async function open(messagesApi: boolean): Promise<void> {
  const port = await findMetricsPort()
  metricsPort = port + 1
  system = await startTestSystem({
    messagesApi,
    settings: { METRICS_PORT: String(port), NODE_OPTIONS: `--import=${METER}?to=${stopsPath()}` },
  })
  for (const id of HUGE) system.platform.addVideo(hugeVideo(id))
  client = await system.createClient()
}
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-stops-'))
})
afterEach(async () => {
  await system.close()
  await rm(directory, { recursive: true })
})

async function readGauge(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(text.match(new RegExp(`^${name} (\\S+)`, 'm'))?.[1])
}

/** The most memory that the worker has had at once, in bytes; null where the system does not tell. */
async function readPeakMemory(): Promise<number | null> {
  const status = await readFile(`/proc/${system.workers[0]?.pid}/status`, 'utf8').catch(() => '')
  const kilobytes = status.match(/^VmHWM:\s+(\d+) kB$/m)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

test.each([
  ['by a model, in parts', true],
  ['without a model', false],
])('ten megabytes, %s: whole, in bounded memory, also when there are several', async (how, messagesApi) => {
  await open(messagesApi)
  // Starting is not what is measured.
  const small = await client.submit({ url: watchUrl(longVideoId()) })
  await client.follow(small)
  await readGauge('nodejs_eventloop_lag_max_seconds')

  const since = Date.now()
  const finish = async (...ids: string[]): Promise<string[]> => {
    const submitted = ids.map((id) =>
      client.submit({
        url: watchUrl(id),
        webhook_url: `${system.receiver.origin}/huge`,
        options: { summary_modes: SUMMARY_MODES },
      }),
    )
    const jobIds = await Promise.all(submitted)
    for (const jobId of jobIds) {
      expect(await client.follow(jobId)).toMatchObject({ status: 'completed', progress_percentage: 100 })
    }
    return jobIds
  }
  const [first, ...others] = HUGE
  const [jobId] = await finish(first)
  const seconds = (Date.now() - since) / 1_000
  const lag = await readGauge('nodejs_eventloop_lag_max_seconds')
  const stop = await readLongestStop(since)
  const peak = await readPeakMemory()
  process.stderr.write(
    `${how}: ${seconds.toFixed(1)} s, longest stop ${stop} ms of CPU, ${(lag * 1_000).toFixed(0)} ms by the clock, peak ${((peak ?? 0) / MEGABYTE).toFixed(0)} MB\n`,
  )
  if (peak !== null) expect(peak).toBeLessThan(MOST_MEMORY)
  if (stop !== null) expect(stop).toBeLessThan(LONGEST_STOP_MS)
  // Other processes share the machine, so this is wide.
  expect(lag).toBeLessThan(5)

  await finish(...others)
  const later = await readPeakMemory()
  process.stderr.write(`${how}, two more at once: peak ${((later ?? 0) / MEGABYTE).toFixed(0)} MB\n`)
  if (later !== null) expect(later).toBeLessThan(MOST_MEMORY_IN_TURNS)

  const { data, meta } = await client.get(`/videos/result/${jobId}?format=json`)
  const { transcript, summaries, quality } = StructuredResult.parse(data)
  expect(transcript.segments).toHaveLength(EVENTS)
  expect(quality.strategy).toBe(messagesApi ? 'map_reduce' : 'extractive')
  // Nobody reads ten megabytes without a model; what was left out is said.
  expect(quality.truncated).toBe(!messagesApi)
  expect((meta.warnings ?? []).map(({ code }) => code).includes('TRANSCRIPT_SAMPLED')).toBe(!messagesApi)
  expect(transcript.truncated).toBe(false)
  const starts = summaries.timestamped?.citations.map(({ start }) => start) ?? []
  expect(Math.max(...starts)).toBeGreaterThan((HOURS - 1) * 3_600)
  if (messagesApi) {
    for (const { usage } of system.messagesApi.calls) expect(usage?.input_tokens).toBeLessThan(100_000)
  }
})

function longVideoId(): string {
  const video = longVideo({ id: 'sbtx-small1', hours: 1 / 4 })
  system.platform.addVideo(video)
  return video.id
}
