import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedDirectory } from './data-directory.ts'
import { findFreePort } from './free-port.ts'
import { beginLog, readLogTail } from './server-log.ts'
import { type ServerCommand, type ServerProcess, spawnServer } from './server-process.ts'
import { type ShutdownSteps, shutDown } from './shut-down.ts'

export interface StartOptions {
  /** Created if needed; used by this server only. */
  readonly dataDir: string
  /**
   * If true, acknowledged writes survive a crash of the machine (Redis may lose the last second). If false, writes are
   * faster, for tests: Postgres still survives its own crash, Redis keeps nothing.
   */
  readonly durable: boolean
  /** Called before steps that may take longer than a second. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Defaults to a free port. */
  readonly port?: number | undefined
}

export interface EmbeddedServer {
  /** URL with the loopback address and the password. */
  readonly url: string
  readonly pid: number
  /** Resolves when the server has exited for any reason. From then on its data directory can be used again. */
  readonly exited: Promise<void>
  /** Shuts the server down, by force if it takes too long; takes at most five seconds. Can be called more than once. */
  stop(): Promise<void>
  /** Sends a signal, for tests of failures. Nothing is cleaned up or restarted. */
  kill(signal: NodeJS.Signals): void
}

export interface ServerPlan {
  readonly name: string
  readonly logFile: string
  readonly shutdown: ShutdownSteps
  command(port: number): ServerCommand
  isReady(port: number, pid: number): Promise<boolean>
  url(port: number): string
}

const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 10
const SLOW_START_MS = 1000
/**
 * Pauses before each attempt to start a server. A failed start may have a temporary cause: the port was taken after it was
 * found free, or the last processes of a killed predecessor still hold the data. The exit code does not tell these cases from a
 * real failure.
 */
const PAUSES_BEFORE_ATTEMPT_MS = [0, 100, 300, 900]

/** Starts the planned server. The claim on the directory passes to the server and is released when it exits. */
export async function startServer(
  plan: ServerPlan,
  claim: ClaimedDirectory,
  { port, onProgress = () => {} }: Pick<StartOptions, 'port' | 'onProgress'>,
): Promise<EmbeddedServer> {
  try {
    beginLog(plan.logFile)
    for (const pause of PAUSES_BEFORE_ATTEMPT_MS) {
      await sleep(pause)
      const chosen = port ?? (await findFreePort())
      const server = await spawnServer(plan.command(chosen), plan.logFile)
      claim.recordServer(server.pid)
      stopWithThisProcess(server, plan.shutdown)
      if (await becomesReady(plan, server, chosen, onProgress)) return embed(plan, server, chosen, claim)
    }
  } catch (error) {
    claim.release()
    throw error
  }
  claim.release()
  throw new Error(`${plan.name} did not start. The end of ${plan.logFile}:\n${readLogTail(plan.logFile)}`)
}

/** Returns false if the server exits by itself. */
async function becomesReady(
  plan: ServerPlan,
  server: ServerProcess,
  port: number,
  onProgress: (text: string) => void,
): Promise<boolean> {
  const began = performance.now()
  let announced = false
  while (!server.isGone()) {
    if ((await plan.isReady(port, server.pid)) && !server.isGone()) return true
    const waited = performance.now() - began
    if (waited > SLOW_START_MS && !announced) {
      onProgress(`waiting for ${plan.name} to be ready`)
      announced = true
    }
    if (waited > READY_TIMEOUT_MS) {
      await shutDown(server, plan.shutdown)
      const tail = readLogTail(plan.logFile)
      throw new Error(
        `${plan.name} was not ready within ${READY_TIMEOUT_MS / 1000} seconds. The end of its log:\n${tail}`,
      )
    }
    await sleep(READY_POLL_MS)
  }
  return false
}

/** Stops the server when this process exits without having done so, for example after an uncaught error. */
function stopWithThisProcess(server: ServerProcess, [first]: ShutdownSteps): void {
  const stop = (): void => server.kill(first?.signal ?? 'SIGTERM')
  process.once('exit', stop)
  void server.exited.then(() => process.off('exit', stop))
}

function embed(plan: ServerPlan, server: ServerProcess, port: number, claim: ClaimedDirectory): EmbeddedServer {
  const exited = server.exited.then(() => claim.release())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    if (!(await shutDown(server, plan.shutdown))) throw new Error(`${plan.name} (pid ${server.pid}) does not exit.`)
    await exited
  }
  return {
    url: plan.url(port),
    pid: server.pid,
    exited,
    kill: (signal) => server.kill(signal),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
