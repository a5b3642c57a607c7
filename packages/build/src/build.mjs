// Brings `dist/` and `dist-dashboard/` up to date with the sources: `npm run build`.
import { ensureBuilt } from './ensure-built.mjs'
import { DASHBOARD } from './programs.mjs'
import { print, ROOT } from './root.mjs'

try {
  for (const folder of ['dist', DASHBOARD]) {
    await ensureBuilt(ROOT, print, folder, { here: process.argv.includes('--here') })
  }
} catch (error) {
  print(error.message)
  process.exitCode = error.exitCode ?? 1
}
