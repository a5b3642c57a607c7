export type Fault =
  /** An HTTP error in place of an answer. */
  | {
      kind?: 'status'
      status: number
      headers?: Record<string, string>
      errorType?: string
      errorCode?: string
      message?: string
    }
  /** An `error` event after the answer has begun. Like the next one, `stall` and `pings`, it befalls streams only. */
  | { kind: 'stream-error'; errorType?: string }
  /** The connection ends in the middle of the answer. */
  | { kind: 'dropped' }
  | { kind: 'refusal' }
  /** Half of the answer, `stop_reason: max_tokens`. */
  | { kind: 'cut' }
  | { kind: 'window-exceeded' }
  /** This text as the whole answer: malformed JSON, hostile content, invented ids. */
  | { kind: 'answer'; text: string }
  /** A well-formed answer of a model that does what the lines of the document order it to do. */
  | { kind: 'obey' }
  /** The request is taken and never answered. */
  | { kind: 'hang' }
  /** The answer begins and never ends. */
  | { kind: 'stall' }
  /** A good answer, before which nothing but pings comes for a time, as from a model that thinks. Milliseconds. */
  | { kind: 'pings'; forMs: number; everyMs: number }
  /** A good answer whose first event comes late. Milliseconds. */
  | { kind: 'slow'; delayMs: number }

export interface FaultOptions {
  /** How many calls it befalls; 1 unless told. */
  times?: number
  /** Only calls whose last block of text contains this. */
  instructionIncludes?: string
}

interface FaultPlan {
  add(fault: Fault, options?: FaultOptions): void
  /** What is planned happens no more. */
  forget(): void
  /** The first planned fault that applies to the call, used up by one. */
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
