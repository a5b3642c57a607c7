import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Cue } from '@subtext/contracts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const MEGABYTE = 1024 * 1024
const TRANSCRIPT_BYTES = 10_000_000
const AT_ONCE = 20
/** Of the clock more is allowed than is promised: on a busy machine it also counts the turns of other processes. */
const LONGEST_TURN_MS = { processor: 100, clock: 250 }

interface Gauge {
  /** Milliseconds of the longest turn of the event loop. */
  turn: number
  by: 'processor' | 'clock'
  /** Bytes of the most memory the process ever had. */
  rss: number
}

/**
 * Runs within the API's process and tells how it fared since it was last asked. A turn is measured by the processor
 * time of the main thread, where the system tells it.
 */
const GAUGE = `
  import { readFileSync } from 'node:fs'
  const onProcessor = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6
  let [now, by] = [onProcessor, 'processor']
  try { now() } catch { [now, by] = [() => performance.now(), 'clock'] }
  // Not what getrusage says: that begins with what the process had that started this one.
  const peak = () => {
    try { return Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1024 }
    catch { return process.resourceUsage().maxRSS * 1024 }
  }
  let [last, turn] = [now(), 0]
  setInterval(() => {
    const at = now()
    turn = Math.max(turn, at - last)
    last = at
  }, 10).unref()
  process.on('message', () => {
    process.send({ turn, by, rss: peak() })
    turn = 0
  })`
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

let api: TestApi
let measured: ChildProcess
/** What the process had to say beside its log, such as warnings of leaks. */
let complained = ''
let port: number
let key: string

beforeAll(async () => {
  api = await openTestApi()
  key = await api.createKey()
  port = await findFreePort()
  const preload = `data:text/javascript,${encodeURIComponent(GAUGE)}`
  measured = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '--import', preload, MAIN], {
    env: { ...api.settings, LOG_LEVEL: 'info', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const [log, complaints] = [measured.stdout, measured.stderr] as [Readable, Readable]
  complaints.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  await once(log, 'data')
  log.resume()
}, 60_000)
afterAll(async () => {
  measured?.kill('SIGKILL')
  await api.close()
})

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  return free
}

async function readGauge(): Promise<Gauge> {
  measured.send('how')
  const [gauge] = (await once(measured, 'message')) as [Gauge]
  return gauge
}

const WORDS = 'water river stone slope valley moves slowly under heavy rain "and" <then> it turns & *goes* out'.split(
  ' ',
)

/** Sentences; which words is random but the same in every run (a linear congruential generator). */
function buildSpeech(wordsPerCue: number): Cue[] {
  const cues: Cue[] = []
  let seed = 1
  for (let bytes = 0; bytes < TRANSCRIPT_BYTES; ) {
    const spoken = Array.from({ length: wordsPerCue }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return WORDS[Math.floor((seed / 2 ** 31) * WORDS.length)]
    })
    const text = `${spoken.join(' ')}.`
    cues.push({ startMs: cues.length * 3_000, durationMs: 3_000, text })
    bytes += text.length
  }
  return cues
}

async function completeJob(cues: Cue[]): Promise<string> {
  const jobId = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, jobId, { cues })
  return jobId
}

/** Reads an answer to its end, without keeping it; returns the bytes that came. */
async function read(jobId: string, query: string, encoding: string): Promise<number> {
  const path = `/api/v1/videos/result/${jobId}${query}`
  const headers = { 'X-API-Key': key, 'Accept-Encoding': encoding }
  const request = httpGet({ host: '127.0.0.1', port, path, headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([response.statusCode, response.headers['content-encoding'] ?? 'identity']).toEqual([200, encoding])
  let bytes = 0
  for await (const piece of response) bytes += (piece as Buffer).length
  expect(response.complete).toBe(true)
  return bytes
}

const FORMATS = ['', '?format=json', '?format=markdown', '?format=text', '?format=html', '?format=csv', '?format=srt']

const ENCODINGS = ['identity', 'gzip', 'br', 'deflate']

test.each([
  ['of ordinary cues, as they are', 10, ['identity']],
  ['of ordinary cues, compressed in every way', 10, ENCODINGS],
  ['of the longest cues there are', 1_800, ENCODINGS],
])(
  '20 results of 10 MB at once, %s, neither fill the memory nor stop the others',
  async (_, wordsPerCue, encodings) => {
    const jobId = await completeJob(buildSpeech(wordsPerCue))
    await readGauge()
    const sizes = await Promise.all(
      Array.from({ length: AT_ONCE }, (_one, index) =>
        read(jobId, FORMATS[index % FORMATS.length] ?? '', encodings[index % encodings.length] ?? ''),
      ),
    )
    const gauge = await readGauge()
    expect(Math.min(...sizes)).toBeGreaterThan(MEGABYTE / 4)
    expect(gauge.rss).toBeLessThan(512 * MEGABYTE)
    expect(complained).toBe('')
    expect(gauge.turn).toBeLessThan(LONGEST_TURN_MS[gauge.by])
  },
  120_000,
)
