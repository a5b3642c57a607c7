import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { buildSpeech } from '@subtext/contracts/testing'
import { startMessagesApi } from '@subtext/fakes'
import { at } from '@subtext/runtime'
import { type Account, createAccounts } from './accounts.ts'
import { quartiles } from './quartiles.ts'
import { copyResult, seedResult } from './sample-results.ts'
import { openTestBed, QUEUE_PREFIX, type TestBed } from './test-bed.ts'
import type { WorkOptions } from './worker-benchmarks.ts'

const CHATS = 50
const PDFS = 10
/** Rounds without and with load, alternating. */
const ROUNDS = 5
const JOBS_PER_ROUND = 100
/** Jobs come at a steady rate that is far from what the service can do, so that they wait for the load and not for each other. */
const JOB_INTERVAL_MS = 100
const PROBE_INTERVAL_MS = 50
const USERS = 100
/** About an hour of speech. */
const TALK_BYTES = 54_000
/** How the model answers: a pause for the first word, then about 200 tokens at this pace. */
const MODEL_DELAY_MS = 500
const TOKENS_PER_SECOND = 50
const ANSWER_LINES = 12
/** More than are rendered, since a PDF that is kept costs nothing. */
const PDF_JOBS = 2_000
const P95 = 0.95
const MAX_BUSY_WHEN_QUIET = 0.5

interface Setup {
  testBed: TestBed
  origin: string
  users: Account[]
  chatJob: string
  chatUser: Account
  pdfJobs: string[]
}

interface Counts {
  /** Streams that are open now. */
  open: number
  chats: number
  pdfs: number
  refusals: number
}

/** Times in milliseconds. */
interface Round {
  /** From the request of the caller to the response that says that the job has completed. */
  seen: number[]
  /** From the acceptance of a job to its start in the high lane, by the clock of the service. */
  waited: number[]
  /** Durations of the smallest request during the round. */
  probed: number[]
  /** Shares of the machine's processors that were used by any process, at normal and at low priority. */
  busy: number
  busyAtLowPriority: number
  /** Streams that were open at the same time. */
  open: number
  counts: Counts
}

const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return at(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share)))
}

async function send(origin: string, { key }: Account, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${origin}/api/v1${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}

/** Waits as long as a response asks for, in `Retry-After`. */
const waitAsTold = (response: Response): Promise<unknown> =>
  sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))

/** Keeps chats and PDFs in progress until `stop` aborts: each simulated person asks again as soon as an answer is there. */
function startLoad(
  { origin, chatJob, chatUser, pdfJobs }: Setup,
  stop: AbortSignal,
): { counts: Counts; ended: Promise<unknown> } {
  const counts: Counts = { open: 0, chats: 0, pdfs: 0, refusals: 0 }
  const chat = async (_: unknown, index: number): Promise<void> => {
    // People do not begin at the same moment.
    await sleep((index * ANSWER_LINES * 16_000) / TOKENS_PER_SECOND / CHATS)
    while (!stop.aborted) {
      const message = { message: 'Which way do rivers take to the sea?', stream: true }
      const response = await send(origin, chatUser, `/videos/chat/${chatJob}`, message)
      counts.open++
      const text = await response.text()
      counts.open--
      // A machine that is too busy refuses or interrupts some; the table shows how many.
      if (response.status === 503 || text.includes('"SERVICE_UNAVAILABLE"')) {
        counts.refusals++
        await waitAsTold(response)
      } else if (response.status === 200 && text.includes('event: done')) counts.chats++
      else throw new Error(`A chat failed: ${text.slice(-300)}`)
    }
  }
  const render = async (): Promise<void> => {
    while (!stop.aborted) {
      const job = pdfJobs.pop()
      if (job === undefined) throw new Error('All PDFs are rendered.')
      const response = await send(origin, chatUser, `/videos/export/${job}/pdf`)
      const bytes = (await response.arrayBuffer()).byteLength
      if (response.status === 503) {
        counts.refusals++
        pdfJobs.unshift(job)
        await waitAsTold(response)
      } else if (response.status === 200 && bytes > 10_000) counts.pdfs++
      else throw new Error(`A PDF failed with ${response.status}.`)
    }
  }
  const all = [...Array.from({ length: CHATS }, chat), ...Array.from({ length: PDFS }, render)]
  return { counts, ended: Promise.all(all) }
}

