import type { Logger } from './logger.ts'

/** False or a rejection means that the service is unavailable. */
export type HealthCheck = () => boolean | Promise<unknown>

export interface HealthOptions {
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Services that the process cannot work without, by name. */
  required: Record<string, HealthCheck>
  /** Services that it can do without for a while. */
  optional?: Record<string, HealthCheck>
  /** Aborts when the process begins to stop. */
  draining: AbortSignal
  /** Loops that must keep running for the process to do its work. */
  loops?: Pick<LoopWatch, 'stuck'>
  /** Milliseconds. Replaced in tests only. */
  now?: () => number
}

export interface HealthReport {
  /** Whether the check passes. */
  ok: boolean
  /** What the caller is told. */
  body: Record<string, unknown>
}

export interface Health {
  /** Returns whether the process works, without asking other services, because a restart would not bring those back. */
  live(): HealthReport
  /**
   * Returns whether the process can do its work, and the services that are unavailable. However many callers ask, the services
   * are asked at most once a second.
   */
  ready(): Promise<HealthReport>
  /** Returns whether each service is up, by name; asks as rarely as `ready`. */
  services(): Promise<Record<string, boolean>>
}

const CHECK_TIMEOUT_MS = 1_500
const CHECK_INTERVAL_MS = 1_000

export function createHealth({
  log,
  required,
  optional = {},
  draining,
  loops,
  now = () => performance.now(),
}: HealthOptions): Health {
  const names = [...Object.keys(required), ...Object.keys(optional)]
  const findAllAway = shareFor(CHECK_INTERVAL_MS, now, () => Promise.all([findAway(required), findAway(optional)]))
  let reported = 'ready'
  /** Logs a state once, however often it is asked for. */
  const report = (status: string, away: string[]): void => {
    const state = [status, ...away].join(' ')
    if (state === reported || status === 'draining') return
    reported = state
    if (status === 'ready') log.info('ready again')
    else log.warn(status === 'degraded' ? 'working without a service' : 'not ready', { away })
  }
  let wasStuck = false

  return {
    live() {
      // Loops end on purpose when the process stops.
      const stuck = draining.aborted ? [] : (loops?.stuck() ?? [])
      if (stuck.length > 0 && !wasStuck) log.error('stuck', { loops: stuck })
      wasStuck = stuck.length > 0
      return wasStuck ? { ok: false, body: { status: 'stuck', loops: stuck } } : { ok: true, body: { status: 'ok' } }
    },
    async ready() {
      const [missing, lacking] = await findAllAway()
      const away = [...missing, ...lacking]
      const isServing = missing.length === 0
      const state = isServing ? (away.length === 0 ? 'ready' : 'degraded') : 'unavailable'
      const status = draining.aborted ? 'draining' : state
      report(status, away)
      return { ok: isServing && !draining.aborted, body: { status, away } }
    },
    async services() {
      const away = (await findAllAway()).flat()
      return Object.fromEntries(names.map((name) => [name, !away.includes(name)]))
    },
  }
}

/**
 * Returns a function that runs `work` at most once in `intervalMs` and never twice at the same time, and shares its result.
 */
export function shareFor<T>(intervalMs: number, now: () => number, work: () => Promise<T>): () => Promise<T> {
  let shared: { result: Promise<T>; startedAt: number; isDone: boolean } | undefined
  return () => {
    if (shared && (!shared.isDone || now() - shared.startedAt < intervalMs)) return shared.result
    const run = { result: work(), startedAt: now(), isDone: false }
    run.result = run.result.finally(() => {
      run.isDone = true
    })
    shared = run
    return run.result
  }
}

async function findAway(checks: Record<string, HealthCheck>): Promise<string[]> {
  const names = Object.keys(checks)
  const up = await Promise.all(Object.values(checks).map(passes))
  return names.filter((_, index) => !up[index])
}

async function passes(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false)
  })
  const checked = (async () => (await check()) !== false)().catch(() => false)
  return Promise.race([checked, timeout]).finally(() => clearTimeout(timer))
}

export interface LoopWatch {
  /** Notes that a loop has completed a round, whether it succeeded or failed. */
  completed(loop: string): void
  /** Returns the loops that have not completed a round for a minute. */
  stuck(): string[]
}

/** Every statement and command has a shorter timeout, so a round that takes longer will not end on its own. */
const MAX_ROUND_MS = 60_000

/** Watches loops by name, from now on. */
export function watchLoops(loops: readonly string[], now: () => number = () => performance.now()): LoopWatch {
  const started = now()
  const rounds = new Map(loops.map((loop) => [loop, started]))
  return {
    completed(loop) {
      if (rounds.has(loop)) rounds.set(loop, now())
    },
    stuck: () => [...rounds].filter(([, at]) => now() - at > MAX_ROUND_MS).map(([loop]) => loop),
  }
}
