import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { findSteadyPort, inheritedEnv, openTcpLink, type TcpLink } from '@subtext/embedded/testing'
import { type AppName, type AppProcess, spawnApp, untilReady } from '@subtext/server'
import type { Arena } from './arena.ts'

/** A place of the service in which one process after the other runs, with wires of its own to the servers. */
export interface Slot {
  readonly name: string
  readonly app: AppName
  readonly links: { postgres: TcpLink; redis: TcpLink }
  /** Of the API. */
  readonly baseUrl: string
  /** Name of the process that runs now, as the database knows it. */
  processName(): string
  isRunning(): boolean
  /** `kill -9`; says its name. */
  kill(): Promise<string>
  start(): void
  freeze(): void
  thaw(): void
  /** For good, in order; what does not end in time is an error. */
  stop(): Promise<void>
}

export interface Fleet {
  slots: readonly Slot[]
  of(app: AppName): Slot[]
  /** Processes that ended though nobody had killed them. */
  crashes: string[]
  untilReady(): Promise<void>
  /** Starts these apps anew with other settings. */
  change(apps: AppName[], settings: Record<string, string>): Promise<void>
}

export const LEASE_SECONDS = 4
/** Deliveries that one receiver may get at once. */
export const RECEIVER_CAP = 5

const SETTINGS = {
  HOST: '127.0.0.1',
  HTTPS_ONLY: 'false',
  LOG_LEVEL: 'info',
  SHUTDOWN_GRACE_SECONDS: '1',
  RATE_LIMIT_PRO: '1000000',
  JOB_LEASE_SECONDS: String(LEASE_SECONDS),
  JOB_RETRY_SCHEDULE: '1s,1s,2s,2s',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s,2s,2s,4s,4s,4s,4s',
  WEBHOOK_RECEIVER_CONCURRENCY: String(RECEIVER_CAP),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
  ANTHROPIC_API_KEY: 'of the stand-in',
}
const PROCESSES: Record<AppName, number> = { api: 2, worker: 2, webhooks: 2 }
/** As promised; ready to stop it is far sooner, unless the machine is busy. */
const STOP_WITHIN_MS = 30_000
/** A crash is seen, and ended, as a supervisor would. */
const RESTART_AFTER_MS = 500

export async function startFleet(arena: Arena, settings: Record<string, string>): Promise<Fleet> {
  const crashes: string[] = []
  const common = {
    ...inheritedEnv(),
    ...SETTINGS,
    YOUTUBE_ORIGIN: arena.platform.origin,
    ANTHROPIC_BASE_URL: arena.messagesApi.baseUrl,
    ...settings,
  }
  const slots: Slot[] = []
  for (const [app, count] of Object.entries(PROCESSES) as [AppName, number][]) {
    for (let nth = 1; nth <= count; nth++) slots.push(await openSlot(arena, app, `${app}-${nth}`, common, crashes))
  }
  arena.onClose(() => Promise.all(slots.map((slot) => slot.stop())))
  const of = (app: AppName): Slot[] => slots.filter((slot) => slot.app === app)
  const ready = async () => void (await Promise.all(of('api').map(({ baseUrl }) => untilReady(baseUrl))))
  return {
    slots,
    of,
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
  arena: Arena,
  app: AppName,
  name: string,
  common: Record<string, string>,
  crashes: string[],
): Promise<Slot> {
  const links = { postgres: await openTcpLink(arena.postgres.url), redis: await openTcpLink(arena.redis.url) }
  arena.onClose(async () => void (await Promise.all([links.postgres.close(), links.redis.close()])))
  const port = String(await findSteadyPort())
  const baseUrl = `http://127.0.0.1:${port}`
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
    const started = spawnApp(app, { ...common, ...addresses, PORT: port, PUBLIC_BASE_URL: baseUrl }, arena.log.fd)
    running = started
    const name = processName()
    void started.exited.then(async (code) => {
      if (running !== started) return
      running = undefined
      if (closing) return
      crashes.push(`${name} ended by itself (${code})`)
      await sleep(RESTART_AFTER_MS)
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
      const stopped = running
      const began = performance.now()
      stopped?.kill('SIGCONT')
      await stopped?.stop(STOP_WITHIN_MS)
      if (performance.now() - began > STOP_WITHIN_MS) throw new Error(`${processName()} did not stop.`)
    },
  }
}
