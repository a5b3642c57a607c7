import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDb } from '@subtext/db'
import { startPostgres } from '@subtext/embedded'
import { hasPgBouncer, inheritedEnv } from '@subtext/embedded/testing'
import { type CoreApp, untilReady } from '@subtext/standalone'
import {
  createUndo,
  findViolations,
  LOCAL_SETTINGS,
  openFolder,
  openLog,
  startWorld,
  type Undo,
} from '@subtext/testbed'
import { type HttpProxy, startHttpProxy } from './http-proxy.ts'
import { type Load, startLoad } from './load.ts'
import { type RolloutOutcome, readOutcome } from './outcome.ts'
import { type FleetPlace, openPlace } from './processes.ts'

export interface RolloutOptions {
  /** The folder of the installed release. */
  install: string
  /** The folder of the release before it. If undefined, the rollout restarts the same release. */
  previous?: string
  perSecond: number
  say: (text: string) => void
}

export interface RolloutReport extends RolloutOutcome {
  isPooled: boolean
  crashes: string[]
  /** The phases of the run, each with the number of requests that had to be repeated. */
  phases: { name: string; seconds: number; repeated: number }[]
  load: Load['figures']
}

const FLEET: [app: CoreApp, processes: number][] = [
  ['api', 2],
  ['worker', 3],
  ['webhooks', 2],
]
const ACCOUNTS = 4
const STEADY_MS = 5_000
/** Time that a draining API has to answer the requests it already got. */
const DRAIN_MS = 1_000
/** Response time of the platform. Long enough that every stop of a worker interrupts jobs. */
const CAPTIONS_MS = 700

const SETTINGS = {
  ...LOCAL_SETTINGS,
  LOG_LEVEL: 'info',
  SHUTDOWN_GRACE_SECONDS: '5',
  TRUST_PROXY_HOPS: '1',
  RATE_LIMIT_ADMIN: '1000000',
}

/**
 * Installs two APIs, three workers and two webhook senders behind HAProxy and PgBouncer, and replaces each process under
 * load; with a previous release, its processes first work on the new schema. Then kills one of each app.
 */
export async function runRollout(options: RolloutOptions): Promise<RolloutReport> {
  const undo = createUndo()
  try {
    const world = await openWorld(undo, options)
    const fleet = await startFleet(world, undo, options)
    return await perform({ ...world, ...fleet }, options)
  } finally {
    await undo.run()
  }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function openWorld(undo: Undo, { install, previous, say }: RolloutOptions) {
  const folder = await openFolder(undo)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true, onProgress: say })
  undo.add(postgres.stop)
  // As the guide says, migrations connect to PostgreSQL itself.
  await migrate(previous ?? install, postgres.url)
  const pgBouncer = hasPgBouncer()
  const given = { databaseUrl: postgres.url, pgBouncer, ownRedis: true, durable: true }
  const { fakes, settings } = await startWorld(given, undo)
  fakes.platform.delay({ kind: 'timedtext', ms: CAPTIONS_MS })
  const db = openDb({ url: postgres.url, maxConnections: 2, onIdleError: () => {} })
  undo.add(db.close)
  return {
    ...fakes,
    postgres,
    db,
    log: await openLog(undo, folder),
    settings: { ...inheritedEnv(), ...SETTINGS, ...settings, BLOB_STORE_URL: `file://${join(folder, 'files')}` },
    isPooled: pgBouncer,
  }
}

/** Runs a program of a release against the database itself, and returns what it prints. Rejects if it fails. */
async function runProgram(release: string, databaseUrl: string, ...args: string[]): Promise<string> {
  const env = { ...inheritedEnv(), DATABASE_URL: databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: release, env })
  return stdout.trim()
}

/** Returns the path of a program of a release, in the folder `server` until that was called `standalone`. */
const findProgram = (release: string, program: string): string => {
  const folders = ['dist/standalone', 'dist/server']
  return join(folders.find((folder) => existsSync(join(release, folder))) ?? 'dist/standalone', program)
}

const migrate = (release: string, databaseUrl: string): Promise<string> =>
  runProgram(release, databaseUrl, findProgram(release, 'migrate.js'))

