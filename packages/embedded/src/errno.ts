/** By its code and not by `instanceof`: the errors of Node's own modules are of another realm under some test runners. */
export function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
