import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HEAP_OPTIONS } from '@subtext/runtime'
import { ROOT, type Settings } from './env.ts'

/** The apps that do the work of the service. */
export const APPS = ['api', 'worker', 'webhooks'] as const
export type CoreApp = (typeof APPS)[number]
/** All apps that `npm start` runs. */
export const ALL_APPS = [...APPS, 'mcp'] as const
export type AppName = (typeof ALL_APPS)[number]

export interface AppProcess {
  readonly pid: number
  /** Resolves with the exit code when the process has ended; never rejects. */
  readonly exited: Promise<number | null>
  /** Sends SIGTERM, and SIGKILL if the process is still running after `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** Where an app writes its log lines: a file descriptor of this process, or nowhere. */
export type AppOutput = number | 'ignore'
const STDERR = 2

/**
 * Starts the built app (`dist/`) in its own process group, so that Ctrl-C reaches only this process, which decides the
 * order of the shutdown. The IPC channel tells the app when this process is gone.
 */
export function spawnApp(app: AppName, settings: Settings, log: AppOutput = STDERR): AppProcess {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'dist', app, 'main.js')], {
    cwd: ROOT,
    // Of two values of an option, the later one holds: that of the operator.
    env: { ...settings, NODE_OPTIONS: `${HEAP_OPTIONS} ${settings.NODE_OPTIONS ?? ''}` },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  const exited = once(child, 'exit').then(
    ([code]: unknown[]) => code as number | null,
    () => null,
  )
  return {
    pid: child.pid ?? 0,
    exited,
    async stop(graceMs) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await exited
      clearTimeout(timer)
    },
    kill: (signal) => child.kill(signal),
  }
}

const FIRST_RESTART_MS = 500
const MAX_RESTART_MS = 10_000
/** A process that ran this long had started properly, so its next restart is quick again. */
const STEADY_MS = 30_000

export interface KeptApp {
  /** Returns the process that is running now. */
  current(): AppProcess
  stop(graceMs: number): Promise<void>
}

/** Keeps an app running: restarts it when it exits, with a longer pause each time while it keeps exiting. */
export function keepApp(app: AppName, settings: Settings, onRestart: (code: number | null) => void): KeptApp {
  let current = spawnApp(app, settings)
  const stopping = new AbortController()
  const watch = async (): Promise<void> => {
    for (let pause = FIRST_RESTART_MS; ; pause = Math.min(pause * 2, MAX_RESTART_MS)) {
      const started = performance.now()
      const code = await current.exited
      if (stopping.signal.aborted) return
      onRestart(code)
      if (performance.now() - started > STEADY_MS) pause = FIRST_RESTART_MS
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {}) // stopping
      if (stopping.signal.aborted) return
      current = spawnApp(app, settings)
    }
  }
  const watching = watch()
  return {
    current: () => current,
    async stop(graceMs) {
      stopping.abort()
      await current.stop(graceMs)
      await watching
    },
  }
}
