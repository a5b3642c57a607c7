import { DIGEST_FORMATS, type DigestFormat } from '@subtext/contracts'
import { HTML_POLICY, type RenderableDigest, renderDigestHtml, renderDigestMarkdown } from '@subtext/render'
import type { Reply } from '../http/reply.ts'
import { pageHeaders } from './result.ts'

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
