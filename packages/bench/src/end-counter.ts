export interface EndCounter {
  /** Called when a job has ended. */
  jobEnded(): void
  /** Resolves when this many more jobs have ended. */
  waitForCount(count: number): Promise<void>
}

/** Creates a counter of jobs that end. One wait at a time. */
export function createEndCounter(): EndCounter {
  let onEnd = (): void => {}
  return {
    jobEnded: () => onEnd(),
    waitForCount(count) {
      let ended = 0
      return new Promise((resolve) => {
        onEnd = () => {
          if (++ended === count) resolve()
        }
      })
    },
  }
}
