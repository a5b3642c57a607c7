import type { infographics } from '@subtext/contracts'
import { getInfographic, getLinkedInfographic } from '@subtext/core/infographics'
import { nameInfographicFile } from '@subtext/documents'
import type { Handlers } from '../http/mount.ts'
import { INFOGRAPHIC_TYPES } from '../presenters/infographic.ts'

/** The QR code is an image within the SVG, which browsers show only if the policy allows it. */
const SVG_POLICY = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const infographicHandlers: Handlers<typeof infographics> = {
  show: async (ctx, { params, query }, { actor }) => {
    const { format = 'png', layout = 'card', theme = 'light', download, expires = 0, signature = '' } = query
    const found = actor
      ? await getInfographic(ctx, actor, params.job_id)
      : await getLinkedInfographic(ctx, params.job_id, { expires, signature })
    const look = { layout, theme }
    return {
      headers: {
        // A completed result never changes, and neither does the design that a name refers to.
        ETag: `"${found.jobId}-${nameInfographicFile(look, format)}"`,
        'Cache-Control': 'private, no-cache',
        // Other sites may embed the picture that a link leads to.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...(format === 'svg' && { 'Content-Security-Policy': SVG_POLICY }),
        // Foreign text must not get into a header.
        ...(download && {
          'Content-Disposition': `attachment; filename="${found.video.video_id.replace(/[^\w-]/g, '')}.${format}"`,
        }),
      },
      mediaType: INFOGRAPHIC_TYPES[format],
      file: () => ctx.drawInfographic(found, look, format),
    }
  },
}
