import type { infographics } from '@subtext/contracts'
import { getInfographic, getLinkedInfographic } from '@subtext/core/infographics'
import { nameInfographicFile } from '@subtext/documents'
import type { Handlers } from '../http/mount.ts'
import { INFOGRAPHIC_TYPES } from '../presenters/infographic.ts'

export const infographicHandlers: Handlers<typeof infographics> = {
  show: async (ctx, { params, query }, { actor }) => {
    const { format = 'png', layout = 'card', theme = 'light', download, expires = 0, signature = '' } = query
    const found = actor
      ? await getInfographic(ctx, actor, params.job_id)
      : await getLinkedInfographic(ctx, params.job_id, { expires, signature })
    const look = { layout, theme }
    return {
      headers: {
        // A completed result never changes, and neither does the design of a name.
        ETag: `"${found.jobId}-${nameInfographicFile(look, format)}"`,
        'Cache-Control': 'private, no-cache',
        // Pages of others may show the picture that a link leads to.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        // Text from outside has no place in a header.
        ...(download && {
          'Content-Disposition': `attachment; filename="${found.video.video_id.replace(/[^\w-]/g, '')}.${format}"`,
        }),
      },
      mediaType: INFOGRAPHIC_TYPES[format],
      file: () => ctx.drawInfographic(found, look, format),
    }
  },
}
