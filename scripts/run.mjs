// Runs a program of the build, such as `server/start`, in this process: settings from `.env`, `dist/` brought up to date.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'

const root = resolve(import.meta.dirname, '..')
const [program, ...args] = process.argv.slice(2)

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
// Standard output is the program's.
await ensureBuilt(root, (text) => process.stderr.write(`${text}\n`)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})

const entry = join(root, 'dist', `${program}.js`)
process.argv.splice(1, process.argv.length, entry, ...args)
await import(pathToFileURL(entry).href)
