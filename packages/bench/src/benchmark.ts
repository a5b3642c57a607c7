import type { Comparison } from './compare.ts'

/** A line of the table, measured by `run`. */
export interface Benchmark {
  name: string
  run(): Promise<Comparison>
}
