import { setTimeout as sleep } from 'node:timers/promises'
import { EnvError } from './env.ts'
import type { Logger } from './logger.ts'

/** Longer than handing back work and closing all connections can take. */
const FORCED_EXIT_MARGIN_MS = 10_000
const SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** Time for files that are being read or written when the service has stopped. */
const FILES_GRACE_MS = 1_000
const FILES_POLL_MS = 20
const FILE_OPERATIONS = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

export interface Service {
  log: Logger
  /** Milliseconds that the shutdown may take before the process is forced to exit. */
  graceMs: number
  /** Rejects if the process cannot do its work with its settings. It then exits with 1. */
  usable?: Promise<void>
  /** Stops taking work, finishes or hands back running work, and closes all connections. */
  stop(): Promise<void>
}

const isUsingFiles = (): boolean => process.getActiveResourcesInfo().some((kind) => FILE_OPERATIONS.has(kind))

async function waitForFiles(): Promise<void> {
  const end = performance.now() + FILES_GRACE_MS
  while (isUsingFiles() && performance.now() < end) await sleep(FILES_POLL_MS)
}

/** Replaces the program of this process. Node.js has it since version 22.15. */
type Replace = (file: string, args: string[], env: NodeJS.ProcessEnv) => void

/**
 * Ends the process now if it is using files. Its exit would wait for them, forever if they are on a file server that does not
 * respond. The program that replaces it exits at once, with the same code. SIGKILL is a fallback: the exit code is lost, and the
 * first process of a container cannot kill itself.
 */
function endIfUsingFiles(code: number): void {
  if (!isUsingFiles()) return
  const { execve } = process as NodeJS.Process & { execve?: Replace }
  execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {})
  process.kill(process.pid, 'SIGKILL')
}

/**
 * Runs a process until SIGTERM or SIGINT: starts the service, waits for the signal, stops the service and exits with 0.
 * Exits with 0 on a signal during the start, with 1 if the start fails or the process crashes, and at once on a second
 * signal. Does not wait for a file that does not respond.
 */
export async function runService(start: () => Promise<Service>): Promise<void> {
  // A signal during the start finds nothing to finish. Without a handler it would also kill a process that has just
  // logged that it is ready.
  const exitEarly = (): never => process.exit(0)
  for (const signal of SIGNALS) process.on(signal, exitEarly)
  const service = await start().catch((error: unknown) => {
    process.stderr.write(`${error instanceof EnvError ? error.message : (error as Error).stack}\n`)
    process.exit(1)
  })
  const { log } = service
  process.once('exit', endIfUsingFiles)
  const exitSoon = (): void => {
    process.exitCode = 1
    setImmediate(() => process.exit(1))
  }
  process.on('uncaughtException', (error) => {
    log.error('crashed', { error })
    exitSoon()
  })
  service.usable?.catch(async (error: Error) => {
    log.error(error.message)
    process.exitCode = 1
    await waitForFiles()
    exitSoon()
  })

  let stopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1)
    stopping = true
    log.info('stopping', { signal })
    setTimeout(() => {
      log.error('shutdown took too long')
      process.exit(1)
    }, service.graceMs + FORCED_EXIT_MARGIN_MS).unref()
    const end = service.stop().then(waitForFiles)
    end.then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('shutdown failed', { error })
        process.exit(1)
      },
    )
  }
  // The supervisor that started this process is gone, so nothing else would stop it.
  process.once('disconnect', () => onSignal('SIGTERM'))
  for (const signal of SIGNALS) {
    // In this order: between the two there is always a handler.
    process.on(signal, onSignal)
    process.off(signal, exitEarly)
  }
  // The supervisor exited during the start.
  if (process.connected === false) onSignal('SIGTERM')
}