/** Returns the machine's time in ticks: all of it, and what was used at normal and at low priority. Zeros: not on Linux. */
function readMachineTime(): [all: number, normal: number, low: number] {
  try {
    const [user = 0, nice = 0, system = 0, ...rest] = at(readFileSync('/proc/stat', 'latin1').split('\n'), 0)
      .split(/ +/)
      .slice(1, 9)
      .map(Number)
    return [[user, nice, system, ...rest].reduce((sum, ticks) => sum + ticks, 0), user + system, nice]
  } catch {
    return [0, 0, 0]
  }
}

/** Sends high jobs at a steady rate. */
async function sendJobs({ testBed, origin, users }: Setup, round: number): Promise<Pick<Round, 'seen' | 'waited'>> {
  const seen: number[] = []
  const ids: string[] = []
  const call = async (_: unknown, index: number): Promise<void> => {
    await sleep(index * JOB_INTERVAL_MS)
    const user = at(users, (index + round * JOBS_PER_ROUND) % users.length)
    const body = { url: 'https://www.youtube.com/watch?v=keptkeptkep', priority: 'high' }
    const startedAt = performance.now()
    const accepted = await send(origin, user, '/videos/process', body)
    const { data, error } = (await accepted.json()) as { data?: { job_id: string }; error?: { message: string } }
    if (!data) throw new Error(`A job was refused: ${error?.message}`)
    const status = await send(origin, user, `/videos/status/${data.job_id}?wait=60`)
    const job = ((await status.json()) as { data: { status: string } }).data
    if (job.status !== 'completed') throw new Error(`A job is ${job.status}.`)
    seen.push(performance.now() - startedAt)
    ids.push(data.job_id)
  }
  await Promise.all(Array.from({ length: JOBS_PER_ROUND }, call))
  const { rows } = await testBed.db.query<{ waited: number }>(
    'SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS waited FROM jobs WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  return { seen, waited: rows.map(({ waited }) => waited) }
}

/** Sends the smallest request again and again until `stop` aborts. Returns what each took. */
async function probe(origin: string, stop: AbortSignal, onProbe: () => void): Promise<number[]> {
  const probed: number[] = []
  while (!stop.aborted) {
    onProbe()
    const startedAt = performance.now()
    await (await fetch(`${origin}/health/live`)).text()
    probed.push(performance.now() - startedAt)
    await sleep(PROBE_INTERVAL_MS)
  }
  return probed
}

async function openSetup(testBed: TestBed): Promise<Setup> {
  const model = await startMessagesApi()
  testBed.onClose(model.close)
  const lines = buildSpeech(TALK_BYTES).slice(0, ANSWER_LINES)
  const text = lines.map((line, index) => `${line.text} [${index + 1}]`).join('\n')
  const pace = { delayMs: MODEL_DELAY_MS, tokensPerSecond: TOKENS_PER_SECOND }
  model.failNext({ kind: 'paced', text, ...pace }, { times: Number.POSITIVE_INFINITY })
  const directory = await mkdtemp(join(tmpdir(), 'subtext-bench-files-'))
  testBed.onClose(() => rm(directory, { recursive: true, force: true }))
  const { origin } = await testBed.startApi({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.baseUrl,
    // An eighth of them answers chats.
    MODEL_CONCURRENCY: String(CHATS * 8),
    CHAT_DAILY_MESSAGES: '1000000',
    BLOB_STORE_URL: pathToFileURL(directory).href,
  })
  const worker = testBed.start(new URL('./our-worker-process.ts', import.meta.url))
  const { redisUrl } = testBed.servers
  const options = { databaseUrl: testBed.url, redisUrl, prefix: QUEUE_PREFIX, concurrency: 8 }
  await worker.call('start', options satisfies WorkOptions)
  const [chatUser, ...users] = await createAccounts([testBed.db, testBed.baseline], USERS + 1, ['read', 'write'])
  if (!chatUser) throw new Error('There are no accounts.')
  const finished = await seedResult(testBed, chatUser.userId, TALK_BYTES)
  const pdfJobs = await copyResult(testBed, finished, PDF_JOBS)
  return { testBed, origin, users, chatUser, chatJob: finished.jobId, pdfJobs }
}

const MAX_WARM_UP_MS = 60_000

async function measureRound(setup: Setup, round: number, isLoaded: boolean): Promise<Round> {
  const stop = new AbortController()
  const opened: number[] = []
  const noCounts = { open: 0, chats: 0, pdfs: 0, refusals: 0 }
  const load = isLoaded ? startLoad(setup, stop.signal) : { counts: noCounts, ended: Promise.resolve() }
  try {
    // Everyone has asked once.
    const until = performance.now() + MAX_WARM_UP_MS
    while (isLoaded && load.counts.chats < CHATS) {
      await Promise.race([sleep(PROBE_INTERVAL_MS), load.ended])
      if (performance.now() > until) throw new Error(`Chats are too slow: ${JSON.stringify(load.counts)}`)
    }
    const before = readMachineTime()
    const probes = probe(setup.origin, stop.signal, () => opened.push(load.counts.open))
    const jobs = sendJobs(setup, round)
    // A load that fails ends the run.
    const measured = await Promise.race([jobs, load.ended.then(() => jobs)])
    const [all = 0, normal = 0, low = 0] = readMachineTime().map((ticks, index) => ticks - at(before, index))
    stop.abort()
    const shares = { busy: normal / all, busyAtLowPriority: low / all }
    return { ...measured, ...shares, probed: await probes, open: quartiles(opened).median, counts: load.counts }
  } finally {
    stop.abort()
    await load.ended
  }
}

/** Returns the durations of high jobs with and without chats and PDFs in progress in the same API. */
export async function measureMixedLoad(say: (text: string) => void): Promise<string> {
  const testBed = await openTestBed(say)
  try {
    const setup = await openSetup(testBed)
    await measureRound(setup, 0, true)
    const rounds: Record<'quiet' | 'loaded', Round[]> = { quiet: [], loaded: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['quiet', 'loaded'] as const) {
        const measured = await measureRound(setup, 1 + 2 * round + (kind === 'loaded' ? 1 : 0), kind === 'loaded')
        const { open, counts } = measured
        const { chats, pdfs, refusals } = counts
        const p95 = percentile(measured.waited, P95).toFixed(1)
        say(
          `${kind}: waited p95 ${p95} ms, ${open} streams, ${chats} answers, ${pdfs} PDFs, ${refusals} refused for now`,
        )
        rounds[kind].push(measured)
      }
    }
    return describe(rounds)
  } finally {
    await testBed.close()
  }
}

