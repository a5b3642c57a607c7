import { relative } from 'node:path'

/** Returns how npm runs a program of the repository. */
export const nameScript = (script: string): string => `npm run --silent ${script} --`

/**
 * Returns how this program was called: by its script, if that is the one that npm runs (`npm_lifecycle_event`), or as a file, as
 * in a container.
 */
export const nameCommand = (program: string, script: string, running: string | undefined): string =>
  running === script ? nameScript(script) : `node ${relative(process.cwd(), program)}`