/**
 * Creates an account with a key. The key has the scope `admin`, which has no quota, because this program sends more videos a
 * day than the plans allow.
 */
const createKey = (release: string, databaseUrl: string, nth: number): Promise<string> => {
  const account = ['--email', `reader-${nth}@example.org`, '--plan', 'pro', '--admin']
  return runProgram(release, databaseUrl, findProgram(release, 'admin.js'), 'create-key', ...account)
}

async function startFleet(world: World, undo: Undo, { install, previous, say }: RolloutOptions) {
  say('starting two APIs, three workers and two webhook senders')
  const crashes: string[] = []
  const places: FleetPlace[] = []
  undo.add(() => Promise.all(places.map((place) => place.stop())))
  for (const [app, processes] of FLEET) {
    for (let nth = 1; nth <= processes; nth++) {
      const { settings, log } = world
      const options = { name: `${app}-${nth}`, app, release: previous ?? install, settings, log: log.fd }
      places.push(await openPlace({ ...options, onCrash: (text) => crashes.push(text) }))
    }
  }
  const proxy = await startHttpProxy(places.filter(({ app }) => app === 'api'))
  undo.add(proxy.close)
  await untilReady(proxy.origin)
  return { places, crashes, proxy }
}

type Fleet = World & { places: FleetPlace[]; crashes: string[]; proxy: HttpProxy }

async function perform(fleet: Fleet, { install, previous, perSecond, say }: RolloutOptions): Promise<RolloutReport> {
  const keys = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, nth) => createKey(previous ?? install, fleet.postgres.url, nth)),
  )
  const { platform, receiver } = fleet
  const load = startLoad({
    origin: fleet.proxy.origin,
    keys,
    platform,
    webhookUrl: `${receiver.origin}/hook`,
    perSecond,
  })
  const phases: RolloutReport['phases'] = []
  const phase = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    say(name)
    const [startedAt, before] = [performance.now(), countRefused(load)]
    await work()
    const seconds = (performance.now() - startedAt) / 1_000
    phases.push({ name, seconds, repeated: countRefused(load) - before })
  }
  await phase('steady', () => sleep(STEADY_MS))
  if (previous !== undefined) {
    await phase('migration under load', () => migrate(install, fleet.postgres.url))
    await phase('previous release on the new schema', () => sleep(2 * STEADY_MS))
  }
  await phase('rolling restart', () => restartAll(fleet, install))
  for (const app of ['api', 'worker', 'webhooks'] as const) {
    await phase(`kill -9 of one ${app} process`, async () => {
      await fleet.places.find((place) => place.app === app)?.kill()
      await sleep(STEADY_MS / 2)
    })
  }
  await phase('remaining jobs and webhooks', async () => {
    await load.stop()
    await untilNothingIsLeft(fleet)
  })
  const outcome = await readOutcome(fleet.db, receiver, load.figures.jobIds)
  const rows = async <Row>(text: string) => (await fleet.db.query<Row>(text)).rows
  const violations = { ...outcome.violations, ...(await findViolations({ rows })) }
  return { ...outcome, violations, isPooled: fleet.isPooled, crashes: fleet.crashes, phases, load: load.figures }
}

const countRefused = ({ figures }: Load): number => [...figures.refused.values()].reduce((sum, count) => sum + count, 0)

/** Replaces one process after another; an API gets no new requests before it stops. */
async function restartAll({ places, proxy }: Fleet, release: string): Promise<void> {
  for (const place of places) {
    if (place.app === 'api') {
      await proxy.drain(place.name)
      await sleep(DRAIN_MS)
    }
    await place.restart(release)
    if (place.app === 'api') await proxy.ready(place.name)
  }
}

const LEFT = `SELECT (SELECT count(*)::int FROM jobs WHERE status IN ('queued', 'processing'))
  + (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS left`
const SETTLE_MS = 300_000

async function untilNothingIsLeft({ db }: Fleet): Promise<void> {
  const deadline = performance.now() + SETTLE_MS
  for (;;) {
    const { rows } = await db.query<{ left: number }>(LEFT)
    if (rows[0]?.left === 0 || performance.now() > deadline) return
    await sleep(500)
  }
}
