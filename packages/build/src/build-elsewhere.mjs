import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { BUILDS, DASHBOARD } from './programs.mjs'

/**
 * What a build reads, at the top of the repository. Nothing else is copied: the folder may also contain data, backups and
 * secrets.
 */
export const SOURCES = [
  ...['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'],
  ...['apps', 'docs', 'packages', 'prisma', 'CHANGELOG.md'],
]
const RESULTS = ['dist', DASHBOARD]
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Makes `dist/` and `dist-dashboard/` in a production install, which has no build tools: builds a temporary copy of the sources, with the
 * development dependencies of the lockfile, and keeps only the result. Needs the package registry, once. Throws
 * `BuildInterrupted` on a signal, after it has removed the copy.
 */
export async function buildElsewhere(root, say, folder) {
  if (!RESULTS.includes(folder)) throw new Error('This command needs the development dependencies. Run `npm ci` first.')
  const interruption = watchSignals()
  const copy = await mkdtemp(join(tmpdir(), 'subtext-build-'))
  const unfinished = (result) => join(root, `dist.${result}.${process.pid}`)
  try {
    say(`building ${RESULTS.join('/ and ')}/ in a temporary folder, with the development dependencies (once)`)
    await copySources(root, copy)
    const options = { cwd: copy, signal: interruption.signal }
    await run(
      'npm',
      ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      options,
    )
    // `--here`, so that it fails if a tool is missing in the copy as well, instead of copying the copy.
    await run(process.execPath, ['packages/build/src/build.mjs', '--here'], options)
    for (const result of RESULTS.filter((name) => existsSync(join(copy, name)))) {
      // An interruption must not leave a part of it, which would be used as it is.
      await cp(join(copy, result), unfinished(result), { recursive: true, preserveTimestamps: true })
      await install(unfinished(result), join(root, result))
    }
  } catch (cause) {
    if (cause instanceof BuildInterrupted) throw cause
    throw new Error(`${folder}/ could not be built: ${cause.message} Run \`npm ci && npm run build\` first.`, { cause })
  } finally {
    await Promise.all([copy, ...RESULTS.map(unfinished)].map((path) => rm(path, { recursive: true, force: true })))
    interruption.end()
  }
}

async function copySources(root, copy) {
  const known = new Set(['node_modules', '.turbo', ...Object.keys(BUILDS), DASHBOARD])
  const filter = (path) => !known.has(basename(path)) && !basename(path).startsWith('.env')
  for (const name of SOURCES.filter((name) => existsSync(join(root, name)))) {
    await cp(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true, filter })
  }
}

/** Another process may have installed the same build in the meantime, which is just as good. */
async function install(from, to) {
  try {
    await rename(from, to)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
  }
}

/** What the command prints goes to standard error: standard output belongs to the program that starts next. */
async function run(command, args, { cwd, signal }) {
  signal.throwIfAborted()
  // Set by the npm that started this program; it would make npm work in that folder.
  const { npm_config_local_prefix: _, ...env } = process.env
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 2, 2] })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  const [code] = await once(child, 'exit').finally(() => signal.removeEventListener('abort', stop))
  signal.throwIfAborted()
  if (code !== 0) throw new Error(`\`${[basename(command), ...args].join(' ')}\` failed.`)
}

/** Holds signals back until `end`: the first one aborts `signal` with a `BuildInterrupted`. */
function watchSignals() {
  const controller = new AbortController()
  const onSignal = (name) => controller.abort(new BuildInterrupted(name))
  for (const name of SIGNALS) process.on(name, onSignal)
  const end = () => {
    for (const name of SIGNALS) process.off(name, onSignal)
  }
  return { signal: controller.signal, end }
}

class BuildInterrupted extends Error {
  constructor(signal) {
    super(`The build was interrupted by ${signal}.`)
    /** As shells report a program that a signal has ended. */
    this.exitCode = 128 + constants.signals[signal]
  }
}