function describe({ quiet, loaded }: Record<'quiet' | 'loaded', Round[]>): string {
  const line = (name: string, pick: (round: Round) => number[]): string => {
    const [before, under] = [quiet, loaded].map((rounds) => rounds.map((round) => percentile(pick(round), P95)))
    const ratios = (under ?? []).map((value, index) => value / at(before ?? [], index))
    const show = (values: number[] = []): string => {
      const { median, low, high } = quartiles(values)
      return `${median.toFixed(1)} (${low.toFixed(1)}-${high.toFixed(1)})`
    }
    return `${name.padEnd(38)}${show(before).padStart(22)}${show(under).padStart(22)}${show(ratios).padStart(20)}`
  }
  const share = (pick: (round: Round) => number): string =>
    [quiet, loaded].map((rounds) => `${(100 * quartiles(rounds.map(pick)).median).toFixed(0)}%`.padStart(22)).join('')
  const isDisturbed = quartiles(quiet.map(({ busy }) => busy)).median > MAX_BUSY_WHEN_QUIET
  const sum = (pick: (counts: Counts) => number): number =>
    loaded.reduce((total, { counts }) => total + pick(counts), 0)
  return [
    `high jobs, p95 in milliseconds, medians and quartiles of ${ROUNDS} rounds of ${JOBS_PER_ROUND} jobs`,
    `${''.padEnd(38)}${'quiet'.padStart(22)}${`${CHATS} chats, ${PDFS} PDFs`.padStart(22)}${'ratio'.padStart(20)}`,
    line('accepted until started', ({ waited }) => waited),
    line('sent until the caller sees the end', ({ seen }) => seen),
    line('GET /health/live, all the while', ({ probed }) => probed),
    `${'streams open at the same time'.padEnd(38)}${[quiet, loaded]
      .map((rounds) =>
        quartiles(rounds.map(({ open }) => open))
          .median.toFixed(0)
          .padStart(22),
      )
      .join('')}`,
    `${'processors busy, normal priority'.padEnd(38)}${share(({ busy }) => busy)}`,
    `${'processors busy, low priority'.padEnd(38)}${share(({ busyAtLowPriority }) => busyAtLowPriority)}`,
    `meanwhile, one API process: ${sum(({ chats }) => chats)} answers, ${sum(({ pdfs }) => pdfs)} PDFs, ${sum(({ refusals }) => refusals)} requests refused or interrupted for now`,
    ...(isDisturbed ? ['Other programs kept the processors busy: these figures say nothing about the service.'] : []),
  ].join('\n')
}
