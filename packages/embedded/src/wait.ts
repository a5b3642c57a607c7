import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10

/** Polls until the condition holds; false when it still does not after `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() >= deadline) return false
    await sleep(POLL_MS)
  }
  return true
}
