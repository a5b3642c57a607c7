import { delimiter } from 'node:path'

/** Returns the directories of PATH, in order. */
export function commandPath(): readonly string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
}
