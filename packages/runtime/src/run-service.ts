import { EnvError } from './env.ts'
import type { Logger } from './logger.ts'

const FORCED_EXIT_MARGIN_MS = 5_000

export interface Service {
  log: Logger
  /** Milliseconds the shutdown may take before the process is ended by force. */
  graceMs: number
  /** Stops taking work, finishes or gives back what is under way, closes every connection. */
  stop(): Promise<void>
}

/**
 * Runs a process from start to SIGTERM or SIGINT: starts the service, waits, stops it, exits with 0.
 * A failed start or a crash exits with 1; a second signal exits at once.
 */
export async function runService(start: () => Promise<Service>): Promise<void> {
  const service = await start().catch((error: unknown) => {
    process.stderr.write(`${error instanceof EnvError ? error.message : (error as Error).stack}\n`)
    process.exit(1)
  })
  const { log } = service
  process.on('uncaughtException', (error) => {
    log.error('crashed', { error })
    process.exitCode = 1
    setImmediate(() => process.exit(1))
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
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('shutdown failed', { error })
        process.exit(1)
      },
    )
  }
  // Started by a supervisor that is gone: nobody is left to stop us.
  process.once('disconnect', () => onSignal('SIGTERM'))
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // It went while we started.
  if (process.connected === false) onSignal('SIGTERM')
}
