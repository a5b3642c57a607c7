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
import { presentAttribution } from './job.ts'

/** What is answered: the default envelope, the structured one, or a document. */
export type Presentation = 'envelope' | ResultFormat

const JSON_TYPE = 'application/json'
const FORMAT_OF_TYPE = new Map(
  Object.entries(DOCUMENT_TYPES).map(([format, type]) => [type as string, format as DocumentFormat]),
)

/** `format` first, then `Accept`, else the envelope; `NOT_ACCEPTABLE` when nothing accepted can be produced. */
export function selectFormat(
  format: ResultFormat | undefined,
  accepts: (types: string[]) => string | false,
): Presentation {
  if (format) return format
  const accepted = accepts([JSON_TYPE, ...FORMAT_OF_TYPE.keys()])
  if (accepted === false) {
    throw new ServiceError('NOT_ACCEPTABLE', { details: { available: [JSON_TYPE, ...FORMAT_OF_TYPE.keys()] } })
  }
  return FORMAT_OF_TYPE.get(accepted) ?? 'envelope'
}

const DOCUMENTS: Record<DocumentFormat, (result: RenderableResult) => AsyncIterable<string>> = {
  markdown: renderMarkdownDocument,
  text: renderTextDocument,
}

export function presentResult(finished: FinishedJob, presentation: Presentation): Reply {
  const result = toRenderable(finished)
  const headers = { Vary: 'Accept' }
  const { warnings } = finished.job
  switch (presentation) {
    case 'envelope':
      return { headers, warnings, jsonData: renderMarkdownData(result) }
    case 'json':
      return { headers, warnings, jsonData: renderStructuredData(result) }
    default:
      return { headers, mediaType: DOCUMENT_TYPES[presentation], document: DOCUMENTS[presentation](result) }
  }
}

const toRenderable = ({ job, result, summaries, cues }: FinishedJob): RenderableResult => ({
  jobId: job.id,
  videoInfo: result.videoInfo,
  track: result.track,
  selectionReason: result.selectionReason,
  truncated: result.truncated,
  summaries,
  citedStarts: new Map(Object.entries(result.citedStarts).map(([id, startMs]) => [Number(id), startMs])),
  usage: result.usage,
  processingSeconds: result.processingMs / 1_000,
  completedAt: result.completedAt,
  attribution: presentAttribution(job),
  cues,
})
