import type { Comparison } from './compare.ts'

/** A line of the table, measured by `run`. */
export interface Benchmark {
  name: string
  /** Runs only when it is named, or with `all`. */
  extra?: boolean
  run(): Promise<Comparison>
}
