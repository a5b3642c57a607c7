import { waitUntil } from './wait.ts'

/** Signals from the kindest to the last, each with the time the server gets to end after it. */
export type ShutdownSteps = readonly { readonly signal: NodeJS.Signals; readonly graceMs: number }[]

export interface Endable {
  /** Must not throw when the process is gone already. */
  kill(signal: NodeJS.Signals): void
  isGone(): boolean
}

/** False when the process outlived even the last step. */
export async function shutDown(target: Endable, steps: ShutdownSteps): Promise<boolean> {
  for (const { signal, graceMs } of steps) {
    if (target.isGone()) return true
    target.kill(signal)
    if (await waitUntil(() => target.isGone(), graceMs)) return true
  }
  return target.isGone()
}
