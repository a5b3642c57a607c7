import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 50
/** Only a failing test waits this long. It leaves time for a machine that is busy with other things. */
const TIMEOUT_MS = 240_000

/**
 * Polls until `look` finds something, and returns it. After `timeoutMs`, rejects with an error that names `what` was awaited.
 */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>
    }
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${what}.`)
    await sleep(POLL_INTERVAL_MS)
  }
}
