import type { LaneDemand } from '@subtext/core/operations'

/** The demand of the lane that a deployment of workers serves. */
export type ServedDemand = Omit<LaneDemand, 'lane'>

/** What the triggers of a worker's ScaledObject compute in SQL, by the trigger's name. */
export const TRIGGERS = {
  /** Every job that runs or could run. */
  rows: ({ waiting, running }: ServedDemand): number => waiting + running,
  /**
   * The running jobs, multiplied by how much older than `maxAge` seconds the oldest waiting job is, at most twofold. Pods
   * that are still starting run no jobs, so that waiting for them does not ask for more of them.
   */
  age: ({ running, oldestWaitingSeconds }: ServedDemand, maxAge: number): number =>
    running * Math.min(oldestWaitingSeconds / maxAge, 2),
}
