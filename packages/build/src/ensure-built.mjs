import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DASHBOARD } from './programs.mjs'
import { print } from './root.mjs'
import { haveSourcesChanged } from './sources.mjs'

/** The tasks that make each folder. */
export const TASKS = {
  dist: ['@subtext/build#build'],
  [DASHBOARD]: ['@subtext/dashboard#build'],
  'dist-dev': ['@subtext/build#build', '@subtext/build#build-development'],
}
/** The error codes of a folder that cannot be written. */
const READ_ONLY = ['EROFS', 'EACCES', 'EPERM']

/**
 * Brings folders up to date with the sources; the first step of every program that `run.mjs` runs. Leaves them as they are if
 * they cannot be built: without the development dependencies, or in a folder that cannot be written. If they are missing
 * without the development dependencies, it builds them in a temporary folder.
 */
export async function ensureBuilt(root, folders) {
  const isBuilt = folders.every((folder) => existsSync(join(root, folder)))
  if (existsSync(join(root, 'node_modules/turbo'))) {
    try {
      const { runTurbo } = await import('./turbo.mjs')
      return await runTurbo(
        root,
        folders.flatMap((folder) => TASKS[folder]),
      )
    } catch (error) {
      if (!isBuilt || !READ_ONLY.includes(error.code)) throw error
    }
  }
  if (!isBuilt) return (await import('./build-elsewhere.mjs')).buildElsewhere(root, folders)
  if (haveSourcesChanged(root, 'dist')) {
    print('running dist/ as it is, although the sources have changed: run `npm ci && npm run build`')
  }
}
