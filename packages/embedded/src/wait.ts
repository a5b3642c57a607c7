import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10

/** Polls until the condition holds; returns false if it still does not hold after `timeoutMs` milliseconds. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() >= deadline) return false
    await sleep(POLL_MS)
  }
  return true
}
