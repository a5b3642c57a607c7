// Starts a program of the repository from its sources: settings from `.env`, generated code made when it is missing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { register } from 'tsx/esm/api'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const [entry, ...args] = process.argv.slice(2)

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))

if (!existsSync(join(root, 'packages/db/src/generated'))) {
  process.stderr.write('Generating the database client (the first time only)\n')
}
// The answer of `generate` belongs on standard error: standard output is the program's.
const generated = spawnSync('npm', ['run', '--silent', 'generate'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
if (generated.status !== 0) {
  process.stderr.write(`${generated.stdout}${generated.stderr}`)
  process.exit(1)
}

process.argv.splice(1, process.argv.length, join(here, entry), ...args)
register()
await import(pathToFileURL(join(here, entry)).href)
