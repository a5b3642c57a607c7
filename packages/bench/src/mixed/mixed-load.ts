import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { at } from '@subtext/runtime'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import type { Child } from '../child-process.ts'
import { readFamilyMicros, readProcessMicros } from '../cpu-time.ts'
import type { WorkOptions } from '../our-worker-process.ts'
import type { Part } from '../part.ts'
import { quartiles } from '../quartiles.ts'
import { seedResults } from '../sample-results.ts'
import { openTestBed, QUEUE_PREFIX, type TestBed } from '../test-bed.ts'
import {
  type Kind,
  NOTHING,
  P95,
  type People,
  type PeopleCounts,
  PROGRAMS,
  type Program,
  percentile,
  type Round,
  send,
} from './round.ts'
import { describeMixedLoad } from './table.ts'

const CHATS = 50
const PDFS = 10
/** Rounds of each kind, in turns. */
const ROUNDS = 5
const JOBS_PER_ROUND = 100
/** Jobs come at a steady rate that is far from what the service can do, so that they wait for the load and not for each other. */
const JOB_INTERVAL_MS = 100
const PROBE_INTERVAL_MS = 50
const USERS = 100
/** About an hour of speech. */
const TALK_BYTES = 54_000
/** More than are rendered, since a PDF that is kept costs nothing. */
const PDF_JOBS = 4_000
const MAX_WARM_UP_MS = 60_000

