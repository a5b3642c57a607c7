import { delimiter } from 'node:path'

/** The directories in which commands are looked for, in order. */
export function commandPath(): readonly string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
}
