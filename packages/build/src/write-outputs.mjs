import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Programs that still run may load further chunks of the bundle they were started from, which outlive later bundles. */
const KEPT_UNUSED_MS = 3_600_000

/**
 * Writes a bundle to the folder `target`: `outputs` are pairs of a path and contents, `copies` of a path and the file to copy.
 * Removes what earlier bundles have left: other copies in `assets` at once, such as a migration that was renamed, and chunks
 * an hour after they were last among the outputs. `earlier` has the paths of the bundle before this one.
 */
export async function writeOutputs(target, { outputs, copies, assets, earlier }) {
  for (const [path, contents] of outputs) await replaceFile(join(target, path), contents)
  for (const [path, source] of copies) await replaceFile(join(target, path), await readFile(source))
  const used = new Set([...outputs, ...copies].map(([path]) => path))
  const findUnused = async (folder) => (await listFiles(target, folder)).filter((path) => !used.has(path))
  if (assets) for (const path of await findUnused(assets)) await removeFile(target, path)
  const now = new Date()
  for (const path of await findUnused('chunks')) {
    const file = join(target, path)
    if (earlier.has(path)) await utimes(file, now, now)
    else if (now - (await stat(file)).mtime > KEPT_UNUSED_MS) await rm(file)
  }
}

/** Removes a file, and the folders that it leaves empty: a migration is a folder. */
async function removeFile(target, path) {
  await rm(join(target, path))
  for (let folder = dirname(path); (await readdir(join(target, folder))).length === 0; folder = dirname(folder)) {
    await rmdir(join(target, folder))
  }
}

/** Written so that a process that starts in the meantime never sees a partial file. */
async function replaceFile(path, contents) {
  const unfinished = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}

/** Returns the paths of all files in a folder of `target`. */
export async function listFiles(target, folder) {
  const entries = existsSync(join(target, folder))
    ? await readdir(join(target, folder), { recursive: true, withFileTypes: true })
    : []
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(target, join(parentPath, name)))
}
