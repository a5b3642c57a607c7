import { randomUUID } from 'node:crypto'
import { nextCheckAt } from '@subtext/core/subscriptions'

const HOUR_SECONDS = 3_600

export interface ChecksPerSecond {
  /** Checks a second, over the hour and in its busiest minute. */
  mean: number
  busiest: number
}

/** Says how the checks of many sources fall into an hour. All of them are asked for at the same moment. */
export function spreadChecks(sources: number): ChecksPerSecond {
  const start = new Date('2026-01-01T00:00:00Z')
  const minutes = new Array<number>(HOUR_SECONDS / 60).fill(0)
  for (let nth = 0; nth < sources; nth++) {
    const at = nextCheckAt(randomUUID(), start, HOUR_SECONDS * 1_000).getTime() - start.getTime()
    const minute = Math.floor(at / 60_000) % minutes.length
    minutes[minute] = (minutes[minute] ?? 0) + 1
  }
  return { mean: sources / HOUR_SECONDS, busiest: Math.max(...minutes) / 60 }
}
