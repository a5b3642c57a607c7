import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startMessagesApi } from '@subtext/fakes'
import { at } from '@subtext/runtime'
import { type Account, createAccounts } from './accounts.ts'
import { quartiles } from './quartiles.ts'
import { copyResult, seedResult } from './sample-results.ts'
import { openTestBed, QUEUE_PREFIX, type TestBed } from './test-bed.ts'
import type { WorkOptions } from './worker-benchmarks.ts'

const CHATS = 50
const PDFS = 10
/** Rounds without load and with it, in turns. */
const ROUNDS = 5
const JOBS_PER_ROUND = 100
const USERS = 100
/** About an hour of speech. */
const TALK_BYTES = 54_000
/** How long the model takes for the first word of an answer. */
const MODEL_DELAY_MS = 500
/** More than are rendered, since a PDF that is kept costs nothing. */
const PDF_JOBS = 2_000
const RETRY_MS = 250
const P95 = 0.95

interface Setup {
  testBed: TestBed
  origin: string
  users: Account[]
  chatJob: string
  chatUser: Account
  pdfJobs: string[]
}

interface Counts {
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

/** Keeps chats and PDFs under way until `stop` aborts. */
function startLoad(
  { origin, chatJob, chatUser, pdfJobs }: Setup,
  stop: AbortSignal,
): { counts: Counts; ended: Promise<unknown> } {
  const counts: Counts = { chats: 0, pdfs: 0, refusals: 0 }
  const chat = async (): Promise<void> => {
    while (!stop.aborted) {
      const message = { message: 'Which way do rivers take to the sea?', stream: true }
      const response = await send(origin, chatUser, `/videos/chat/${chatJob}`, message)
      const text = await response.text()
      // A machine that is too busy refuses or interrupts some, and says so in the table.
      if (response.status === 503 || text.includes('"SERVICE_UNAVAILABLE"')) {
        counts.refusals++
        await sleep(RETRY_MS)
        continue
      }
      if (response.status !== 200 || !text.includes('event: done'))
        throw new Error(`A chat failed: ${text.slice(-300)}`)
      counts.chats++
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
        await sleep(RETRY_MS)
      } else if (response.status === 200 && bytes > 10_000) counts.pdfs++
      else throw new Error(`A PDF failed with ${response.status}.`)
    }
  }
  const all = [...Array.from({ length: CHATS }, chat), ...Array.from({ length: PDFS }, render)]
  return { counts, ended: Promise.all(all) }
}

/** Sends high jobs, one after the other by each of two callers. */
async function sendJobs({ testBed, origin, users }: Setup, round: number): Promise<Omit<Round, 'counts'>> {
  const seen: number[] = []
  const ids: string[] = []
  let next = 0
  const call = async (): Promise<void> => {
    while (next < JOBS_PER_ROUND) {
      const user = at(users, (next++ + round * JOBS_PER_ROUND) % users.length)
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
  }
  await Promise.all([call(), call()])
  const { rows } = await testBed.db.query<{ waited: number }>(
    'SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS waited FROM jobs WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  return { seen, waited: rows.map(({ waited }) => waited) }
}

async function openSetup(testBed: TestBed): Promise<Setup> {
  const model = await startMessagesApi()
  testBed.onClose(model.close)
  model.failNext({ kind: 'slow', delayMs: MODEL_DELAY_MS }, { times: Number.POSITIVE_INFINITY })
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

async function measureRound(setup: Setup, round: number, isLoaded: boolean): Promise<Round> {
  const stop = new AbortController()
  const load = isLoaded
    ? startLoad(setup, stop.signal)
    : { counts: { chats: 0, pdfs: 0, refusals: 0 }, ended: Promise.resolve() }
  const jobs = sendJobs(setup, round)
  // A load that fails ends the run.
  const measured = await Promise.race([jobs, load.ended.then(() => jobs)])
  stop.abort()
  await load.ended
  return { ...measured, counts: load.counts }
}

/** Returns what high jobs take with and without chats and PDFs under way in the same API. */
export async function measureMixedLoad(say: (text: string) => void): Promise<string> {
  const testBed = await openTestBed(say)
  try {
    const setup = await openSetup(testBed)
    await measureRound(setup, 0, true)
    const rounds: Record<'quiet' | 'loaded', Round[]> = { quiet: [], loaded: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['quiet', 'loaded'] as const) {
        const measured = await measureRound(setup, 1 + 2 * round + (kind === 'loaded' ? 1 : 0), kind === 'loaded')
        const { chats, pdfs, refusals } = measured.counts
        const p95 = percentile(measured.waited, P95).toFixed(1)
        say(`${kind}: waited p95 ${p95} ms, ${chats} chats, ${pdfs} PDFs, ${refusals} refused for now`)
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
  const sum = (pick: (counts: Counts) => number): number =>
    loaded.reduce((total, { counts }) => total + pick(counts), 0)
  return [
    `high jobs, p95 in milliseconds, medians and quartiles of ${ROUNDS} rounds of ${JOBS_PER_ROUND} jobs`,
    `${''.padEnd(38)}${'quiet'.padStart(22)}${`${CHATS} chats, ${PDFS} PDFs`.padStart(22)}${'ratio'.padStart(20)}`,
    line('accepted until started', ({ waited }) => waited),
    line('sent until the caller sees the end', ({ seen }) => seen),
    `meanwhile: ${sum(({ chats }) => chats)} answers, ${sum(({ pdfs }) => pdfs)} PDFs, ${sum(({ refusals }) => refusals)} requests refused or interrupted for now`,
  ].join('\n')
}
