import type { InfographicFormat, InfographicLayout, InfographicTheme } from '@subtext/contracts'
import type { ShownInfographic } from '@subtext/core/infographics'
import { nameInfographicFile, renderInfographic } from '@subtext/documents'
import { INFOGRAPHIC_TYPES } from '../presenters/infographic.ts'
import { createFileKeeper, type FileContext } from './keep-file.ts'
import { toServiceError } from './render-errors.ts'

/** The appearance of a picture. */
export interface Look {
  layout: InfographicLayout
  theme: InfographicTheme
}

/** Returns an infographic as a picture, drawn now or stored before. Throws `ServiceError`. */
export type DrawInfographic = (infographic: ShownInfographic, look: Look, format: InfographicFormat) => Promise<Buffer>

const MESSAGES = {
  busy: 'Too many pictures are being drawn. Retry after `Retry-After` seconds.',
  limit: 'The picture could not be drawn within the limits of time and memory.',
}

/** Creates the function that draws infographics. Requests for the same picture at the same time share one render. */
export function createInfographicDrawer(ctx: FileContext): DrawInfographic {
  const obtain = createFileKeeper(ctx)
  return ({ jobId, content, video }, look, format) => {
    const file = { jobId, name: nameInfographicFile(look, format), contentType: INFOGRAPHIC_TYPES[format] }
    return obtain(file, () =>
      renderInfographic(ctx.renderer, { content, video, ...look }, format).catch((error: unknown) => {
        throw toServiceError(error, MESSAGES)
      }),
    )
  }
}
