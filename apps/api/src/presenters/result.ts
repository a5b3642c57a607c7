import { FORMAT_OF_MEDIA_TYPE, FORMATS, type Format, type ResultFormat } from '@subtext/contracts'
import type { FinishedJob } from '@subtext/core/jobs'
import { RENDERERS } from '@subtext/render'
import type { Reply } from '../http/reply.ts'
import { selectMediaType } from './media-type.ts'

/** Returns the format of a request: `?format=` first, then `Accept`. Throws `NOT_ACCEPTABLE` when nothing accepted exists. */
export function selectFormat(format: ResultFormat | undefined, accepts: (types: string[]) => string | false): Format {
  if (format) return format
  return FORMAT_OF_MEDIA_TYPE.get(selectMediaType([...FORMAT_OF_MEDIA_TYPE.keys()], accepts)) ?? 'default'
}

/** Headers of a document that browsers show as a page, instead of those of the service's own pages. */
const pageHeaders = (policy: string) => ({
  'Content-Security-Policy': policy,
  // Browsers refuse a page that has an opener policy and is sandboxed.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
})

/**
 * Returns the ETag of a result without rendering it: a completed result never changes, so its identity is enough. Weak,
 * because the envelopes carry the request's id and compression changes the bytes.
 */
const buildETag = ({ job, description }: FinishedJob, format: Format): string =>
  `W/"${job.id}-${description.completedAt.getTime().toString(36)}-${format}-${RENDERERS[format].version}"`

interface PresentOptions {
  /** Adds a file name, so that browsers save the response. */
  download?: boolean
  /** Whether CSV begins with a byte order mark. Default: if it is downloaded, because it is then opened in a spreadsheet. */
  byteOrderMark?: boolean
}

export function presentResult(
  finished: FinishedJob,
  format: Format,
  { download = false, byteOrderMark = download }: PresentOptions = {},
): Reply {
  const { job, description } = finished
  const { mediaType, extension, enveloped } = FORMATS[format]
  const { render, pagePolicy } = RENDERERS[format]
  const pieces = render(description, { byteOrderMark })
  return {
    headers: {
      ETag: buildETag(finished, format),
      // Only the caller may keep a copy, and shows it again only while the key is valid.
      'Cache-Control': 'private, no-cache',
      ...(pagePolicy && pageHeaders(pagePolicy)),
      // The name consists of the video's id alone: text from outside has no place in a header.
      ...(download && { 'Content-Disposition': `attachment; filename="${job.videoId}.${extension}"` }),
    },
    warnings: job.warnings,
    ...(enveloped ? { jsonData: pieces } : { mediaType, document: pieces }),
  }
}
