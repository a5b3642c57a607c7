import { readFileSync } from 'node:fs'
import { at } from '@subtext/runtime'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import type { Child } from '../child-process.ts'
import type { LoadOptions, LoadReport } from '../load.ts'
import { headersOf } from '../requests/setup.ts'
import { seedResults } from '../sample-results.ts'
import type { MeasuredService } from '../test-bed.ts'
import { deleteJobs, formatCount, formatLine, formatSpent, type ScaleContext, type ScaleTrial, spend } from './trial.ts'

const startLoader = ({ testBed }: ScaleContext): Child => testBed.start(new URL('../load-process.ts', import.meta.url))
const load = (loader: Child, options: LoadOptions): Promise<LoadReport> => loader.call<LoadReport>('load', options)
const createAdmin = async ({ testBed }: ScaleContext): Promise<BenchAccount> =>
  at(await createAccounts([testBed.db], 1, ['admin']), 0)

async function countRows({ testBed }: ScaleContext, table: 'jobs' | 'batches'): Promise<number> {
  const { rows } = await testBed.db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return rows[0]?.count ?? 0
}

async function assertRows(scale: ScaleContext, table: 'jobs' | 'batches', expected: number): Promise<void> {
  const count = await countRows(scale, table)
  if (count !== expected) throw new Error(`There are ${count} ${table} instead of ${expected}.`)
}

const OPTIONS = { options: { summary_modes: ['tldr'] } }
const VIDEO = { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', ...OPTIONS }

const ACCEPTED = 300
const USERS = 200
const CALLERS = 4

/** What accepting a job costs with one API and with two. */
export const apisTrial: ScaleTrial = {
  name: 'apis',
  async run(scale) {
    const lines = ['1 to 2 APIs; goal: the same CPU per accepted job']
    const users = await createAccounts([scale.testBed.db], USERS, ['read', 'write'])
    const request = {
      method: 'POST' as const,
      paths: ['/api/v1/videos/process'],
      bodies: [JSON.stringify(VIDEO)],
      status: 202,
    }
    const apis: (MeasuredService & { loader: Child })[] = []
    for (const count of [1, 2]) {
      apis.push({ ...(await scale.testBed.startApps(['api'])), loader: startLoader(scale) })
      const accept = () =>
        Promise.all(
          apis.map(({ loader, origin }) =>
            load(loader, { ...request, origin, headers: users.map(headersOf), callers: CALLERS, count: ACCEPTED }),
          ),
        )
      await accept()
      await scale.testBed.db.query('UPDATE quota_usage SET used = 0')
      const before = await countRows(scale, 'jobs')
      const spent = await spend(
        scale,
        apis.flatMap(({ processes }) => processes),
        accept,
      )
      await assertRows(scale, 'jobs', before + count * ACCEPTED)
      await scale.testBed.db.query('UPDATE quota_usage SET used = 0')
      lines.push(
        formatLine(
          `${count} ${count === 1 ? 'API' : 'APIs'}`,
          `${((count * ACCEPTED) / spent.seconds).toFixed(0)} jobs/s`,
          `${formatSpent(spent, count * ACCEPTED)} of CPU per job`,
        ),
      )
    }
    await deleteJobs(scale)
    return lines
  },
}

const BATCHES = 100
const BATCH_SIZE = 100
const BATCH_CALLERS = 2

/** What accepting many large batches costs. */
export const batchesTrial: ScaleTrial = {
  name: 'batches',
  async run(scale) {
    const { processes, origin } = await scale.testBed.startApps(['api'])
    const loader = startLoader(scale)
    const bodies = [JSON.stringify({ videos: Array(BATCH_SIZE).fill(VIDEO) })]
    const headers = [headersOf(await createAdmin(scale))]
    const request = { method: 'POST' as const, paths: ['/api/v1/batch/process'], bodies, status: 202, origin, headers }
    const submit = (count: number) => load(loader, { ...request, callers: BATCH_CALLERS, count })
    await submit(BATCH_CALLERS)
    const spent = await spend(scale, processes, () => submit(BATCHES))
    await assertRows(scale, 'batches', BATCHES + BATCH_CALLERS)
    await assertRows(scale, 'jobs', (BATCHES + BATCH_CALLERS) * BATCH_SIZE)
    await deleteJobs(scale)
    return [
      `${BATCHES} batches of ${BATCH_SIZE} videos, ${BATCH_CALLERS} at once`,
      formatLine(
        `${formatCount(BATCHES * BATCH_SIZE)} jobs`,
        `${spent.seconds.toFixed(1)} s`,
        `${formatSpent(spent, BATCHES * BATCH_SIZE)} of CPU per job`,
      ),
    ]
  },
}

const RESULTS = 20
const RESULT_BYTES = 10_000_000
const MAX_MEGABYTES = 512

/** How much memory an API needs to send many large results at once. */
export const resultsTrial: ScaleTrial = {
  name: 'results',
  async run(scale) {
    const { processes, origin } = await scale.testBed.startApps(['api'])
    const api = at(processes, 0)
    const user = at(await createAccounts([scale.testBed.db], 1, ['read', 'write']), 0)
    const [jobId] = await seedResults(scale.testBed, [user.userId], RESULT_BYTES)
    const paths = [`/api/v1/videos/result/${jobId}`]
    const loader = startLoader(scale)
    const request = { method: 'GET' as const, paths, status: 200, origin, headers: [headersOf(user)] }
    const one = await load(loader, { ...request, callers: 1, count: 1 })
    const before = readPeakMegabytes(api.pid)
    let report: LoadReport | undefined
    const spent = await spend(scale, processes, async () => {
      report = await load(loader, { ...request, callers: RESULTS, count: RESULTS })
    })
    const bytes = (report?.bytes ?? 0) / RESULTS
    if (bytes < RESULT_BYTES || Math.abs(bytes / one.bytes - 1) > 0.001)
      throw new Error(`The results have ${bytes} bytes instead of ${one.bytes}.`)
    await deleteJobs(scale)
    return [
      `${RESULTS} results of 10 MB at once; goal: at most ${MAX_MEGABYTES} MB`,
      formatLine(
        'peak memory of the API',
        `${readPeakMegabytes(api.pid).toFixed(0)} MB (${before.toFixed(0)} MB for one)`,
        `${spent.seconds.toFixed(1)} s`,
        `${formatSpent(spent, RESULTS)} of CPU per result`,
      ),
    ]
  },
}

/** Returns the largest resident size that a process has had. */
const readPeakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? Number.NaN) / 1_024
