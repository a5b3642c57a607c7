// `npm run check`: all checks that do not run the code.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from './root.mjs'

const PREPARATIONS = [
  ['packages', 'node packages/build/src/check-packages.mjs'],
  ['build', 'node packages/build/src/build.mjs'],
]
/** They only read, so they run side by side. */
const CHECKS = [
  ['types', 'tsc --noEmit'],
  ['types of the dashboard', 'tsc --noEmit -p apps/dashboard'],
  ['lint and format', 'biome check --error-on-warnings .'],
  ['regular expressions', 'node packages/build/src/check-regexps.mjs'],
  ['imports', 'depcruise packages apps --config .dependency-cruiser.cjs'],
  ['unused code', 'knip --no-config-hints --cache'],
  ['OpenAPI', 'redocly lint apps/api/src/openapi.json'],
]

const env = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Runs a command and prints its output only if it fails; returns whether it succeeded. */
async function run([name, command]) {
  const began = performance.now()
  const child = spawn(command, { cwd: ROOT, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  process.stdout.write(code === 0 ? `ok      ${name} (${seconds} s)\n` : `FAILED  ${name} (${command})\n${out}${err}\n`)
  return code === 0
}

for (const preparation of PREPARATIONS) if (!(await run(preparation))) process.exit(1)
const results = await Promise.all(CHECKS.map(run))
process.exitCode = results.every(Boolean) ? 0 : 1
