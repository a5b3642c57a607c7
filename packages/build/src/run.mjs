// Runs a program of the build, such as `standalone/start`, in this process: settings from `.env`, the build brought up to date.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.mjs'
import { BUILDS, DASHBOARD } from './programs.mjs'
import { print, ROOT } from './root.mjs'

const [program, ...args] = process.argv.slice(2)
const folder = program in BUILDS.dist ? 'dist' : 'dist-dev'

if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
try {
  await ensureBuilt(ROOT, print, 'dist')
  // Nothing else serves the dashboard.
  if (program === 'standalone/start') await ensureBuilt(ROOT, print, DASHBOARD)
  // The programs for developers start those of `dist/`.
  if (folder !== 'dist') await ensureBuilt(ROOT, print, folder)
} catch (error) {
  print(error.message)
  process.exit(error.exitCode ?? 1)
}

// Node.js 22.1 and newer keep compiled code: commands start with a fifth less CPU time.
module.enableCompileCache?.(join(ROOT, 'node_modules/.cache/compile'))
const entry = join(ROOT, folder, `${program}.js`)
process.argv.splice(1, process.argv.length, entry, ...args)
await import(pathToFileURL(entry).href)
