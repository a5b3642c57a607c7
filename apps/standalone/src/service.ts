import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { flag } from '@subtext/runtime'
import { ALL_APPS, type AppName, type KeptApp, keepApp } from './app-process.ts'
import type { Settings } from './env.ts'

export interface RunningService {
  /** Stops accepting work and ends the processes; takes at most a little longer than `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>
}

const READY_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 100

interface ServiceOptions {
  say: (text: string) => void
  /** Default: all. */
  apps?: readonly AppName[]
  stopped: AbortSignal
}

/** Starts the apps and keeps them running. Resolves when the API is ready, or at once when `stopped` aborts. */
export async function startService(
  settings: Settings,
  baseUrl: string,
  { say, apps = ALL_APPS, stopped }: ServiceOptions,
): Promise<RunningService> {
  const keep = (app: AppName): KeptApp =>
    keepApp(app, settingsOf(app, settings), (code) => say(`${app} exited with code ${code}; restarting it`))
  const api = keep('api')
  const kept = [api, ...apps.filter((app) => app !== 'api').map(keep)]
  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(kept.map((app) => app.stop(graceMs)))
  }
  const failedStart = api.current().exited.then((code) => {
    throw new Error(`The API exited with code ${code} before it was ready. Its log is above.`)
  })
  try {
    await Promise.race([untilReady(baseUrl), failedStart, once(stopped, 'abort')])
  } catch (error) {
    await stop(0)
    throw error
  }
  return { stop }
}

/** Returns the settings of one app. On one machine every app needs its own metrics port: `METRICS_PORT` and the next ones. */
export function settingsOf(app: AppName, settings: Settings): Settings {
  const { METRICS_PORT } = settings
  return METRICS_PORT ? { ...settings, METRICS_PORT: String(Number(METRICS_PORT) + ALL_APPS.indexOf(app)) } : settings
}

/**
 * Returns where the MCP server reaches an API that listens at `origin`. An API that refuses requests without TLS is reached like
 * its callers do, at `PUBLIC_BASE_URL`.
 */
export const selectApiBase = ({ HTTPS_ONLY, PUBLIC_BASE_URL }: Settings, origin: string): string =>
  (flag(false).catch(false).parse(HTTPS_ONLY) && PUBLIC_BASE_URL) || origin

/** Polls the API until it is ready. Throws after a minute, unless `timeoutMs` says otherwise. */
export async function untilReady(baseUrl: string, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const response = await fetch(`${baseUrl}/health/ready`).catch(() => null) // not listening yet
    if (response?.ok) return
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error(`The API did not become ready at ${baseUrl} within ${timeoutMs / 1_000} seconds.`)
}
