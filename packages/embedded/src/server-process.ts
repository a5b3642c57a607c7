import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Endable } from './shut-down.ts'

export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment: the caller's secrets are none of the server's business. */
  readonly env: Readonly<Record<string, string>>
  /** Whom to run as instead of the caller. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

export interface ServerProcess extends Endable {
  readonly pid: number
  readonly exited: Promise<void>
}

/**
 * Starts a server that logs into a file and not into a pipe: it must be able to end in good order when its parent has
 * died. It gets a process group of its own, so that Ctrl-C on the terminal reaches the parent alone, which ends it last.
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
