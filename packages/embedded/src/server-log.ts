import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'

const TAIL_LINES = 12
const TAIL_CHARACTERS = 2000

/**
 * Begins the log anew, which bounds its size to one run. Removed rather than truncated: a file that another user's
 * run left behind could not be written to.
 */
export function beginLog(file: string): void {
  rmSync(file, { force: true })
  closeSync(openSync(file, 'a', 0o600))
}

/** The log's last lines, for an error message; may be empty. */
export function readLogTail(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARACTERS)
}
