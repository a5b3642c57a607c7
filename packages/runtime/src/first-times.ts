/** Remembers for a while when each key was first named. */
export interface FirstTimes {
  /** Returns for how many milliseconds the key has been remembered; 0 if it is remembered from now on. Never rejects. */
  ageOf(key: string): Promise<number>
  /** Never rejects. */
  forget(key: string): Promise<void>
}

const MAX_REMEMBERED = 1_000

/** Remembers keys in this process alone, for `keepMs` milliseconds. `now`: epoch milliseconds. */
export function createLocalTimes(keepMs: number, now: () => number = Date.now): FirstTimes {
  const since = new Map<string, number>()
  return {
    async ageOf(key) {
      const first = since.get(key)
      if (first !== undefined && now() - first < keepMs) return now() - first
      since.delete(key)
      since.set(key, now())
      const [oldest] = since.keys()
      if (since.size > MAX_REMEMBERED && oldest !== undefined) since.delete(oldest)
      return 0
    },
    async forget(key) {
      since.delete(key)
    },
  }
}
