import type { InfographicFormat, InfographicLayout, InfographicTheme } from '@subtext/contracts'
import type { ShownInfographic } from '@subtext/core/infographics'
import { nameInfographicFile, renderInfographic } from '@subtext/documents'
import { INFOGRAPHIC_TYPES } from '../presenters/infographic.ts'
import { createDocumentKeeper, type DocumentCaller, type DocumentContext } from './keep-document.ts'
import { toServiceError } from './render-errors.ts'

/** The appearance of an infographic. */
export interface Look {
  layout: InfographicLayout
  theme: InfographicTheme
}

/** Returns the document of an infographic, drawn now or stored before. Throws `ServiceError`. */
export type DrawInfographic = (
  infographic: ShownInfographic,
  look: Look,
  format: InfographicFormat,
  caller: DocumentCaller,
) => Promise<Buffer>

const MESSAGES = {
  busy: 'Too many pictures are being drawn. Retry after `Retry-After` seconds.',
  limit: 'The picture could not be drawn within the limits of time and memory.',
}

/** Creates the function that draws infographics. Requests for the same document at the same time share one render. */
export function createInfographicDrawer(ctx: DocumentContext): DrawInfographic {
  const obtain = createDocumentKeeper(ctx)
  return ({ jobId, content, video }, look, format, { account, signal }) => {
    const document = { jobId, name: nameInfographicFile(look, format), contentType: INFOGRAPHIC_TYPES[format] }
    const make = (abandoned: AbortSignal): Promise<Buffer> => {
      const rendering = { account, signal: abandoned }
      return renderInfographic(ctx.renderer, { content, video, ...look }, format, rendering).catch((error: unknown) => {
        throw toServiceError(error, MESSAGES)
      })
    }
    return obtain(document, make, signal)
  }
}
