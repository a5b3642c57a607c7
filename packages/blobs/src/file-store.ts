import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { limitOperations } from './directory-operations.ts'

/** Not a valid first segment of a key. */
const UNFINISHED_FOLDER = '.unfinished'
const UNFINISHED_MAX_AGE_MS = 86_400_000
/** Timeout of an operation, as for a bucket. */
const TIMEOUT_MS = 30_000
/** Another process may delete an empty directory before a file is in it. */
const MAX_TRIES = 5

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/**
 * Keeps files in a directory, which several processes may share. A file appears under its name once it is complete. A directory
 * that does not respond is an error after a while.
 */
export function createFileStore(directory: string, { timeoutMs = TIMEOUT_MS } = {}): BlobStore {
  const run = limitOperations(timeoutMs)
  const pathOf = (key: string): string => join(directory, ...key.split('/'))
  const unfinished = join(directory, UNFINISHED_FOLDER)
  let cleaned: Promise<void> | undefined

  const put = async (key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> => {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    // Files are stored even if those that nobody needs cannot be deleted.
    cleaned ??= removeAbandoned(unfinished).catch(() => {})
    await cleaned
    const temporary = join(unfinished, randomUUID())
    try {
      await writeFile(temporary, bytes, { mode: 0o600, flush: true })
      signal.throwIfAborted()
      await moveInto(temporary, pathOf(key), signal)
    } finally {
      await rm(temporary, { force: true })
    }
  }
  return {
    put: (key, bytes) => run((signal) => put(key, bytes, signal)),
    get: (key) => run(() => readFile(pathOf(key)).catch(orIfMissing(null))),
    exists: (key) =>
      run(() =>
        access(pathOf(key))
          .then(() => true)
          .catch(orIfMissing(false)),
      ),
    delete: (key) =>
      run(async () => {
        await rm(pathOf(key), { force: true })
        await removeEmpty(directory, key)
      }),
  }
}

/** Returns a handler of errors that turns that of a missing file into a value. */
const orIfMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return value
    throw error
  }

/**
 * Gives a file its name, unless the signal aborts before that. Its caller has then been told that the file is not stored, and its
 * job and the other files of the job may have been deleted.
 */
async function moveInto(temporary: string, path: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    signal.throwIfAborted()
    try {
      return await rename(temporary, path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === MAX_TRIES) throw error
    }
  }
}

/** Deletes the directories of a key that are empty now. */
async function removeEmpty(directory: string, key: string): Promise<void> {
  const folders = key.split('/').slice(0, -1)
  for (; folders.length > 0; folders.pop()) {
    const removed = await rmdir(join(directory, ...folders)).then(
      () => true,
      () => false, // Not empty, or already gone.
    )
    if (!removed) return
  }
}

/** Deletes the partial files of processes that died while writing. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const modified = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY, // It has been finished in the meantime.
    )
    if (Date.now() - modified > UNFINISHED_MAX_AGE_MS) await rm(path, { force: true })
  }
}
