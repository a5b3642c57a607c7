import { waitUntil } from './wait.ts'

/** Signals in the order of their force, each with the time that the server has to exit after it. */
export type ShutdownSteps = readonly { readonly signal: NodeJS.Signals; readonly graceMs: number }[]

export interface Stoppable {
  /** Must not throw if the process has already exited. */
  kill(signal: NodeJS.Signals): void
  isGone(): boolean
}

/** Sends the signals until the process exits; returns false if it outlives the last one. */
export async function shutDown(target: Stoppable, steps: ShutdownSteps): Promise<boolean> {
  for (const { signal, graceMs } of steps) {
    if (target.isGone()) return true
    target.kill(signal)
    if (await waitUntil(() => target.isGone(), graceMs)) return true
  }
  return target.isGone()
}
