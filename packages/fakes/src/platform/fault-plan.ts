import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'

/** What happens instead of the answer. `reset`: the connection is closed; `hang`: the request is never answered. */
export type PlatformOutcome =
  | { status: number; contentType?: string; body?: string; headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'hang'

export interface PlatformFault extends RequestFilter {
  /** Number of matching requests affected; 1 by default. */
  times?: number
  outcome: PlatformOutcome
}

export interface PlatformDelay extends RequestFilter {
  ms: number
}

/** Planned faults and delays, applied to matching requests. */
export class FaultPlan {
  #faults: { fault: PlatformFault; left: number }[] = []
  #delays: PlatformDelay[] = []

  addFault(fault: PlatformFault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 })
  }

  /** Adds a delay. Of several that match a request, the latest applies. */
  addDelay(delay: PlatformDelay): void {
    this.#delays.unshift(delay)
  }

  clear(): void {
    this.#faults = []
    this.#delays = []
  }

  /** Returns the outcome of the first planned fault that applies to the request, and counts one use of it. */
  takeOutcome(request: PlatformRequest): PlatformOutcome | null {
    const planned = this.#faults.find(({ fault, left }) => left > 0 && matchesFilter(request, fault))
    if (planned === undefined) return null
    planned.left -= 1
    return planned.fault.outcome
  }

  delayOf(request: PlatformRequest): number {
    return this.#delays.find((delay) => matchesFilter(request, delay))?.ms ?? 0
  }
}
