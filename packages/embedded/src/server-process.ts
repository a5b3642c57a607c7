import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Stoppable } from './shut-down.ts'

export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment of the server, which gets none of the caller's secrets. */
  readonly env: Readonly<Record<string, string>>
  /** The account to run as instead of the caller's. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

export interface ServerProcess extends Stoppable {
  readonly pid: number
  readonly exited: Promise<void>
}

/**
 * Starts a server that logs to a file: with a pipe it could not shut down properly once its parent has died. It gets its
 * own process group, so that Ctrl-C on the terminal reaches only the parent, which stops its servers last.
 */
export async function spawnServer(command: ServerCommand, logFile: string): Promise<ServerProcess> {
  const log = openSync(logFile, 'a')
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      ...command.account,
      detached: true,
      stdio: ['ignore', log, log],
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await once(child, 'spawn')
    if (child.pid === undefined) throw new Error(`${command.file} has no process id.`)
    return {
      pid: child.pid,
      exited,
      isGone: () => child.exitCode !== null || child.signalCode !== null,
      kill: (signal) => void child.kill(signal),
    }
  } finally {
    closeSync(log)
  }
}
