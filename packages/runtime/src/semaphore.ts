/** Limits how many pieces of work run at once. Waiting callers get their permits in the order in which they asked. */
export interface Semaphore {
  /** Waits for a permit. Rejects with the signal's reason if the signal aborts first; the caller then holds no permit. */
  acquire(signal?: AbortSignal): Promise<void>
  /** Takes a permit if one is free, and returns whether it did. */
  tryAcquire(): boolean
  /** Returns a permit, which goes to the caller that has waited longest. Call it once for each permit acquired. */
  release(): void
  /** Runs `work` while holding a permit. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = permits

  const tryAcquire = (): boolean => {
    if (free === 0) return false
    free--
    return true
  }
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const acquire = async (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    if (tryAcquire()) return
    // Many callers may wait on the same signal, and Node reports many listeners on one signal as a leak.
    const aborted = signal && AbortSignal.any([signal])
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(admit), 1)
        reject(aborted?.reason)
      }
      const admit = (): void => {
        aborted?.removeEventListener('abort', onAbort)
        resolve()
      }
      waiting.push(admit)
      aborted?.addEventListener('abort', onAbort, { once: true })
    })
  }
  return {
    acquire,
    tryAcquire,
    release,
    async run(work, signal) {
      await acquire(signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
