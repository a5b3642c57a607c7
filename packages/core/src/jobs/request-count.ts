/** Counts the requests to the platform in one attempt at a job. The count is stored by writes that are made anyway. */
export interface RequestCount {
  add(): void
  /** Passes the requests that no write has reported yet to `write`. If it fails, the next write reports them. */
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
