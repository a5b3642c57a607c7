import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedDirectory } from './data-directory.ts'
import { findFreePort } from './free-port.ts'
import { beginLog, readLogTail } from './server-log.ts'
import { type ServerCommand, type ServerProcess, spawnServer } from './server-process.ts'
import { type ShutdownSteps, shutDown } from './shut-down.ts'

export interface StartOptions {
  /** Made when missing; belongs to this server alone. */
  readonly dataDir: string
  /**
   * True: what was acknowledged survives a crash of the machine (of Redis, but for the last second). False: faster,
   * for tests; Postgres still survives its own crash, Redis keeps nothing.
   */
  readonly durable: boolean
  /** Told of what may take longer than a second. */
  readonly onProgress?: ((text: string) => void) | undefined
  /** Default: a free one. */
  readonly port?: number | undefined
}

export interface EmbeddedServer {
  /** On the loopback address, with the password. */
  readonly url: string
  readonly pid: number
  /** Settles when the server has ended, for whatever reason; its data directory may be used again from then on. */
  readonly exited: Promise<void>
  /** Ends the server in good order, by force after a grace; in less than five seconds. May be called again. */
  stop(): Promise<void>
  /** For tests of faults: nothing is tidied up, nothing is started again. */
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
 * A server may fail to start though nothing is wrong with it: its port was taken between the search and the start, or
 * the last processes of a killed predecessor still hold on to the data. Neither can be told by the exit code.
 */
const PAUSES_BEFORE_ATTEMPT_MS = [0, 100, 300, 900]

/** Starts what the plan describes. The claim on the directory passes to the server, and ends with it. */
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
      endWithThisProcess(server, plan.shutdown)
      if (await becomesReady(plan, server, chosen, onProgress)) return embed(plan, server, chosen, claim)
    }
  } catch (error) {
    claim.release()
    throw error
  }
  claim.release()
  throw new Error(`${plan.name} did not start. The end of ${plan.logFile}:\n${readLogTail(plan.logFile)}`)
}

/** False when the server ended by itself. */
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
      onProgress(`Waiting for ${plan.name} to be ready`)
      announced = true
    }
    if (waited > READY_TIMEOUT_MS) {
      await shutDown(server, plan.shutdown)
      const tail = readLogTail(plan.logFile)
      throw new Error(`${plan.name} was not ready in ${READY_TIMEOUT_MS / 1000} s. The end of its log:\n${tail}`)
    }
    await sleep(READY_POLL_MS)
  }
  return false
}

/** For an owner that exits without stopping its server, such as after an error that nobody caught. */
function endWithThisProcess(server: ServerProcess, [first]: ShutdownSteps): void {
  const end = (): void => server.kill(first?.signal ?? 'SIGTERM')
  process.once('exit', end)
  void server.exited.then(() => process.off('exit', end))
}

function embed(plan: ServerPlan, server: ServerProcess, port: number, claim: ClaimedDirectory): EmbeddedServer {
  const exited = server.exited.then(() => claim.release())
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    if (!(await shutDown(server, plan.shutdown))) throw new Error(`${plan.name} (pid ${server.pid}) does not end.`)
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
