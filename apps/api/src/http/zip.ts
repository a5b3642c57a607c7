import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Response } from 'express'
import { ZipFile } from 'yazl'
import { stream } from './reply.ts'

export interface ZippedFile {
  path: string
  content: AsyncIterable<string>
  /** Default: now. */
  modifiedAt?: Date
  /** What programs may want to know about the file. */
  comment?: string
}

/**
 * Responds with a ZIP archive of files, which is written only as fast as the reader accepts it: one file is read at a time.
 * Throws if a file cannot be read or `signal` aborts: the archive then ends without its directory, so that nobody takes it
 * for complete.
 */
export async function sendZip(
  response: Response,
  files: AsyncIterable<ZippedFile>,
  signal: AbortSignal,
): Promise<void> {
  response.setHeader('Content-Type', 'application/zip')
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  const zip = new ZipFile()
  const archive = zip.outputStream.pipe(new PassThrough())
  // Otherwise, a client that does not read would keep it waiting.
  signal.addEventListener('abort', () => response.destroy(), { once: true })
  const adding = addAll(zip, files, signal).catch((error: Error) => void archive.destroy(error))
  await stream(response, archive)
  await adding
}

async function addAll(zip: ZipFile, files: AsyncIterable<ZippedFile>, signal: AbortSignal): Promise<void> {
  for await (const { path, content, modifiedAt, comment } of files) {
    const bytes = Readable.from(toBytes(content))
    zip.addReadStream(bytes, path, { mtime: modifiedAt, fileComment: comment })
    await finished(bytes, { signal }).finally(() => bytes.destroy())
  }
  zip.end()
}

async function* toBytes(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
