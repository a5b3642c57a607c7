import { DOCUMENT_TYPES, type DocumentFormat, type ResultFormat, ServiceError } from '@subtext/contracts'
import type { FinishedJob } from '@subtext/core'
import {
  type RenderableResult,
  renderMarkdownData,
  renderMarkdownDocument,
  renderStructuredData,
  renderTextDocument,
} from '@subtext/render'
import type { Reply } from '../http/reply.ts'

/** What is answered: the default envelope, the structured one, or a document. */
export type Presentation = 'envelope' | ResultFormat

const JSON_TYPE = 'application/json'
const CHARSET = '; charset=utf-8'
const FORMAT_OF_TYPE = new Map(
  Object.entries(DOCUMENT_TYPES).map(([format, type]) => [type as string, format as DocumentFormat]),
)

/** `format` first, then `Accept`, else the envelope; `NOT_ACCEPTABLE` when nothing accepted can be produced. */
export function selectFormat(
  format: ResultFormat | undefined,
  accepts: (types: string[]) => string | false,
): Presentation {
  if (format) return format
  const available = [JSON_TYPE, ...FORMAT_OF_TYPE.keys()]
  // An offer with its charset also meets a range that names none; the other way round it would not.
  const accepted = accepts(available.map((type) => type + CHARSET))
  if (accepted === false) throw new ServiceError('NOT_ACCEPTABLE', { details: { available } })
  return FORMAT_OF_TYPE.get(accepted.slice(0, -CHARSET.length)) ?? 'envelope'
}

const EXTENSIONS: Record<ResultFormat, string> = { json: 'json', markdown: 'md', text: 'txt' }

const DOCUMENTS: Record<DocumentFormat, (result: RenderableResult) => AsyncIterable<string>> = {
  markdown: renderMarkdownDocument,
  text: renderTextDocument,
}

export function presentResult({ job, description }: FinishedJob, presentation: Presentation, download: boolean): Reply {
  const extension = presentation === 'envelope' ? 'json' : EXTENSIONS[presentation]
  // The name is made of the id alone: foreign text has no place in a header.
  const headers = download ? { 'Content-Disposition': `attachment; filename="${job.videoId}.${extension}"` } : undefined
  const { warnings } = job
  switch (presentation) {
    case 'envelope':
      return { headers, warnings, jsonData: renderMarkdownData(description) }
    case 'json':
      return { headers, warnings, jsonData: renderStructuredData(description) }
    default:
      return { headers, mediaType: DOCUMENT_TYPES[presentation], document: DOCUMENTS[presentation](description) }
  }
}
