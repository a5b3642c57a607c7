/** Lets in so many at once, the others in the order in which they came. */
export interface Door {
  /** Waits for leave to go in, and gives the way to go out again. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createDoor(most: number): Door {
  const waiting: (() => void)[] = []
  let inside = 0
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else inside--
  }
  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (inside < most) {
        inside++
        return leave
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(admit), 1)
          reject(signal.reason)
        }
        const admit = (): void => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        waiting.push(admit)
        signal.addEventListener('abort', giveUp, { once: true })
      })
      return leave
    },
  }
}
