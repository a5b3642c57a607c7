import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, openDb } from '@subtext/db'
import { choosePorts, LOCAL_SETTINGS, listDescendants, openFolder, startCommand, watchUrl } from '@subtext/testbed'
import { createAccounts } from './accounts.ts'
import { startChild } from './child-process.ts'
import type { LoadOptions } from './load.ts'
import type { Part } from './part.ts'
import type { VideoSeries } from './platform-process.ts'
import { CALLERS, headersOf } from './requests/setup.ts'
import { formatLine } from './table.ts'

const JOBS = 1_000
const VIDEOS: VideoSeries = { prefix: 'mem', count: JOBS, hours: 1 / 6 }
/** Enough that none reaches its quota of 30 videos. */
const USERS = 50
const IDLE_MS = 15_000
const POLL_MS = 500
const LONG_VIDEO: VideoSeries = { prefix: 'long', count: 1, hours: 10 }
const TIMEOUT_MS = 600_000
const GOALS = ['<= 280', '<= 400', '']
const WIDTHS = [24, 14, 22, 22]

/** The processes of `npm start` by what their command lines contain. */
const PROGRAMS: [name: string, pattern: RegExp][] = [
  ['API', /\/api\/main\.js/],
  ['worker', /\/worker\/main\.js/],
  ['webhook sender', /\/webhooks\/main\.js/],
  ['MCP server', /\/mcp\/main\.js/],
  ['PostgreSQL', /postgres/],
  ['Redis', /redis|valkey/],
  ['npm start', /run\.mjs/],
  ['render', /render-process/],
]

/** Measures the memory of `npm start` by process: idle, after many jobs, and its peak while a long PDF is rendered. */
export const measureMemory: Part = async ({ say, undo }) => {
  const folder = await openFolder(undo)
  const start = (file: URL, name: string) => {
    const child = startChild(file, join(folder, `${name}.log`))
    undo.add(child.stop)
    return child
  }
  const platform = start(new URL('./platform-process.ts', import.meta.url), 'platform')
  const loader = start(new URL('./load-process.ts', import.meta.url), 'load')
  const { baseUrl: origin, settings: ports } = await choosePorts()
  say('starting the service as `npm start` does')
  const service = await undo.keep(
    startCommand({
      ...LOCAL_SETTINGS,
      ...ports,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      SUBTEXT_DATA_DIR: folder,
      YOUTUBE_ORIGIN: await platform.call<string>('start', []),
    }),
  )
  await sleep(IDLE_MS)
  const idle = readMegabytes(service.pid)

  say(`${JOBS} jobs of ten minutes`)
  const { databaseUrl } = JSON.parse(await readFile(join(folder, 'running.json'), 'utf8')) as { databaseUrl: string }
  const db = openDb({ url: databaseUrl, maxConnections: 1 })
  undo.add(db.close)
  const headers = (await createAccounts([db], USERS, ['read', 'write'])).map(headersOf)
  const videoIds = await platform.call<string[]>('addSeries', VIDEOS)
  const bodies = videoIds.map((id) => JSON.stringify({ url: watchUrl(id) }))
  const paths = ['/api/v1/videos/process']
  const submissions: LoadOptions = {
    origin,
    method: 'POST',
    paths,
    headers,
    bodies,
    status: 202,
    callers: CALLERS,
    count: JOBS,
  }
  await loader.call('load', submissions)
  await untilCompleted(db, JOBS)
  const worked = readMegabytes(service.pid)

  say('a PDF of ten hours')
  const [longId = ''] = await platform.call<string[]>('addSeries', LONG_VIDEO)
  const api = `${origin}/api/v1`
  const [header = {}] = headers
  const body = JSON.stringify({ url: watchUrl(longId) })
  const submitted = await fetch(`${api}/videos/process`, { method: 'POST', headers: header, body })
  const { data } = (await submitted.json()) as { data: { job_id: string } }
  await untilCompleted(db, JOBS + 1)
  const rendering = await peakDuring(service.pid, async () => {
    const response = await fetch(`${api}/videos/export/${data.job_id}/pdf`, { headers: header })
    if (!response.ok) throw new Error(`The PDF was refused: ${await response.text()}`)
    await response.arrayBuffer()
  })
  return format([idle, worked, rendering])
}

const COUNT = `SELECT count(*)::int AS jobs FROM jobs WHERE status = 'completed'`

async function untilCompleted(db: Db, jobs: number): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (((await db.query<{ jobs: number }>(COUNT)).rows[0]?.jobs ?? 0) < jobs) {
    if (performance.now() > deadline) throw new Error('The jobs take too long.')
    await sleep(POLL_MS)
  }
}

/** Returns the memory by program at the moment when all of them together had the most. */
async function peakDuring(pid: number, work: () => Promise<void>): Promise<Map<string, number>> {
  let peak = readMegabytes(pid)
  const read = (): void => {
    const now = readMegabytes(pid)
    if (sumOf(now) > sumOf(peak)) peak = now
  }
  const timer = setInterval(read, POLL_MS)
  await work().finally(() => clearInterval(timer))
  return peak
}

const sumOf = (sizes: Map<string, number>): number => [...sizes.values()].reduce((total, size) => total + size, 0)

/** Returns the memory of a process and its descendants by program, in megabytes: its share where processes share pages. */
function readMegabytes(pid: number): Map<string, number> {
  const sums = new Map(PROGRAMS.map(([name]) => [name, 0]))
  for (const program of [{ pid, command: 'run.mjs' }, ...listDescendants(pid)]) {
    const [name = program.command] = PROGRAMS.find(([, pattern]) => pattern.test(program.command)) ?? []
    sums.set(name, (sums.get(name) ?? 0) + readShareMegabytes(program.pid))
  }
  return sums
}

/** Returns the memory of a process in megabytes: its share where processes share pages. 0: the process has ended. */
export function readShareMegabytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

function format(columns: Map<string, number>[]): string {
  const line = (name: string, values: number[]): string =>
    formatLine([name, ...values.map((value) => value.toFixed(0))], WIDTHS)
  const names = new Set(columns.flatMap((column) => [...column.keys()]))
  return [
    formatLine(['memory of npm start, MB', 'idle', `after ${JOBS} jobs`, 'PDF of ten hours'], WIDTHS),
    ...[...names].map((name) =>
      line(
        name,
        columns.map((column) => column.get(name) ?? 0),
      ),
    ),
    line('all', columns.map(sumOf)),
    formatLine(['goal', ...GOALS], WIDTHS),
  ].join('\n')
}
