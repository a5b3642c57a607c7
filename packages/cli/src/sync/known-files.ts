import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../exit-codes.ts'
import { makeFolder, writeWhole } from '../files.ts'

/** What is known of the file of a video. Hashes are SHA-256. */
export interface KnownFile {
  video_id: string
  format: string
  name: string
  /** Of the document that was written, or is about to be. */
  hash: string
  /** Of the document that it replaces, until it is written. */
  former?: string
  /** False until it is written: what is missing then was not deleted by anyone. */
  written: boolean
  /** A newer document beside the file, because somebody has edited that. `hash`, `former` and `written` as above. */
  beside?: Pick<KnownFile, 'name' | 'hash' | 'former' | 'written'>
}

const FOLDER = '.subtext'
const STATE = 'sync.jsonl'
const HEADER = { version: 1 }
const PART = /^part-(\d+)-\d+$/

/**
 * The files that `sync` has written to a folder. They are stored in a log, of which the last line about a video counts, so that
 * nothing is lost or taken for somebody's work when the program is killed.
 */
export interface KnownFiles {
  find(format: string, videoId: string): KnownFile | undefined
  /** Stores what is known of a file. */
  save(known: KnownFile): Promise<void>
  /** Writes a file as a whole. */
  write(name: string, content: Buffer): Promise<void>
  /** Removes from the log what no longer counts. */
  close(): Promise<void>
}

/** Whether a name is that of a visible file of the folder itself. */
export const isSafeName = (name: string): boolean => /^[^./\\:][^/\\:]*$/.test(name)

const keyOf = ({ format, video_id }: Pick<KnownFile, 'format' | 'video_id'>): string => `${format} ${video_id}`

/** Opens the log of a folder. @throws UsageError if a newer version has written it. */
export async function openKnownFiles(folder: string): Promise<KnownFiles> {
  const own = join(folder, FOLDER)
  const log = join(own, STATE)
  const text = await readFile(log, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const files = parseLog(text, log)
  await removeParts(own)
  let handle: FileHandle | undefined
  let parts = 0

  const append = async (known: KnownFile): Promise<void> => {
    if (!handle) {
      await makeFolder(own)
      // A line that was cut off by a kill must not swallow the next one.
      if (text === '' || !text.endsWith('\n')) await writeWhole(log, writeLog(files))
      handle = await open(log, 'a')
    }
    await handle.write(`${JSON.stringify(known)}\n`)
  }
  return {
    find: (format, videoId) => files.get(keyOf({ format, video_id: videoId })),
    async save(known) {
      await append(known)
      files.set(keyOf(known), known)
    },
    async write(name, content) {
      await makeFolder(own)
      const part = join(own, `part-${process.pid}-${parts++}`)
      try {
        await writeFile(part, content)
        await rename(part, join(folder, name))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async close() {
      if (!handle) return
      await handle.close()
      await writeWhole(log, writeLog(files))
    },
  }
}

const writeLog = (files: ReadonlyMap<string, KnownFile>): string =>
  [HEADER, ...files.values()].map((line) => `${JSON.stringify(line)}\n`).join('')

function parseLog(text: string, path: string): Map<string, KnownFile> {
  const files = new Map<string, KnownFile>()
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (entry?.version !== undefined && entry.version > HEADER.version) {
      throw new UsageError(`${path} was written by a newer version of this program.`)
    }
    // The folder, and with it the log, may come from somebody else.
    if (entry?.name !== undefined && isSafeName(entry.name)) files.set(keyOf(entry), entry)
  }
  return files
}

/** Returns null for the last line if it was cut off. */
function parseLine(line: string): (KnownFile & { version?: number }) | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Removes the unfinished files of programs that were killed. */
async function removeParts(own: string): Promise<void> {
  for (const name of await readdir(own).catch(() => [])) {
    const pid = PART.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(own, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
