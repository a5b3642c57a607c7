import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 50

/** Looks again and again until there is something; rejects with what was waited for after `timeoutMs`. */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>
    }
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}.`)
    await sleep(LOOK_EVERY_MS)
  }
}
