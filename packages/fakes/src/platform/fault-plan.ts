import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'

/** What happens instead of the answer. `reset`: the connection breaks; `hang`: no answer ever comes. */
export type PlatformOutcome =
  | { status: number; contentType?: string; body?: string; headers?: Readonly<Record<string, string>> }
  | 'reset'
  | 'hang'

export interface PlatformFault extends RequestFilter {
  /** How many matching requests meet it; one when left out. */
  times?: number
  outcome: PlatformOutcome
}

export interface PlatformDelay extends RequestFilter {
  ms: number
}

/** Faults and delays that wait for their requests. */
export class FaultPlan {
  #faults: { fault: PlatformFault; left: number }[] = []
  #delays: PlatformDelay[] = []

  addFault(fault: PlatformFault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 })
  }

  /** The latest delay for the same requests counts. */
  addDelay(delay: PlatformDelay): void {
    this.#delays.unshift(delay)
  }

  clear(): void {
    this.#faults = []
    this.#delays = []
  }

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
