/** A pause that can be cut short. Waking somebody who does not wait is remembered for the next wait. */
export interface InterruptibleSleep {
  /** Ends after `ms`, or as soon as it is woken. */
  wait(ms: number): Promise<void>
  wake(): void
}

export function createInterruptibleSleep(): InterruptibleSleep {
  let woken = false
  let end: (() => void) | undefined
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
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
