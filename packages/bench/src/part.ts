import type { Undo } from '@subtext/testbed'

/** A part of the bench: measures something, and returns the lines to print. Throws if a round did not do what it says. */
export type Part = (bench: Bench) => Promise<string>

export interface Bench {
  /** Reports progress. */
  say(text: string): void
  /** The words after the name of the part on the command line. */
  words: readonly string[]
  /** Registers what has to be closed at the end of the part. It also runs when the bench is interrupted. */
  undo: Undo
}
