import { setImmediate } from 'node:timers/promises'

/** Called between small steps of a long computation. Throws the signal's reason once it is aborted. */
export type Pace = () => Promise<void>

const SLICE_MS = 12

/**
 * Yields to the event loop after every slice of work, so that a 10-hour transcript does not stall the other jobs. `sliceMs`: the
 * length of a slice, in milliseconds; shorter where others wait for responses.
 */
export const createPacer = (signal: AbortSignal, sliceMs = SLICE_MS): Pace => {
  let sliceStart = performance.now()
  return async () => {
    signal.throwIfAborted()
    if (performance.now() - sliceStart < sliceMs) return
    await setImmediate()
    signal.throwIfAborted()
    sliceStart = performance.now()
  }
}
