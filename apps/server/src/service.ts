import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { APPS, type AppName, type KeptApp, keepApp } from './app-process.ts'
import type { Settings } from './env.ts'

export interface RunningService {
  apps: Record<AppName, KeptApp>
  /** Stops taking work, ends the processes; at most a little longer than `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const READY_TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 100

/** Starts API, worker and webhook app, and returns when the API serves, or at once when `stopped` is aborted. */
export async function startService(
  settings: Settings,
  baseUrl: string,
  say: (text: string) => void,
  stopped: AbortSignal,
): Promise<RunningService> {
  const keep = (app: AppName): KeptApp =>
    keepApp(app, settingsOf(app, settings), (code) => say(`${app} ended (${code}), starting it again`))
  const apps: Record<AppName, KeptApp> = { api: keep('api'), worker: keep('worker'), webhooks: keep('webhooks') }
  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(APPS.map((app) => apps[app].stop(graceMs)))
  }
  const failedStart = apps.api.current().exited.then((code) => {
    throw new Error(`The API ended (${code}) before it was ready.`)
  })
  try {
    await Promise.race([untilReady(baseUrl), failedStart, once(stopped, 'abort')])
  } catch (error) {
    await stop(0)
    throw error
  }
  return { apps, stop }
}

/** Side by side on one machine every app needs a port of its own for its metrics: the given one and those after it. */
export function settingsOf(app: AppName, settings: Settings): Settings {
  const { METRICS_PORT } = settings
  return METRICS_PORT ? { ...settings, METRICS_PORT: String(Number(METRICS_PORT) + APPS.indexOf(app)) } : settings
}

/** Polls the API until it is ready; throws after a minute. */
export async function untilReady(baseUrl: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (performance.now() < deadline) {
    const response = await fetch(`${baseUrl}/health/ready`).catch(() => null) // not listening yet
    if (response?.ok) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`The API did not become ready at ${baseUrl}.`)
}
