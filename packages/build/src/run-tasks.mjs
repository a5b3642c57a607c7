// Runs tasks of Turbo: `npm run build`, `npm run generate`.
import { print, ROOT } from './root.mjs'
import { runTurbo } from './turbo.mjs'

try {
  await runTurbo(ROOT, process.argv.slice(2))
} catch (error) {
  print(error.message)
  process.exitCode = error.exitCode ?? 1
}
