/** What the view `lane_demand` says about one lane. */
export interface LaneDemand {
  /** Jobs that could run now. */
  waiting: number
  /** Jobs that are running. */
  running: number
  /** For how many seconds the oldest job that was never started has waited. */
  oldestWaitingSeconds: number
}

/** What the triggers of a worker's ScaledObject compute in SQL, by the trigger's name. */
export const TRIGGERS = {
  /** Every job that runs or could run. */
  rows: ({ waiting, running }: LaneDemand): number => waiting + running,
  /**
   * The running jobs, multiplied by how much older than `maxAge` seconds the oldest waiting job is, at most twofold. Pods
   * that are still starting run no jobs, so that waiting for them does not ask for more of them.
   */
  age: ({ running, oldestWaitingSeconds }: LaneDemand, maxAge: number): number =>
    running * Math.min(oldestWaitingSeconds / maxAge, 2),
}
