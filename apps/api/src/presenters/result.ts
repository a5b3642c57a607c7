import { FORMAT_OF_MEDIA_TYPE, FORMATS, type Format, type ResultFormat, validationError } from '@subtext/contracts'
import { buildInfographicUrl, linkEpoch } from '@subtext/core/infographics'
import type { FinishedJob } from '@subtext/core/jobs'
import { BYTE_ORDER_MARK, placeOf, RENDERERS, type RenderableResult, renderCards } from '@subtext/render'
import type { ApiContext } from '../context.ts'
import type { Reply } from '../http/reply.ts'
import { selectMediaType } from './media-type.ts'

/** Returns the format of a request: `?format=` first, then `Accept`. Throws `NOT_ACCEPTABLE` when nothing accepted exists. */
export function selectFormat(format: ResultFormat | undefined, accepts: (types: string[]) => string | false): Format {
  if (format) return format
  return FORMAT_OF_MEDIA_TYPE.get(selectMediaType([...FORMAT_OF_MEDIA_TYPE.keys()], accepts)) ?? 'default'
}

/** Headers of a document that browsers show as a page, instead of those of the service's own pages. */
export const pageHeaders = (policy: string) => ({
  'Content-Security-Policy': policy,
  // Browsers refuse a page that has an opener policy and is sandboxed.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
})

/** What presenting a result needs besides the result. */
export type PresentContext = Pick<ApiContext, 'clock'> & {
  http: Pick<ApiContext['http'], 'publicBaseUrl'>
}

/** Returns a result as the renderers expect it, with a new link to its infographic. */
export const toRenderable = (ctx: PresentContext, { description, infographic }: FinishedJob): RenderableResult => ({
  ...description,
  infographic: infographic && {
    url: buildInfographicUrl(ctx.http.publicBaseUrl, infographic, ctx.clock()),
    altText: infographic.altText,
  },
})

/**
 * Returns the ETag of a result without rendering it: a completed result never changes except for the link to its infographic,
 * so its identity is enough. Weak, because the envelopes carry the request's ID and compression changes the bytes.
 */
function buildETag({ clock }: PresentContext, { job, description, infographic }: FinishedJob, format: Format): string {
  const parts = [job.id, description.completedAt.getTime().toString(36), format, RENDERERS[format].version]
  const hasLink = infographic !== null && FORMATS[format].enveloped
  return `W/"${[...parts, ...(hasLink ? [linkEpoch(clock()).toString(36)] : [])].join('-')}"`
}

interface PresentOptions {
  /** Adds a file name, so that browsers save the response. */
  download?: boolean
  /** Whether CSV begins with a byte order mark. Default: if it is downloaded, because it is then opened in a spreadsheet. */
  byteOrderMark?: boolean
}

/** Presents a result in one format. */
export function presentResult(
  ctx: PresentContext,
  finished: FinishedJob,
  format: Format,
  { download = false, byteOrderMark = download }: PresentOptions = {},
): Reply {
  const { job } = finished
  const { extension, mediaType, enveloped } = FORMATS[format]
  const { render, pagePolicy } = RENDERERS[format]
  const text = render(toRenderable(ctx, finished), { byteOrderMark })
  return {
    headers: {
      ETag: buildETag(ctx, finished, format),
      // Only the caller may store a copy, and must revalidate it with a valid key before using it again.
      'Cache-Control': 'private, no-cache',
      ...(pagePolicy && pageHeaders(pagePolicy)),
      // The name consists only of the video's ID: foreign text must not get into a header.
      ...(download && { 'Content-Disposition': `attachment; filename="${job.videoId}.${extension}"` }),
    },
    warnings: job.warnings,
    ...(enveloped ? { jsonData: text } : { mediaType, document: text }),
  }
}

/** Presents the flash cards of a result as a table. Throws `VALIDATION_ERROR` if it has none. */
export function presentCards(
  { job, description }: FinishedJob,
  { download = false, byteOrderMark = download }: PresentOptions,
): Reply {
  const table = renderCards(description.extractions ?? [], placeOf(description.videoInfo))
  if (table === null) {
    const message = 'The result has no flash cards. Add `flashcards` to `options.templates`.'
    throw validationError([{ path: 'query.format', message, code: 'no_cards' }])
  }
  const { mediaType, extension } = FORMATS.csv
  const text = async function* () {
    yield byteOrderMark ? BYTE_ORDER_MARK + table : table
  }
  return {
    headers: {
      'Cache-Control': 'private, no-cache',
      ...(download && { 'Content-Disposition': `attachment; filename="${job.videoId}-cards.${extension}"` }),
    },
    warnings: job.warnings,
    mediaType,
    document: text(),
  }
}
