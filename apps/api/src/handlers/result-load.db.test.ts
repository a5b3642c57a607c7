import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { buildSpeech } from '@subtext/contracts/testing'
import { findSteadyPort } from '@subtext/embedded/testing'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const MEGABYTE = 1024 * 1024
const TRANSCRIPT_BYTES = 10_000_000
const CONCURRENT = 12
/**
 * How much the process may grow. It grows by about 200 MB, of which most waits to be collected, however many responses are
 * sent at once. All responses in memory would take at least 360 MB.
 */
const MAX_GROWTH = 280 * MEGABYTE
/**
 * The part of the main thread's work that a turn of the event loop may take. A share of CPU time is the same on slow and busy
 * machines; on a fast one, this is less than the promised 100 ms.
 */
const MAX_TURN_SHARE = 0.05

interface Gauge {
  /** CPU time of the main thread in milliseconds: its longest turn of the event loop, and all of them. */
  turn: number
  total: number
  /** Peak memory of the process in bytes. */
  rss: number
}

/**
 * Runs in the API's process and reports its measurements since the last report. Where the operating system does not provide
 * the CPU time of the main thread, uses that of the process.
 */
const GAUGE = `
  import { readFileSync } from 'node:fs'
  let now = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'latin1').split(' ')[0]) / 1e6
  try { now() } catch { now = () => process.cpuUsage().user / 1e3 }
  // Not from getrusage, which starts with the memory of the parent process.
  const peak = () => {
    try { return Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1024 }
    catch { return process.resourceUsage().maxRSS * 1024 }
  }
  let [last, turn, first] = [now(), 0, now()]
  setInterval(() => {
    const at = now()
    turn = Math.max(turn, at - last)
    last = at
  }, 10).unref()
  process.on('message', () => {
    process.send({ turn, total: now() - first, rss: peak() })
    turn = 0
    first = now()
  })`
/** The build of the API, which `npm test` brings up to date. */
const MAIN = fileURLToPath(new URL('../../../../dist/api/main.js', import.meta.url))

const api = useTestApi()
let measured: ChildProcess
/** What the process wrote to standard error, such as warnings about leaks. */
let stderr = ''
/** Peak memory of the process in bytes before it sent any result. */
let idle: number
let port: number
let key: string

beforeAll(async () => {
  key = await api.createKey()
  port = await findSteadyPort()
  api.onClose(() => measured?.kill('SIGKILL'))
  const preload = `data:text/javascript,${encodeURIComponent(GAUGE)}`
  measured = spawn(process.execPath, ['--import', preload, MAIN], {
    env: { ...api.settings, LOG_LEVEL: 'info', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  measured.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  if (measured.stdout) await once(measured.stdout, 'data')
  measured.stdout?.resume()
  idle = (await readGauge()).rss
})

async function readGauge(): Promise<Gauge> {
  measured.send('how')
  const [gauge] = (await once(measured, 'message')) as [Gauge]
  return gauge
}

const jobs = new Map<number, Promise<string>>()

/** Completes a job with a transcript of cues of this length. Returns the same job for the same length. */
function completeJob(wordsPerCue: number): Promise<string> {
  const complete = async (): Promise<string> => {
    const jobId = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, jobId, { cues: buildSpeech(TRANSCRIPT_BYTES, wordsPerCue) })
    return jobId
  }
  const job = jobs.get(wordsPerCue) ?? complete()
  jobs.set(wordsPerCue, job)
  return job
}

/** Reads a response to its end without keeping it. Returns the number of bytes. */
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

/** Uncompressed results are produced fastest. */
const ENCODINGS = ['identity', 'gzip', 'identity', 'br', 'identity', 'deflate', 'identity', 'identity']

test.each([
  ['ordinary cues', 10],
  ['the longest possible cues', 1_800],
])(
  'sends twelve results of 10 MB concurrently (%s) without filling the memory or blocking other requests',
  async (_, wordsPerCue) => {
    const jobId = await completeJob(wordsPerCue)
    await readGauge()
    const sizes = await Promise.all(
      Array.from({ length: CONCURRENT }, (_one, index) =>
        read(jobId, FORMATS[index % FORMATS.length] ?? '', ENCODINGS[index % ENCODINGS.length] ?? ''),
      ),
    )
    const gauge = await readGauge()
    expect(Math.min(...sizes)).toBeGreaterThan(MEGABYTE / 4)
    expect(gauge.rss - idle).toBeLessThan(MAX_GROWTH)
    expect(stderr).toBe('')
    expect(gauge.turn / gauge.total).toBeLessThan(MAX_TURN_SHARE)
  },
)
