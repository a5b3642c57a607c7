import { relative } from 'node:path'

/** How npm runs the admin program. */
export const ADMIN_SCRIPT = 'npm run --silent admin --'

/** Returns how the admin program was called: by its script, which npm names, or as a file, as in a container. */
export const nameCommand = (program: string, script?: string): string =>
  script === 'admin' ? ADMIN_SCRIPT : `node ${relative(process.cwd(), program)}`
