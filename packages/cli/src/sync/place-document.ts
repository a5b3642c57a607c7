import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ExportedDocument } from './archive.ts'
import type { KnownFile, KnownFiles } from './known-files.ts'

/**
 * What has become of a document: written to a new file, to its file, beside it, or to the file that had been deleted; or not
 * written, because the file has it, was edited and has no newer document, or was deleted.
 */
export type Outcome = 'new' | 'changed' | 'beside' | 'restored' | 'unchanged' | 'edited' | 'deleted'

export interface PlacedDocument {
  outcome: Outcome
  /** The file that was written, or would have been. */
  name: string
}

interface SyncFolder {
  path: string
  format: string
  files: KnownFiles
  /** Whether files that somebody has deleted are written again. */
  restore: boolean
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

const HASH_LINE = /^subtext_hash: "([0-9a-f]{64})"\n/m

/** Whether a note still has the text with which the service made it. */
function isIntactNote(content: Buffer): boolean {
  const text = content.toString()
  const line = text.startsWith('---\n') ? HASH_LINE.exec(text) : null
  return line !== null && line[1] === sha256(text.replace(HASH_LINE, ''))
}

/** A file as it is now. Anything but a file counts as somebody's. */
interface FoundFile {
  hash: string
  isIntact: boolean
}

async function findFile(path: string): Promise<FoundFile | null> {
  try {
    if (!(await lstat(path)).isFile()) return { hash: 'none', isIntact: false }
    const content = await readFile(path)
    return { hash: sha256(content), isIntact: isIntactNote(content) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes a document to the file of its video, unless somebody has edited or deleted that. */
export async function placeDocument(
  folder: SyncFolder,
  { videoId, name: newName, content }: ExportedDocument,
): Promise<PlacedDocument> {
  const { path, format, files, restore } = folder
  const known = files.find(format, videoId)
  const name = known?.name ?? newName
  const hash = sha256(content)
  const found = await findFile(join(path, name))
  const entry: KnownFile = { video_id: videoId, format, name, hash, written: true }

  const write = async (outcome: Outcome): Promise<PlacedDocument> => {
    // First the intention: after a kill, the file has either hash, and neither is somebody's.
    await files.save({ ...entry, written: false, ...(found && { former: found.hash }) })
    await files.write(name, content)
    await files.save(entry)
    return { outcome, name }
  }

  if (!found) {
    const wasInterrupted = known !== undefined && !known.written && known.former === undefined
    if (!known || wasInterrupted) return write('new')
    return restore ? write('restored') : { outcome: 'deleted', name }
  }
  if (found.hash === hash) {
    if (known?.hash !== hash || !known.written || known.beside) await files.save(entry)
    return { outcome: 'unchanged', name }
  }
  if (found.isIntact || isOwn(found, known)) return write('changed')
  const isBeside = known?.beside?.written && known.beside.hash === hash
  if (known?.written && (known.hash === hash || isBeside)) return { outcome: 'edited', name }
  return placeBeside(folder, { ...entry, hash: known?.hash ?? '', beside: known?.beside }, content)
}

const isOwn = ({ hash }: FoundFile, known: KnownFile | undefined): boolean =>
  known !== undefined && [known.hash, known.former, known.beside?.hash, known.beside?.former].includes(hash)

/** Writes a document beside the file that somebody has edited. */
async function placeBeside({ path, files }: SyncFolder, known: KnownFile, content: Buffer): Promise<PlacedDocument> {
  const hash = sha256(content)
  const end = extname(known.name)
  const start = known.name.slice(0, known.name.length - end.length)
  for (let count = 1; ; count++) {
    const name = `${start} (new${count > 1 ? ` ${count}` : ''})${end}`
    const found = await findFile(join(path, name))
    const isFree = !found || found.isIntact || [hash, known.beside?.hash, known.beside?.former].includes(found.hash)
    if (!isFree) continue
    if (found?.hash !== hash) {
      await files.save({ ...known, beside: { name, hash, written: false, ...(found && { former: found.hash }) } })
      await files.write(name, content)
    }
    await files.save({ ...known, beside: { name, hash, written: true } })
    return { outcome: 'beside', name }
  }
}
