import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LibraryExportOptions, type Subtext, SubtextError } from '@subtext/sdk'
import { openPromise } from 'yauzl'
import { TransferError } from '../formats.ts'
import { isSafeName } from './known-files.ts'

/** A document of an export. */
export interface ExportedDocument {
  /** Name of its file, which a video keeps. */
  name: string
  videoId: string
  jobId: string | undefined
  completedAt: string | undefined
  content: Buffer
}

const ATTEMPTS = 3

/**
 * Writes an export to a file and returns the headers of its response. An archive that breaks off is requested again, because it
 * lacks its directory.
 */
export async function downloadArchive(
  { library }: Subtext,
  query: LibraryExportOptions,
  file: string,
  signal: AbortSignal,
): Promise<Headers> {
  for (let attempt = 1; ; attempt++) {
    const { body, headers } = await library.export({ ...query, signal })
    try {
      // The types of the web streams of Node.js and of the standard library differ.
      const bytes = Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0])
      await pipeline(bytes, createWriteStream(file), { signal })
      return headers
    } catch (cause) {
      signal.throwIfAborted()
      if (isFileError(cause)) throw cause
      if (attempt === ATTEMPTS) {
        const message = 'The export did not arrive whole.'
        throw new TransferError(message, { code: 'CONNECTION_ERROR', retryable: true, cause })
      }
    }
    await sleep(500 * attempt, undefined, { signal })
  }
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error &&
  ('path' in error || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? ''))

interface Comment {
  video_id?: string
  job_id?: string
  completed_at?: string
}

/** Reads what the service says about a file, if anything. */
function readComment(text: string): Comment {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Yields the documents of an archive. */
export async function* readArchive(file: string): AsyncGenerator<ExportedDocument> {
  const archive = await openPromise(file, { strictFileNames: true })
  try {
    for await (const entry of archive.eachEntry()) {
      const { fileName: name, fileComment } = entry
      // Names that a service makes are safe. Another one could send files to other folders, or replace hidden ones.
      if (!isSafeName(name)) {
        throw new SubtextError(`The export has a file with the name ${JSON.stringify(name)}.`, {
          code: 'INVALID_RESPONSE',
        })
      }
      const { video_id = name, job_id, completed_at } = readComment(fileComment)
      const content = await buffer(await archive.openReadStreamPromise(entry))
      yield { name, videoId: video_id, jobId: job_id, completedAt: completed_at, content }
    }
  } finally {
    archive.close()
  }
}
