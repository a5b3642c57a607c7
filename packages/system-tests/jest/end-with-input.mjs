/** Exits when standard input ends, as it does when the process that holds the other end is killed. */
export function endWithInput() {
  process.stdin.once('end', () => process.exit(1))
  process.stdin.resume().unref()
}
