export type Fault =
  /** An HTTP error instead of an answer. */
  | {
      kind?: 'status'
      status: number
      headers?: Record<string, string>
      errorType?: string
      errorCode?: string
      message?: string
    }
  /** An `error` event after the answer has started. `stream-error`, `dropped`, `stall` and `pings` affect streams only. */
  | { kind: 'stream-error'; errorType?: string }
  /** The connection closes in the middle of the answer. */
  | { kind: 'dropped' }
  | { kind: 'refusal' }
  /** Half of the answer, with `stop_reason: max_tokens`. */
  | { kind: 'cut' }
  | { kind: 'window-exceeded' }
  /** This text as the whole answer: malformed JSON, hostile content, invented IDs. */
  | { kind: 'answer'; text: string }
  /**
   * This text as the answer, piece by piece: a promise holds back what follows it. Then the answer ends (the default), the
   * connection closes, or nothing more arrives. For streams only.
   */
  | { kind: 'pieces'; pieces: readonly (string | Promise<unknown>)[]; end?: 'complete' | 'dropped' | 'stall' }
  /** A well-formed answer from a model that follows the instructions injected into the document. */
  | { kind: 'obey' }
  /** The request is accepted and never answered. */
  | { kind: 'hang' }
  /** The answer starts and never ends. */
  | { kind: 'stall' }
  /** A good answer preceded by a period of pings only, as from a model that is thinking. Times are in milliseconds. */
  | { kind: 'pings'; forMs: number; everyMs: number }
  /** A good answer whose first event is delayed by `delayMs` milliseconds. */
  | { kind: 'slow'; delayMs: number }
  /** This text as the answer, whose first event is delayed and which then arrives at a steady pace, as from a real model. For streams only. */
  | { kind: 'paced'; text: string; delayMs: number; tokensPerSecond: number }
  /** A good answer that starts when `until` resolves. */
  | { kind: 'held'; until: Promise<void> }

export interface FaultOptions {
  /** Number of calls affected; 1 by default. */
  times?: number
  /** Affects only calls whose last text block contains this string. */
  instructionIncludes?: string
}

interface FaultPlan {
  add(fault: Fault, options?: FaultOptions): void
  /** Cancels all planned faults. */
  forget(): void
  /** Returns the first planned fault that applies to the call, and counts one use of it. */
  take(instruction: string): Fault | null
}

export function createFaultPlan(): FaultPlan {
  const planned: { fault: Fault; left: number; instructionIncludes: string }[] = []
  return {
    add(fault, { times = 1, instructionIncludes = '' } = {}) {
      planned.push({ fault, left: times, instructionIncludes })
    },
    forget() {
      planned.length = 0
    },
    take(instruction) {
      const match = planned.find((entry) => entry.left > 0 && instruction.includes(entry.instructionIncludes))
      if (!match) return null
      match.left--
      return match.fault
    },
  }
}
