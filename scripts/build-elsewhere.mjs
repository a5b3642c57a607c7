import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

/** Not needed by a build. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', '.turbo', 'coverage', '.env'])

/**
 * Makes `dist/` in a production install, which has no build tools: builds a temporary copy of the sources, with the
 * development dependencies of the lockfile, and keeps only the result. Needs the package registry, once.
 */
export function buildElsewhere(root, say) {
  const copy = mkdtempSync(join(tmpdir(), 'subtext-build-'))
  try {
    say('building dist/ in a temporary folder, with the development dependencies (once)')
    cpSync(root, copy, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !LEFT_OUT.has(path.split(sep).at(-1)),
    })
    const npm = (...args) => run('npm', args, copy)
    npm('ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    npm('run', 'build')
    // An interruption must not leave a part of dist/, which would be run as it is.
    const unfinished = join(root, `dist.${process.pid}`)
    cpSync(join(copy, 'dist'), unfinished, { recursive: true, preserveTimestamps: true })
    renameSync(unfinished, join(root, 'dist'))
  } catch (cause) {
    throw new Error('dist/ could not be built. Run `npm ci && npm run build` first.', { cause })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** What the command prints goes to standard error: standard output belongs to the program that starts next. */
function run(command, args, cwd) {
  // Set by the npm that started this program; it would make npm work in that folder.
  const { npm_config_local_prefix: _, ...env } = process.env
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: ['ignore', 2, 2], shell })
  if (status !== 0) throw error ?? new Error(`\`${command} ${args.join(' ')}\` failed.`)
}
