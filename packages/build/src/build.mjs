// Brings `dist/` up to date with the sources: `npm run build`.
import { ensureBuilt } from './ensure-built.mjs'
import { print, ROOT } from './root.mjs'

await ensureBuilt(ROOT, print, 'dist', { here: process.argv.includes('--here') }).catch((error) => {
  print(error.message)
  process.exitCode = error.exitCode ?? 1
})
