import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import { watchUrl } from '@subtext/testbed'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import type { Part } from '../part.ts'
import type { VideoSeries } from '../platform-process.ts'
import { headersOf } from '../requests/setup.ts'
import { startWriteFleet, type WriteFleet } from './fleet.ts'
import { type LogShare, perJob, perSecond, type StatementCount, subtract, type WriteCounts } from './statistics.ts'

const JOBS = 120
const WARM_UP_JOBS = 40
const BATCH_SIZE = 10
const VIDEO_HOURS = 1 / 6
const IDLE_SECONDS = 20
/** PostgreSQL publishes the counts of an idle session after up to ten seconds. */
const PUBLISH_MS = 11_000
const POLL_MS = 200
const TIMEOUT_MS = 300_000
/** As many as jobs warm up, so that each has a webhook secret. */
const USERS = 40

interface Case {
  name: string
  jobs: number
  /** Submits jobs for these videos in turn. */
  submit(run: Run, videoIds: string[]): Promise<void>
  newVideos: boolean
  webhooks: boolean
}

/** The state shared by all cases of a run. */
interface Run {
  fleet: WriteFleet
  users: BenchAccount[]
  webhookUrl: string
  submissions: number
  /** All jobs that must exist. */
  jobs: number
}

const CASES: Case[] = [
  { name: 'a new video', jobs: JOBS, submit: submitJobs({}), newVideos: true, webhooks: false },
  { name: 'a video seen before', jobs: JOBS, submit: submitJobs({}), newVideos: false, webhooks: false },
  { name: 'a new video, webhook', jobs: JOBS, submit: submitJobs({ webhook: true }), newVideos: true, webhooks: true },
  { name: 'new videos in batches of 10', jobs: JOBS, submit: submitBatches, newVideos: true, webhooks: false },
]

/**
 * Measures what the service writes for a job, with all of its processes running: submissions one after another, each by
 * another account, of videos of ten minutes with one extractive summary. The word `statements` lists those of each case.
 */
export const measureWriteCosts: Part = async (bench) => {
  const { say } = bench
  say('starting PostgreSQL, Redis, an API, two workers and a webhook sender')
  const fleet = await startWriteFleet(bench)
  const users = await createAccounts([fleet.db], USERS, ['read', 'write'])
  const [webhookUrl = ''] = await fleet.sink.call<string[]>('listen', 1)
  const run: Run = { fleet, users, webhookUrl, submissions: 0, jobs: 0 }
  say('warming up')
  for (const each of CASES) await perform(run, { ...each, jobs: WARM_UP_JOBS })
  await fleet.db.query('VACUUM ANALYZE')
  await fleet.statistics.checkpoint()
  for (const each of CASES) await perform(run, { ...each, jobs: WARM_UP_JOBS })

  say(`idle for ${IDLE_SECONDS} s`)
  const idle = await measureIdle(run)
  const lines = [formatLine('idle, per second', idle)]
  const lists: string[] = []
  for (const each of CASES) {
    say(each.name)
    const { counts, statements, log } = await measureCase(run, each, idle)
    lines.push(formatLine(each.name, counts))
    if (bench.words.includes('statements')) lists.push(formatStatements(each, statements), formatLog(each, log))
  }
  return [HEAD, ...lines, NOTES, ...lists].join('\n')
}

async function measureIdle({ fleet: { statistics } }: Run): Promise<WriteCounts> {
  await sleep(PUBLISH_MS)
  const startedAt = performance.now()
  const before = await statistics.read()
  await sleep(IDLE_SECONDS * 1_000)
  const after = await statistics.read()
  return perSecond(subtract(after, before), (performance.now() - startedAt) / 1_000)
}

async function measureCase(
  run: Run,
  each: Case,
  idle: WriteCounts,
): Promise<{ counts: WriteCounts; statements: StatementCount[]; log: LogShare[] }> {
  const { statistics } = run.fleet
  await sleep(PUBLISH_MS)
  await statistics.resetStatements()
  const startedAt = performance.now()
  const before = await statistics.read()
  const logStart = await statistics.findLogEnd()
  const own = await perform(run, each)
  const statements = await statistics.listStatements()
  await sleep(PUBLISH_MS)
  const after = await statistics.read()
  const seconds = (performance.now() - startedAt) / 1_000
  const log = await statistics.listLogShares(logStart)
  const counts = subtract(after, before)
  const others = {
    ...counts,
    statements: counts.statements - own,
    transactions: counts.transactions - own,
    walBytes: counts.walBytes - log.reduce((sum, { imageBytes }) => sum + imageBytes, 0),
  }
  return { counts: perJob(others, each.jobs, idle, seconds), statements, log }
}

