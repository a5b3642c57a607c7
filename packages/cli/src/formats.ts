import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, type DocumentFormat, type InfographicOptions, type Subtext } from '@subtext/sdk'
import { DOCUMENT_FORMATS } from '@subtext/sdk/vocabulary'

const isDocument = (format: string): format is DocumentFormat => Object.hasOwn(DOCUMENT_FORMATS, format)
/** The documents by their name on the command line. */
const DOCUMENTS: ReadonlyMap<string, DocumentFormat> = new Map(
  Object.keys(DOCUMENT_FORMATS)
    .filter(isDocument)
    .map((format) => [DOCUMENT_FORMATS[format].commandName, format]),
)
const isTranscript = ([, format]: [string, DocumentFormat]): boolean => DOCUMENT_FORMATS[format].isTranscript

/** Formats of the infographic, with which a video is submitted only if one of them is asked for. */
const PICTURES: Record<string, NonNullable<InfographicOptions['format']>> = { png: 'png', svg: 'svg' }

export const SUMMARY_FORMATS = [...DOCUMENTS.keys(), 'pdf', ...Object.keys(PICTURES), 'json']
export const TRANSCRIPT_FORMATS = ['txt', ...[...DOCUMENTS].filter(isTranscript).map(([name]) => name), 'json']

/** The formats of which each video has a document of its own. */
export const SYNC_FORMATS = [...DOCUMENTS].filter(([, format]) => format !== 'chunks').map(([name]) => name)

/** Returns the format of a name of the command line that is one of a document. */
export function documentFormatOf(name: string): DocumentFormat {
  const format = DOCUMENTS.get(name)
  if (format === undefined) throw new Error(`${name} is not a document.`)
  return format
}

/** The content of a file. */
export type FileContent = string | Uint8Array

/** Returns the extension of the files of a format. */
export function extensionOf(format: string): string {
  const documentFormat = DOCUMENTS.get(format)
  return documentFormat === undefined ? format : DOCUMENT_FORMATS[documentFormat].extension
}

export const isPicture = (format: string): boolean => Object.hasOwn(PICTURES, format)
/** Whether a format is binary, so that it cannot be shown on a terminal. */
export const isBinary = (format: string): boolean => format === 'pdf' || isPicture(format)

/** Fetches the result of a job as a document. */
export async function fetchSummary(
  { videos }: Subtext,
  jobId: string,
  format: string,
  signal: AbortSignal,
): Promise<FileContent> {
  if (isPicture(format)) {
    return download(jobId, signal, (options) => videos.infographic(jobId, { format: PICTURES[format], ...options }))
  }
  if (format === 'pdf') return download(jobId, signal, (options) => videos.exportPdf(jobId, options))
  const documentFormat = DOCUMENTS.get(format)
  if (documentFormat === undefined) return toJson(await videos.result(jobId, { format: 'json', signal }))
  const bytes = await download(jobId, signal, (options) => videos.document(jobId, documentFormat, options))
  return new TextDecoder().decode(bytes)
}

/** The service was reached, but the transfer of a document broke or stalled each time. */
export class TransferError extends ConnectionError {}

const DOWNLOAD_ATTEMPTS = 3
/** A transfer of which nothing more arrives for this time is dead. */
const STALLED_MS = 30_000

/** Fetches a file, again if its transfer breaks or stalls. `open` retries by itself until the transfer begins. */
async function download(
  jobId: string,
  signal: AbortSignal,
  open: (options: { signal: AbortSignal }) => Promise<Response>,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    const stalled = new AbortController()
    const response = await open({ signal: AbortSignal.any([signal, stalled.signal]) })
    try {
      return await readAll(response, () => stalled.abort())
    } catch (cause) {
      signal.throwIfAborted()
      if (attempt === DOWNLOAD_ATTEMPTS) {
        const message = 'The document did not arrive whole.'
        throw new TransferError(message, { code: 'CONNECTION_ERROR', retryable: true, jobId, cause })
      }
    }
    await sleep(500 * attempt, undefined, { signal })
  }
}

async function readAll({ body }: Response, onStalled: () => void): Promise<Uint8Array> {
  const timer = setTimeout(onStalled, STALLED_MS)
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of body ?? []) {
      timer.refresh()
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
  }
}

/** Fetches the transcript of a job alone. */
export async function fetchTranscript(subtext: Subtext, jobId: string, format: string, signal: AbortSignal) {
  if (format === 'txt') return `${(await subtext.videos.result(jobId, { signal })).transcript.text}\n`
  if (format !== 'json') return fetchSummary(subtext, jobId, format, signal)
  const { job_id, video_info, transcript } = await subtext.videos.result(jobId, { format: 'json', signal })
  return toJson({ job_id, video_info, transcript })
}

/** One line, so that several results are lines of JSON (https://jsonlines.org). */
const toJson = (value: unknown): string => `${JSON.stringify(value)}\n`
