/** The requests to the platform in one try of a job, which are reported with what is written anyway. */
export interface RequestCount {
  add(): void
  /** Passes the number of requests that no other write reports to `write`. They are reported again if it fails. */
  report<T>(write: (unreported: number) => Promise<T>): Promise<T>
}

export const createRequestCount = (): RequestCount => {
  let unreported = 0
  return {
    add() {
      unreported++
    },
    async report(write) {
      const reported = unreported
      unreported = 0
      try {
        return await write(reported)
      } catch (error) {
        unreported += reported
        throw error
      }
    },
  }
}
