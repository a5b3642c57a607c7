import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Creates a folder and those above it. Unlike `mkdir` with `recursive`, fails where a file system has no folders to create. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if (await isDirectory(path)) return
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    await makeFolder(parent, mode)
    // Another process may have created it meanwhile.
    await mkdir(path, mode).catch(async (failure: unknown) => {
      if (!(await isDirectory(path))) throw failure
    })
  }
}

/** Creates a folder where there is none. Throws if it cannot be created, or no file can be created in it. */
export async function openFolder(path: string): Promise<void> {
  await makeFolder(path)
  await access(path, constants.W_OK | constants.X_OK)
}

/**
 * Writes a file as a whole: an incomplete file never has the final name. The target of a link is replaced, not the link, and
 * pipes and devices are written to.
 */
export async function writeWhole(path: string, content: string | Uint8Array, { mode = 0o666 } = {}): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isFile()) return writeFile(path, content)
  const target = found ? await realpath(path) : path
  const unfinished = `${target}.${randomUUID().slice(0, 8)}.part`
  try {
    await writeFile(unfinished, content, { mode, flag: 'wx' })
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
