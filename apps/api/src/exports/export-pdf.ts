import { createHash } from 'node:crypto'
import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { THUMBNAIL_BLOB } from '@subtext/core/blobs'
import type { FinishedJob } from '@subtext/core/jobs'
import { REPORT_VERSION, type ReportOptions, renderReport } from '@subtext/documents'
import { createDocumentKeeper, type DocumentCaller, type DocumentContext, findKept } from './keep-document.ts'
import { toServiceError } from './render-errors.ts'

/**
 * Returns a result as a PDF, rendered now or stored before. The same result and options give the same bytes. Throws
 * `ServiceError`.
 */
export type ExportPdf = (finished: FinishedJob, options: ReportOptions, caller: DocumentCaller) => Promise<Buffer>

const MESSAGES = {
  busy: 'Too many PDFs are being rendered. Retry after `Retry-After` seconds.',
  limit:
    'The PDF could not be rendered within the limits of time and memory. Leave out the transcript with `transcript=false`.',
}

/** Leaves out modes that the result does not have, so that options with the same effect share a key. */
function normalize({ description }: FinishedJob, { paper, transcript, modes }: ReportOptions): Required<ReportOptions> {
  const available = new Set(description.summaries.map(({ mode }) => mode))
  const isWanted = (mode: SummaryMode): boolean => available.has(mode) && (modes?.includes(mode) ?? true)
  return { paper, transcript, modes: SUMMARY_MODES.filter(isWanted) }
}

/** Returns an identifier of the PDF that a result and options give, without rendering it: a completed result never changes. */
export function identifyPdf(finished: FinishedJob, options: ReportOptions): string {
  const { job, description } = finished
  const { paper, transcript, modes } = normalize(finished, options)
  const identity = [REPORT_VERSION, job.id, description.completedAt.getTime(), paper, transcript, ...modes]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}

/** Creates the function that renders PDFs. Requests for the same PDF at the same time share one render. */
export function createPdfExporter(ctx: DocumentContext): ExportPdf {
  const obtain = createDocumentKeeper(ctx)
  return (finished, options, { account, signal }) => {
    const name = `report-${identifyPdf(finished, options)}.pdf`
    const document = { jobId: finished.job.id, name, contentType: 'application/pdf' }
    const make = async (abandoned: AbortSignal): Promise<Buffer> => {
      const thumbnail = await findThumbnail(ctx, finished)
      const report = { ...normalize(finished, options), result: finished.description, thumbnail }
      const rendering = { account, signal: abandoned }
      const { bytes } = await renderReport(ctx.renderer, report, rendering).catch((error: unknown) => {
        throw toServiceError(error, MESSAGES)
      })
      return bytes
    }
    return obtain(document, make, signal)
  }
}

/** A derived job uses the thumbnail of its source. */
async function findThumbnail(ctx: DocumentContext, { job: { id, derivedFrom } }: FinishedJob): Promise<Buffer | null> {
  const find = (jobId: string) => findKept(ctx, { jobId, name: THUMBNAIL_BLOB })
  return (await find(id)) ?? (derivedFrom === null ? null : find(derivedFrom))
}
