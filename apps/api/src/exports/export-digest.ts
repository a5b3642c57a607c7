import { DIGEST_FORMATS, type DigestFormat } from '@subtext/contracts'
import { type Renderer, renderDigestPdf } from '@subtext/documents'
import { HTML_POLICY, type RenderableDigest, renderDigestHtml, renderDigestMarkdown } from '@subtext/render'
import type { Reply } from '../http/reply.ts'
import { pageHeaders } from '../presenters/result.ts'
import type { DocumentCaller } from './keep-document.ts'
import { toServiceError } from './render-errors.ts'

/** Renders a digest as a PDF. Throws `ServiceError`. */
export type ExportDigestPdf = (digest: RenderableDigest, caller: DocumentCaller) => Promise<Buffer>

const MESSAGES = {
  busy: 'Too many PDFs are being rendered. Retry after `Retry-After` seconds.',
  limit: 'The PDF could not be rendered within the limits of time and memory. Read the digest in another format.',
}

/** Creates the function that renders PDFs of digests, which are small, so that none is stored. */
export const createDigestExporter =
  (renderer: Renderer): ExportDigestPdf =>
  async (digest, { account, signal }) => {
    const { bytes } = await renderDigestPdf(renderer, digest, { account, signal }).catch((error: unknown) => {
      throw toServiceError(error, MESSAGES)
    })
    return bytes
  }

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** Presents a digest as a document. */
export function presentDigestDocument(
  digest: RenderableDigest & { digest_id: string },
  format: Exclude<DigestFormat, 'json'>,
  exportPdf: () => Promise<Buffer>,
): Reply {
  const mediaType = DIGEST_FORMATS[format]
  const headers = { 'Cache-Control': 'private, no-cache' }
  if (format === 'pdf') {
    return {
      headers: { ...headers, 'Content-Disposition': `inline; filename="digest-${digest.digest_id}.pdf"` },
      mediaType,
      file: exportPdf,
    }
  }
  if (format === 'html') {
    return { headers: { ...headers, ...pageHeaders(HTML_POLICY) }, mediaType, document: once(renderDigestHtml(digest)) }
  }
  return { headers, mediaType, document: once(renderDigestMarkdown(digest)) }
}
