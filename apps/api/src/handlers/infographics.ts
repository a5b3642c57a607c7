import { type infographics, ServiceError } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import {
  findLinkedInfographic,
  getInfographic,
  type LinkParameters,
  type ShownInfographic,
} from '@subtext/core/infographics'
import { nameInfographicFile } from '@subtext/documents'
import type { ApiContext } from '../context.ts'
import { assertScope } from '../http/authenticate.ts'
import type { Handlers } from '../http/mount.ts'
import { INFOGRAPHIC_TYPES } from '../presenters/infographic.ts'

/** The QR code is an image within the SVG, which browsers show only if the policy allows it. */
const SVG_POLICY = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const EXPIRED = 'The link has expired, or was changed. The result of the job has a new one as `infographic_url`.'

/**
 * Returns an infographic. A signed link opens it even if the caller's own key or session may not, because browsers send the
 * cookie of any account that is signed in. A request with an invalid key is refused nevertheless. If the link is not valid, the
 * caller's own rights count.
 */
async function find(
  ctx: ApiContext,
  jobId: string,
  { actor, link }: { actor?: Actor; link: LinkParameters | null },
): Promise<ShownInfographic> {
  const linked = link && (await findLinkedInfographic(ctx, jobId, link))
  if (linked) return linked
  if (!actor) throw new ServiceError('UNAUTHORIZED', { message: EXPIRED })
  assertScope(actor, 'read')
  return getInfographic(ctx, actor, jobId)
}

export const infographicHandlers: Handlers<typeof infographics> = {
  show: async (ctx, { params, query }, { actor, abortSignal }) => {
    const { format = 'png', layout = 'card', theme = 'light', download, expires = 0, signature } = query
    const link = signature === undefined ? null : { expires, signature }
    const found = await find(ctx, params.job_id, { actor, link })
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
      file: () => {
        const signal = abortSignal({ outlastsDraining: true })
        // Whoever opens links of an account has turns for all of them together, and takes none from their owner.
        return ctx.drawInfographic(found, look, format, {
          account: actor?.userId ?? `links of ${found.userId}`,
          signal,
        })
      },
    }
  },
}
