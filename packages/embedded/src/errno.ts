/** Checks the code only, since `instanceof` fails under test runners that give Node's own modules another realm. */
export function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