/** Submits the jobs and waits until all of them, and their webhooks, are done. Returns the number of statements for waiting. */
async function perform(run: Run, { jobs, newVideos, webhooks, submit }: Case): Promise<number> {
  const { fleet } = run
  await fleet.sink.call('reset')
  const series: VideoSeries = {
    prefix: newVideos ? `w${run.submissions.toString(36).padStart(5, '0')}` : 'seen',
    count: newVideos ? jobs : 1,
    hours: VIDEO_HOURS,
  }
  const videoIds = await fleet.platform.call<string[]>('addSeries', series)
  await submit(
    run,
    Array.from({ length: jobs }, (_, nth) => at(videoIds, nth % videoIds.length)),
  )
  if (webhooks) await fleet.sink.call('waitForCount', jobs)
  for (let polls = 1; ; polls++) {
    const { rows } = await fleet.db.query<{ all: number; completed: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE status = 'completed')::int AS completed FROM jobs`,
    )
    if (rows[0]?.all === rows[0]?.completed) {
      run.jobs += jobs
      if (rows[0]?.all !== run.jobs) throw new Error(`There are ${rows[0]?.all} jobs instead of ${run.jobs}.`)
      return polls
    }
    if (polls * POLL_MS > TIMEOUT_MS) throw new Error(`${rows[0]?.completed} of ${rows[0]?.all} jobs are completed.`)
    await sleep(POLL_MS)
  }
}

function submitJobs({ webhook = false }): Case['submit'] {
  return async (run, videoIds) => {
    for (const id of videoIds) {
      const body = { url: watchUrl(id), ...OPTIONS, ...(webhook && { webhook_url: run.webhookUrl }) }
      await post(run, '/videos/process', body)
    }
  }
}

async function submitBatches(run: Run, videoIds: string[]): Promise<void> {
  for (let start = 0; start < videoIds.length; start += BATCH_SIZE) {
    const videos = videoIds.slice(start, start + BATCH_SIZE).map((id) => ({ url: watchUrl(id), ...OPTIONS }))
    await post(run, '/batch/process', { videos })
  }
}

const OPTIONS = { options: { summary_modes: ['tldr'] } }

async function post(run: Run, path: string, body: object): Promise<void> {
  const headers = headersOf(at(run.users, run.submissions++ % run.users.length))
  const url = `${run.fleet.apiOrigin}${API_PREFIX}${path}`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 202) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
}

const COLUMNS: [keyof WriteCounts, string][] = [
  ['statements', 'statements'],
  ['transactions', 'transactions'],
  ['fsyncs', 'fsyncs'],
  ['walBytes', 'WAL bytes'],
  ['rows', 'rows'],
  ['storedBytes', 'bytes stored'],
]
const NAME_WIDTH = 32
const COLUMN_WIDTH = 14

const HEAD = `Writes per job${''.padEnd(NAME_WIDTH - 14)}${COLUMNS.map(([, title]) => title.padStart(COLUMN_WIDTH)).join('')}`
const NOTES = `
Without what the processes do when idle. Statements and transactions include those that only read. WAL bytes are
without vacuum, and without the full-page images that follow a checkpoint; bytes stored include indexes and dead rows.`

const formatNumber = (value: number): string =>
  Math.abs(value) < 1_000 ? value.toFixed(1) : Math.round(value).toLocaleString('en')

const formatLine = (name: string, counts: WriteCounts): string =>
  name.padEnd(NAME_WIDTH) + COLUMNS.map(([column]) => formatNumber(counts[column]).padStart(COLUMN_WIDTH)).join('')

const STATEMENT_WIDTH = 120
const MIN_CALLS_PER_JOB = 0.05

function formatStatements({ name, jobs }: Case, statements: StatementCount[]): string {
  const lines = statements
    .filter(({ calls }) => calls / jobs >= MIN_CALLS_PER_JOB)
    .map(({ text, calls, walBytes }) => {
      const short = text.replaceAll(/\s+/g, ' ').slice(0, STATEMENT_WIDTH)
      return `${(calls / jobs).toFixed(2).padStart(8)}${Math.round(walBytes / jobs)
        .toString()
        .padStart(8)}  ${short}`
    })
  return [`\n${name}: calls and WAL bytes per job`, ...lines].join('\n')
}

const MIN_LOG_BYTES_PER_JOB = 10

/** Including what the processes do when idle, but without full-page images. */
function formatLog({ name, jobs }: Case, log: LogShare[]): string {
  const lines = log
    .filter(({ walBytes }) => walBytes / jobs >= MIN_LOG_BYTES_PER_JOB)
    .map(({ name, records, walBytes }) =>
      [(records / jobs).toFixed(2).padStart(8), (walBytes / jobs).toFixed(0).padStart(8), `  ${name}`].join(''),
    )
  return [`\n${name}: records and bytes of the log per job`, ...lines].join('\n')
}
