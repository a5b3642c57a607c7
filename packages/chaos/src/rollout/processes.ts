import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSteadyPort, waitUntil } from '@subtext/embedded/testing'
import type { CoreApp } from '@subtext/standalone'

/** A place in the fleet where a supervisor keeps one process of an installed release running. */
export interface FleetPlace {
  readonly name: string
  readonly app: CoreApp
  /** The port of the API, or of the health checks of another app. */
  readonly port: string
  /** Stops the process with SIGTERM, starts one of the release in this folder, and waits until it is ready. */
  restart(release?: string): Promise<void>
  /** Kills the process (`kill -9`). The supervisor starts another one a second later. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const RESTART_MS = 1_000
/** `SHUTDOWN_GRACE_SECONDS` plus the promised ten seconds, and some more for a busy machine. */
const STOP_MS = 90_000

export interface PlaceOptions {
  name: string
  app: CoreApp
  /** The folder of the installed release. */
  release: string
  settings: Record<string, string>
  log: number
  /** Called when a process exits without having been told to. */
  onCrash: (text: string) => void
}

export async function openPlace({
  name,
  app,
  release: first,
  settings,
  log,
  onCrash,
}: PlaceOptions): Promise<FleetPlace> {
  const [port, metricsPort] = [String(await findSteadyPort()), String(await findSteadyPort())]
  const env = { ...settings, PORT: port, METRICS_PORT: metricsPort }
  let release = first
  let isStopping = false

  const start = () => {
    const child = spawn(process.execPath, [join(release, 'dist', app, 'main.js')], {
      cwd: release,
      env,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    })
    const ended = once(child, 'exit')
    let isExpected = false
    void ended.then(async ([code, signal]) => {
      if (isExpected || isStopping) return
      onCrash(`${name} ended with ${code ?? signal}`)
      await sleep(RESTART_MS)
      if (!isStopping) current = start()
    })
    return {
      kill: (cause: NodeJS.Signals) => child.kill(cause),
      ended,
      expect: () => {
        isExpected = true
      },
    }
  }
  let current = start()
  const untilReady = () =>
    waitUntil(`${name} is ready`, () =>
      fetch(`http://127.0.0.1:${metricsPort}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  const end = async (): Promise<void> => {
    current.expect()
    current.kill('SIGTERM')
    const timer = setTimeout(() => {
      onCrash(`${name} did not stop within ${STOP_MS / 1_000} s`)
      current.kill('SIGKILL')
    }, STOP_MS)
    await current.ended
    clearTimeout(timer)
  }
  await untilReady()
  return {
    name,
    app,
    port,
    async restart(next = release) {
      await end()
      release = next
      current = start()
      await untilReady()
    },
    async kill() {
      current.expect()
      current.kill('SIGKILL')
      await current.ended
      await sleep(RESTART_MS)
      current = start()
      await untilReady()
    },
    async stop() {
      isStopping = true
      await end()
    },
  }
}
