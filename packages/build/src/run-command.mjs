import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command and calls `onLine` with each line that it prints. Throws an error with all lines if it fails. A signal to this
 * process is passed on; the error then has the `exitCode` with which shells report a program that a signal has ended.
 */
export async function runCommand(command, args, { onLine, ...options }) {
  let child
  let interruption
  const stop = (signal) => {
    interruption = signal
    child.kill(signal)
  }
  // Before the command starts: a signal that comes first would end this process and leave the command behind.
  for (const signal of SIGNALS) process.on(signal, stop)
  const lines = []
  const read = async (input) => {
    for await (const line of createInterface({ input })) {
      lines.push(line)
      onLine(line)
    }
  }
  try {
    child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const [[code]] = await Promise.all([once(child, 'close'), read(child.stdout), read(child.stderr)])
    if (interruption) {
      const exitCode = 128 + constants.signals[interruption]
      throw Object.assign(new Error(`Interrupted by ${interruption}.`), { exitCode })
    }
    if (code !== 0) throw new Error(lines.join('\n'))
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
