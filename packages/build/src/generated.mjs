// Writes the committed files that are generated from the sources (`npm run generate`), or with `--check` fails if one is stale.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { register } from 'tsx/esm/api'
import { print, ROOT } from './root.mjs'

/** The modules that export `GENERATED`: what builds each file, by its path. */
const TABLES = [
  'apps/api/src/published-files.ts',
  'apps/standalone/src/env-example.ts',
  'packages/deployment/src/monitoring/generated.ts',
]

const isCheck = process.argv.includes('--check')
const root = resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? ROOT)

register()
for (const table of TABLES) {
  const { GENERATED } = await import(pathToFileURL(join(ROOT, table)).href)
  for (const [path, build] of Object.entries(GENERATED)) {
    const text = await readFile(join(root, path), 'utf8').catch(() => '')
    const wanted = await build(text)
    if (wanted === text) continue
    if (!isCheck) await writeFile(join(root, path), wanted)
    else {
      print(`${path} is stale. Run \`npm run generate\`.`)
      process.exitCode = 1
    }
  }
}