interface Setup {
  testBed: TestBed
  people: Child
  burdens: Record<'normal' | 'low', Child[]>
  requests: People
  users: BenchAccount[]
  readUsed: () => Record<Program, number>
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
async function sendJobs(
  { testBed, requests: { origin }, users }: Setup,
  round: number,
): Promise<Pick<Round, 'seen' | 'waited'>> {
  const seen: number[] = []
  const ids: string[] = []
  const call = async (_: unknown, index: number): Promise<void> => {
    await sleep(index * JOB_INTERVAL_MS)
    const { key } = at(users, (index + round * JOBS_PER_ROUND) % users.length)
    const user = { origin, key }
    const body = { url: 'https://www.youtube.com/watch?v=keptkeptkep', priority: 'high' }
    const startedAt = performance.now()
    const accepted = await send(user, '/videos/process', body)
    const { data, error } = (await accepted.json()) as { data?: { job_id: string }; error?: { message: string } }
    if (!data) throw new Error(`A job was refused: ${error?.message}`)
    const status = await send(user, `/videos/status/${data.job_id}?wait=60`)
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
async function probe(origin: string, stop: AbortSignal, onProbe: () => unknown): Promise<number[]> {
  const probed: number[] = []
  while (!stop.aborted) {
    await onProbe()
    const startedAt = performance.now()
    await (await fetch(`${origin}/health/live`)).text()
    probed.push(performance.now() - startedAt)
    await sleep(PROBE_INTERVAL_MS)
  }
  return probed
}

async function openSetup(testBed: TestBed, load: Pick<People, 'chats' | 'pdfs'>): Promise<Setup> {
  const people = testBed.start(new URL('./people-process.ts', import.meta.url))
  const directory = await mkdtemp(join(tmpdir(), 'subtext-bench-files-'))
  testBed.onClose(() => rm(directory, { recursive: true, force: true }))
  const { processes, origin } = await testBed.startApps(['api'], {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: await people.call<string>('startModel', TALK_BYTES),
    // An eighth of them answers chats.
    MODEL_CONCURRENCY: String(CHATS * 8),
    CHAT_DAILY_MESSAGES: '1000000',
    BLOB_STORE_URL: pathToFileURL(directory).href,
  })
  const api = at(processes, 0)
  const worker = testBed.start(new URL('../our-worker-process.ts', import.meta.url))
  const { redisUrl, postgres, redis } = testBed.servers
  const options = { databaseUrl: testBed.url, redisUrl, prefix: QUEUE_PREFIX, concurrency: 8 }
  await worker.call('start', options satisfies WorkOptions)
  const [chatUser, ...users] = await createAccounts([testBed.db, testBed.baseline], USERS + 1, ['read', 'write'])
  if (!chatUser) throw new Error('There are no accounts.')
  const owners = Array.from({ length: 1 + PDF_JOBS }, () => chatUser.userId)
  const [chatJob = '', ...pdfJobs] = await seedResults(testBed, owners, TALK_BYTES)
  const startBurden = () => testBed.start(new URL('./burden-process.ts', import.meta.url))
  const startBurdens = () => Array.from({ length: availableParallelism() }, startBurden)
  return {
    testBed,
    people,
    burdens: { normal: startBurdens(), low: startBurdens() },
    requests: { ...load, origin, key: chatUser.key, chatJob, pdfJobs },
    users,
    readUsed: () => ({
      api: readProcessMicros(api.pid),
      renders: readFamilyMicros(api.pid) - readProcessMicros(api.pid),
      worker: readProcessMicros(worker.pid),
      postgres: readFamilyMicros(postgres?.pid ?? 0),
      redis: readFamilyMicros(redis?.pid ?? 0),
      people: readProcessMicros(people.pid),
    }),
  }
}

interface Load {
  count(): Promise<PeopleCounts>
  end(): Promise<unknown>
}

/** Begins chats and PDFs. Resolves once everybody has had an answer. */
async function beginPeople({ people, requests }: Setup): Promise<Load> {
  const count = () => people.call<PeopleCounts>('count')
  await people.call('begin', requests)
  const until = performance.now() + MAX_WARM_UP_MS
  for (let counts = await count(); counts.chats < requests.chats || counts.pdfs < requests.pdfs; ) {
    if (performance.now() > until) throw new Error(`People have to wait too long: ${JSON.stringify(counts)}`)
    await sleep(PROBE_INTERVAL_MS)
    counts = await count()
  }
  return { count, end: () => people.call('end') }
}

/** Begins what uses as much processor time as the load of one round did beyond that of another. */
async function beginBurden({ burdens }: Setup, loaded: Round, quiet: Round): Promise<Load> {
  const all = [...burdens.normal, ...burdens.low]
  const processors = availableParallelism()
  const begin = (children: Child[], share: number, isLow: boolean) =>
    children.map((child) => child.call('begin', { share: Math.max(0, (share * processors) / children.length), isLow }))
  await Promise.all([
    ...begin(burdens.normal, loaded.busy - quiet.busy, false),
    ...begin(burdens.low, loaded.busyAtLowPriority - quiet.busyAtLowPriority, true),
  ])
  return { count: async () => NOTHING, end: () => Promise.all(all.map((child) => child.call('end'))) }
}

async function measureRound(setup: Setup, round: number, load: Load): Promise<Round> {
  const stop = new AbortController()
  const opened: number[] = []
  try {
    const before = readMachineTime()
    const usedBefore = setup.readUsed()
    const startedAt = performance.now()
    const probes = probe(setup.requests.origin, stop.signal, async () => opened.push((await load.count()).open))
    // People who get a wrong answer end the run.
    const jobs = sendJobs(setup, round)
    const measured = await Promise.race([jobs, probes.then(() => jobs)])
    const [all = 0, normal = 0, low = 0] = readMachineTime().map((ticks, index) => ticks - at(before, index))
    const micros = 1_000 * (performance.now() - startedAt)
    const usedAfter = setup.readUsed()
    const used = PROGRAMS.map((program) => [program, (usedAfter[program] - usedBefore[program]) / micros])
    stop.abort()
    return {
      ...measured,
      busy: normal / all,
      busyAtLowPriority: low / all,
      used: Object.fromEntries(used) as Record<Program, number>,
      probed: await probes,
      open: quartiles(opened).median,
      counts: await load.count(),
    }
  } finally {
    stop.abort()
    await load.end()
  }
}

const NO_LOAD: Load = { count: async () => NOTHING, end: async () => {} }

/**
 * Measures the durations of high jobs with and without chats and PDFs in progress in the same API. The word `chats` or `pdfs`
 * leaves out the other one.
 */
export const measureMixedLoad: Part = async (bench) => {
  const { say, words } = bench
  const wants = (word: string): boolean => words.length === 0 || words.includes(word)
  const testBed = await openTestBed(bench)
  const setup = await openSetup(testBed, { chats: wants('chats') ? CHATS : 0, pdfs: wants('pdfs') ? PDFS : 0 })
  let turn = 0
  const run = async (load: Load): Promise<Round> => measureRound(setup, turn++, load)
  await run(await beginPeople(setup))
  const rounds: Record<Kind, Round[]> = { quiet: [], loaded: [], control: [] }
  const keep = (kind: Kind, round: Round): Round => {
    const { open, counts, waited, busy } = round
    say(
      `${kind}: waited p95 ${percentile(waited, P95).toFixed(1)} ms, processors ${(100 * busy).toFixed(0)} % busy, ${open} streams, ${counts.chats} answers, ${counts.pdfs} PDFs, ${counts.refusals} refused for now`,
    )
    rounds[kind].push(round)
    return round
  }
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = keep('quiet', await run(NO_LOAD))
    const loaded = keep('loaded', await run(await beginPeople(setup)))
    keep('control', await run(await beginBurden(setup, loaded, quiet)))
  }
  return describeMixedLoad(rounds, setup.requests)
}
