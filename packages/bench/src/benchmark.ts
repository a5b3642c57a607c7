import type { Comparison } from './compare.ts'

/** A line of the table, measured when its turn comes. */
export interface Trial {
  name: string
  run(): Promise<Comparison>
}
