import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { BUNDLES, DASHBOARD } from './programs.mjs'
import { print } from './root.mjs'
import { runCommand } from './run-command.mjs'

/**
 * What a build reads, at the top of the repository. Nothing else is copied: the folder may also contain data, backups and
 * secrets.
 */
export const SOURCES = [
  ...['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'turbo.json', 'prisma.config.ts'],
  ...['apps', 'docs', 'packages', 'prisma', 'CHANGELOG.md'],
]
const RESULTS = ['dist', DASHBOARD]

/**
 * Makes `dist/` and `dist-dashboard/` in a production install, which has no build tools: builds a temporary copy of the
 * sources, with the development dependencies of the lockfile, and keeps only the result. Needs the package registry, once.
 */
export async function buildElsewhere(root, folders) {
  if (!folders.every((folder) => RESULTS.includes(folder))) {
    throw new Error('This command needs the development dependencies. Run `npm ci` first.')
  }
  const copy = await mkdtemp(join(tmpdir(), 'subtext-build-'))
  const unfinished = (result) => join(root, `dist.${result}.${process.pid}`)
  // Set by the npm that started this program; it would make npm work in that folder.
  const { npm_config_local_prefix: _, ...env } = process.env
  const options = { cwd: copy, env, onLine: print }
  try {
    print(`building ${RESULTS.join('/ and ')}/ in a temporary folder, with the development dependencies (once)`)
    await copySources(root, copy)
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    await runCommand('npm', ['ci', '--include=dev', '--ignore-scripts', ...quiet], options)
    await runCommand('npm', ['run', '--silent', 'build'], options)
    for (const result of RESULTS) {
      // An interruption must not leave a part of it, which would be used as it is.
      await cp(join(copy, result), unfinished(result), { recursive: true, preserveTimestamps: true })
      await install(unfinished(result), join(root, result))
    }
  } catch (cause) {
    if (cause.exitCode) throw cause
    throw new Error(`dist/ could not be built. Run \`npm ci && npm run build\` first.`, { cause })
  } finally {
    await Promise.all([copy, ...RESULTS.map(unfinished)].map((path) => rm(path, { recursive: true, force: true })))
  }
}

async function copySources(root, copy) {
  const known = ['node_modules', '.turbo', 'dist', ...Object.values(BUNDLES).map(({ folder }) => folder), DASHBOARD]
  const filter = (path) => !known.includes(basename(path)) && !basename(path).startsWith('.env')
  for (const name of SOURCES.filter((each) => existsSync(join(root, each)))) {
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
