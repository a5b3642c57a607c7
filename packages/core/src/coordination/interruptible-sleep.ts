/** A sleep that can be cut short. A call to `wake` while nothing is waiting ends the next wait at once. */
export interface InterruptibleSleep {
  /** Resolves after `ms` milliseconds, if given, or as soon as `wake` is called. */
  wait(ms?: number): Promise<void>
  wake(): void
}

export function createInterruptibleSleep(): InterruptibleSleep {
  let woken = false
  let end: (() => void) | undefined
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        end = undefined
      }
      woken = false
    },
    wake() {
      woken = true
      end?.()
    },
  }
}
