import { setTimeout as sleep } from 'node:timers/promises'
import { inheritedEnv, openTcpLink, type TcpLink } from '@subtext/embedded/testing'
import { APPS, type AppProcess, type CoreApp, spawnApp, untilReady } from '@subtext/standalone'
import { choosePorts, LOCAL_SETTINGS, stopInTime } from '@subtext/testbed'
import type { ChaosTestBed } from './test-bed.ts'

/** A position in the fleet that runs one process after another, with separate links to the servers. */
export interface Slot {
  readonly name: string
  readonly app: CoreApp
  readonly links: { postgres: TcpLink; redis: TcpLink }
  /** The URL of the process, where it is an API. */
  readonly baseUrl: string
  /** Returns the database's `application_name` of the current process. */
  processName(): string
  isRunning(): boolean
  /** Kills the process (`kill -9`) and returns its name. */
  kill(): Promise<string>
  start(): void
  freeze(): void
  thaw(): void
  /** Stops the process gracefully and for good; throws when it does not exit in time. */
  stop(): Promise<void>
}

export interface Fleet {
  slots: readonly Slot[]
  of(app: CoreApp): Slot[]
  /** Returns a slot of the app, counted from 0. */
  nth(app: CoreApp, index: number): Slot
  /** Processes that exited without having been killed. */
  crashes: string[]
  untilReady(): Promise<void>
  /** Restarts these apps with changed settings. */
  change(apps: CoreApp[], settings: Record<string, string>): Promise<void>
}

export const LEASE_SECONDS = 4
/** Maximum number of concurrent deliveries to one receiver. */
export const RECEIVER_LIMIT = 5

const SETTINGS = {
  ...LOCAL_SETTINGS,
  LOG_LEVEL: 'info',
  SHUTDOWN_GRACE_SECONDS: '1',
  RATE_LIMIT_PRO: '1000000',
  JOB_LEASE_SECONDS: String(LEASE_SECONDS),
  JOB_RETRY_SCHEDULE: '1s,1s,2s,2s',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s,2s,2s,4s,4s,4s,4s',
  SOURCE_CHECK_MINUTES: '0.05',
  SOURCE_RETRY_SCHEDULE: '1s,1s,2s,2s,4s,4s',
  WEBHOOK_RECEIVER_CONCURRENCY: String(RECEIVER_LIMIT),
}
const PROCESSES_PER_APP = 2
/** Crashed processes are restarted, as a supervisor would do. */
const RESTART_DELAY_MS = 500

export async function startFleet(testBed: ChaosTestBed, settings: Record<string, string>): Promise<Fleet> {
  const crashes: string[] = []
  const common = { ...inheritedEnv(), ...SETTINGS, ...testBed.settings, ...settings }
  const slots: Slot[] = []
  for (const app of APPS) {
    for (let nth = 1; nth <= PROCESSES_PER_APP; nth++) {
      slots.push(await openSlot(testBed, app, `${app}-${nth}`, common, crashes))
    }
  }
  testBed.onClose(() => Promise.all(slots.map((slot) => slot.stop())))
  const of = (app: CoreApp): Slot[] => slots.filter((slot) => slot.app === app)
  const ready = async () => void (await Promise.all(of('api').map(({ baseUrl }) => untilReady(baseUrl))))
  return {
    slots,
    of,
    nth(app, index) {
      const slot = of(app)[index]
      if (!slot) throw new RangeError(`The fleet has no slot ${index} for ${app}.`)
      return slot
    },
    crashes,
    untilReady: ready,
    async change(apps, changed) {
      Object.assign(common, changed)
      const affected = slots.filter(({ app }) => apps.includes(app))
      await Promise.all(affected.map((slot) => slot.kill()))
      for (const slot of affected) slot.start()
      await ready()
    },
  }
}

async function openSlot(
  testBed: ChaosTestBed,
  app: CoreApp,
  name: string,
  common: Record<string, string>,
  crashes: string[],
): Promise<Slot> {
  const links = { postgres: await openTcpLink(testBed.postgres.url), redis: await openTcpLink(testBed.redis.url) }
  testBed.onClose(async () => void (await Promise.all([links.postgres.close(), links.redis.close()])))
  const { baseUrl, settings: ports } = await choosePorts()
  let incarnation = 0
  let running: AppProcess | undefined
  let closing = false
  const processName = (): string => `${name}.${incarnation}`

  const start = (): void => {
    if (closing || running) return
    incarnation++
    const databaseUrl = new URL(links.postgres.url)
    databaseUrl.searchParams.set('application_name', processName())
    const addresses = { DATABASE_URL: databaseUrl.href, REDIS_URL: links.redis.url }
    const started = spawnApp(app, { ...common, ...addresses, ...ports }, testBed.log.fd)
    running = started
    const name = processName()
    void started.exited.then(async (code) => {
      if (running !== started) return
      running = undefined
      if (closing) return
      crashes.push(`${name} exited unexpectedly (${code})`)
      await sleep(RESTART_DELAY_MS)
      start()
    })
  }
  start()
  return {
    name,
    app,
    links,
    baseUrl,
    processName,
    isRunning: () => running !== undefined,
    async kill() {
      const killed = running
      running = undefined
      killed?.kill('SIGKILL')
      await killed?.exited
      return processName()
    },
    start,
    freeze: () => running?.kill('SIGSTOP'),
    thaw: () => running?.kill('SIGCONT'),
    async stop() {
      closing = true
      running?.kill('SIGCONT')
      if (running) await stopInTime(processName(), running)
    },
  }
}
