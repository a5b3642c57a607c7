import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'

const TAIL_LINES = 12
const TAIL_CHARACTERS = 2000

/**
 * Starts a new log, so that its size is limited to one run. The old file is removed instead of truncated: this account
 * could not write to a file that another user's run has left behind.
 */
export function beginLog(file: string): void {
  rmSync(file, { force: true })
  closeSync(openSync(file, 'a', 0o600))
}

/** Returns the last lines of the log for an error message; may be empty. */
export function readLogTail(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARACTERS)
}
