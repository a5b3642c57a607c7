import { watchUrl } from '@subtext/testbed'
import { createAccounts } from '../accounts.ts'
import type { Child } from '../child-process.ts'
import { compare, type Servers, type Side } from '../compare.ts'
import type { LoadOptions } from '../load.ts'
import type { Bench, Part } from '../part.ts'
import type { VideoSeries } from '../platform-process.ts'
import { CALLERS, headersOf } from '../requests/setup.ts'
import { formatComparison } from '../table.ts'
import { openTestBed } from '../test-bed.ts'
import type { ScriptOptions } from './script-process.ts'

interface Length {
  name: string
  hours: number
  /** In a round. */
  jobs: number
  goal: number
}

const LENGTHS: Length[] = [
  { name: '10 minutes', hours: 1 / 6, jobs: 60, goal: 1.4 },
  { name: '1 hour', hours: 1, jobs: 20, goal: 1.2 },
]
const ROUNDS = 7
const USERS = 500

/** One way to do the whole job. */
interface Contender extends Pick<Side, 'processes'> {
  process(videoIds: string[]): Promise<unknown>
  /** Returns how many videos have been processed so far. */
  countStored(): Promise<number>
}

interface Setup {
  servers: Servers
  platform: Child
  sink: Child
  ours: Contender
  script: Contender
}

/**
 * Compares the whole job with a plain script. Ours: the submission, the job and the webhook, by an API, a worker and a webhook
 * sender as in a deployment. The script: `youtube-transcript`, the same summarizer, one INSERT, one signed POST.
 */
export const measureWholeJob: Part = async (bench) => {
  const setup = await openSetup(bench)
  const sections: string[] = []
  for (const length of LENGTHS) {
    bench.say(length.name)
    const sides = [setup.ours, setup.script].map((contender) => sideOf(setup, contender, length)) as [Side, Side]
    const comparison = await compare(setup.servers, ...sides, ROUNDS)
    sections.push(formatComparison(`the whole job, a video of ${length.name}`, 'script', comparison, length.goal))
  }
  return sections.join('\n\n')
}

async function openSetup(bench: Bench): Promise<Setup> {
  const testBed = await openTestBed(bench)
  const { db, baseline, baselineUrl: databaseUrl, servers } = testBed
  const platform = testBed.start(new URL('../platform-process.ts', import.meta.url))
  const sink = testBed.start(new URL('../sink-process.ts', import.meta.url))
  const loader = testBed.start(new URL('../load-process.ts', import.meta.url))
  const script = testBed.start(new URL('./script-process.ts', import.meta.url))
  const platformOrigin = await platform.call<string>('start', [])
  const [receiver = ''] = await sink.call<string[]>('listen', 1)
  const apps = ['api', 'worker', 'webhooks'] as const
  const { processes, origin } = await testBed.startApps(apps, { YOUTUBE_ORIGIN: platformOrigin })
  const headers = (await createAccounts([db], USERS, ['read', 'write'])).map(headersOf)
  const submit = (videoIds: string[]): Promise<unknown> => {
    const bodies = videoIds.map((id) => JSON.stringify({ url: watchUrl(id), webhook_url: receiver }))
    const post = { origin, method: 'POST', paths: ['/api/v1/videos/process'], status: 202 } as const
    return loader.call('load', {
      ...post,
      headers,
      bodies,
      callers: CALLERS,
      count: bodies.length,
    } satisfies LoadOptions)
  }
  const count = (rows: unknown[]): number => (rows as { count: number }[])[0]?.count ?? 0
  const COUNT_JOBS = `SELECT count(*)::int AS count FROM jobs WHERE status = 'completed'`
  const COUNT_SCRIPTS = 'SELECT count(*)::int AS count FROM scripts'
  return {
    servers,
    platform,
    sink,
    ours: { processes, process: submit, countStored: async () => count((await db.query(COUNT_JOBS)).rows) },
    script: {
      processes: [script],
      process: (videoIds) =>
        script.call('run', { platformOrigin, databaseUrl, receiver, videoIds } satisfies ScriptOptions),
      countStored: async () => count((await baseline.query(COUNT_SCRIPTS)).rows),
    },
  }
}

let series = 0

/** Processes new videos in each round. */
function sideOf({ platform, sink }: Setup, contender: Contender, { hours, jobs }: Length): Side {
  let videoIds: string[] = []
  let before = 0
  return {
    processes: contender.processes,
    async prepare() {
      const request: VideoSeries = { prefix: `j${(series++).toString(36).padStart(4, '0')}`, count: jobs, hours }
      videoIds = await platform.call<string[]>('addSeries', request)
      await sink.call('reset')
      before = await contender.countStored()
    },
    async run() {
      const startedAt = performance.now()
      await Promise.all([contender.process(videoIds), sink.call('waitForCount', jobs)])
      return { count: jobs, seconds: (performance.now() - startedAt) / 1_000 }
    },
    async verify() {
      const stored = (await contender.countStored()) - before
      const received = await sink.call<number>('count')
      if (stored !== jobs || received !== jobs)
        throw new Error(`${stored} results were stored and ${received} webhooks received instead of ${jobs}.`)
    },
  }
}
