import { type Renderer, renderDigestPdf } from '@subtext/documents'
import type { RenderableDigest } from '@subtext/render'
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
