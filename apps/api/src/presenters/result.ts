import { DOCUMENT_TYPES, type DocumentFormat, type ResultFormat, ServiceError } from '@subtext/contracts'
import type { FinishedJob } from '@subtext/core/jobs'
import {
  HTML_POLICY,
  RENDER_VERSION,
  type RenderableResult,
  renderCsvDocument,
  renderHtmlDocument,
  renderMarkdownData,
  renderMarkdownDocument,
  renderSrt,
  renderStructuredData,
  renderTextDocument,
  renderVtt,
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

const EXTENSIONS: Record<Presentation, string> = {
  envelope: 'json',
  json: 'json',
  markdown: 'md',
  text: 'txt',
  html: 'html',
  csv: 'csv',
  srt: 'srt',
  vtt: 'vtt',
}

type RenderDocument = (result: RenderableResult, download: boolean) => AsyncIterable<string>

const DOCUMENTS: Record<DocumentFormat, RenderDocument> = {
  markdown: renderMarkdownDocument,
  text: renderTextDocument,
  html: renderHtmlDocument,
  // Who saves a table opens it in a spreadsheet.
  csv: (result, download) => renderCsvDocument(result, { forSpreadsheet: download }),
  srt: renderSrt,
  vtt: renderVtt,
}

/** In place of the headers for the service's other pages. */
const PAGE_HEADERS = {
  'Content-Security-Policy': HTML_POLICY,
  // Browsers refuse a page that has an opener policy and is sandboxed.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
}

/**
 * A completed result is never written again, so its name is enough and nothing has to be rendered. Weak, because the
 * envelopes carry the request's id and compression changes the bytes.
 */
const buildETag = ({ job, description }: FinishedJob, presentation: Presentation): string =>
  `W/"${job.id}-${description.completedAt.getTime().toString(36)}-${presentation}-${RENDER_VERSION}"`

export function presentResult(finished: FinishedJob, presentation: Presentation, download: boolean): Reply {
  const { job, description } = finished
  const headers = {
    ETag: buildETag(finished, presentation),
    // To be kept by the caller alone, and shown again only while the key is good.
    'Cache-Control': 'private, no-cache',
    ...(presentation === 'html' && PAGE_HEADERS),
    // The name is made of the id alone: foreign text has no place in a header.
    ...(download && {
      'Content-Disposition': `attachment; filename="${job.videoId}.${EXTENSIONS[presentation]}"`,
    }),
  }
  const { warnings } = job
  switch (presentation) {
    case 'envelope':
      return { headers, warnings, jsonData: renderMarkdownData(description) }
    case 'json':
      return { headers, warnings, jsonData: renderStructuredData(description) }
    default:
      return {
        headers,
        mediaType: DOCUMENT_TYPES[presentation],
        document: DOCUMENTS[presentation](description, download),
      }
  }
}
