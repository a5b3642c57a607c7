import type { FirstTimes } from '@subtext/runtime'

/** Remembers the videos of which every app has said, through the only egress, what may concern the video or the address. */
export interface Doubts {
  /**
   * Records that every app has said so. Returns null if they also said so at least 30 seconds ago, or else in how many
   * milliseconds to ask again.
   */
  record(key: string): Promise<number | null>
  /** Forgets a video that plays. Nothing waits for it. */
  forget(key: string): void
}

/** How far apart the apps have to be asked. */
const APART_MS = 30_000
/** How long it counts that the apps have said so. */
export const DOUBT_MS = 10 * 60_000

export const createDoubts = (times: FirstTimes): Doubts => ({
  async record(key) {
    const ageMs = await times.ageOf(key)
    return ageMs < APART_MS ? APART_MS - ageMs : null
  },
  forget: (key) => void times.forget(key),
})
