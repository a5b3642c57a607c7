/** Remembers the videos of which every app has said, through the only egress, what may concern the video or the address. */
export interface Doubts {
  /**
   * Records that every app has said so. Returns null if they also said so at least 30 seconds ago, or else when to ask again, in
   * epoch milliseconds.
   */
  record(key: string): number | null
  /** Forgets a video that plays. */
  forget(key: string): void
}

/** How far apart the apps have to be asked. */
const APART_MS = 30_000
/** How long it counts that the apps have said so. */
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 1_000

export const createDoubts = (now: () => number): Doubts => {
  const since = new Map<string, number>()
  return {
    record(key) {
      const first = since.get(key)
      const ageMs = first === undefined ? Number.POSITIVE_INFINITY : now() - first
      if (first !== undefined && ageMs < REMEMBERED_MS) return ageMs < APART_MS ? first + APART_MS : null
      since.delete(key)
      since.set(key, now())
      const [oldest] = since.keys()
      if (since.size > MAX_REMEMBERED && oldest !== undefined) since.delete(oldest)
      return now() + APART_MS
    },
    forget: (key) => void since.delete(key),
  }
}
