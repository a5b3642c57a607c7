export const OK = 0
export const FAILED = 1
export const USAGE = 2
export const PARTLY_FAILED = 3
/** The convention of shells for programs ended by Ctrl-C. */
export const INTERRUPTED = 130

export type ExitCode = typeof OK | typeof FAILED | typeof USAGE | typeof PARTLY_FAILED | typeof INTERRUPTED

/** The command line or the configuration is wrong. */
export class UsageError extends Error {}

/** Returns the exit code of several pieces of work. */
export function exitCodeOf(succeeded: number, failed: number): ExitCode {
  if (failed === 0) return OK
  return succeeded === 0 ? FAILED : PARTLY_FAILED
}
