import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'

/** What happens instead of the reply. `reset`: the connection is closed; `hang`: the request is never answered. */
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
  #held: { filter: RequestFilter; released: Promise<void> }[] = []

  addFault(fault: PlatformFault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 })
  }

  /** Adds a delay. Of several that match a request, the latest applies. */
  addDelay(delay: PlatformDelay): void {
    this.#delays.unshift(delay)
  }

  /** Holds matching requests back until the returned function is called. */
  hold(filter: RequestFilter): () => void {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = { filter, released }
    this.#held.push(held)
    return () => {
      this.#held = this.#held.filter((other) => other !== held)
      release()
    }
  }

  /** Resolves when no hold matches the request. */
  async untilReleased(request: PlatformRequest): Promise<void> {
    await Promise.all(this.#held.filter(({ filter }) => matchesFilter(request, filter)).map(({ released }) => released))
  }

  clearFaults(): void {
    this.#faults = []
  }

  clear(): void {
    this.clearFaults()
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
