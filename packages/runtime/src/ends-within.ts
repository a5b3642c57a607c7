/**
 * Waits until `work` has ended, successfully or not, but at most `ms` milliseconds. Returns whether it has. For shutdowns,
 * which must not wait for servers that do not respond. The timer does not keep the process alive.
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false).unref()
  })
  const ended = work.then(
    () => true,
    () => true,
  )
  return Promise.race([ended, timeout]).finally(() => clearTimeout(timer))
}
