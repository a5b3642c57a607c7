// Checks that every package is described where readers look: a part of `npm run check`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { print, ROOT } from './root.mjs'

const ARCHITECTURE = 'docs/contributing/architecture.md'

const root = resolve(process.argv[2] ?? ROOT)
const architecture = readFileSync(join(root, ARCHITECTURE), 'utf8')
const folders = ['packages', 'apps']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
const problems = folders.flatMap((folder) => [
  ...(existsSync(join(root, folder, 'README.md')) ? [] : [`${folder} has no README.md.`]),
  ...(architecture.includes(`\`${folder}\``) ? [] : [`${ARCHITECTURE} does not name ${folder}.`]),
])
for (const problem of problems) print(problem)
process.exitCode = problems.length > 0 ? 1 : 0
