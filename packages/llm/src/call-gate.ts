/** The outcome of a call. `throttled` means that the provider wants fewer concurrent calls, and none within `retryAfterMs`. */
export type CallOutcome = { kind: 'done' } | { kind: 'throttled'; retryAfterMs: number | null }

/** Limits the number of concurrent calls. */
export interface CallGate {
  /**
   * Waits for a free slot and returns the function that releases it with the outcome of the call. Rejects with the
   * signal's reason when that is aborted first.
   */
  acquire(signal: AbortSignal): Promise<(outcome: CallOutcome) => void>
}

/** Lets every call through. */
export const OPEN_GATE: CallGate = { acquire: async () => () => {} }
