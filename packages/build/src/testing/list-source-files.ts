import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// The package for n8n has its sources elsewhere, as n8n wants them.
const listFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []

/** Returns the paths of all files in the `src` folders of the apps and packages. */
export const listSourceFiles = (root: string): string[] =>
  ['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent)).flatMap((name) =>
      listFiles(join(root, parent, name, 'src')).map((file) => `${parent}/${name}/src/${file}`),
    ),
  )
