import { type exporting, SUMMARY_MODES } from '@subtext/contracts'
import { getResult } from '@subtext/core/jobs'
import { assertPdfIncluded } from '@subtext/core/plans'
import { identifyPdf } from '../exports/export-pdf.ts'
import type { Handlers } from '../http/mount.ts'

export const exportingHandlers: Handlers<typeof exporting> = {
  pdf: async (ctx, { params, query }, { actor, abortSignal }) => {
    assertPdfIncluded(actor)
    const finished = await getResult(ctx, actor, params.job_id)
    const wanted = query.modes?.split(',')
    const options = {
      paper: query.paper ?? 'a4',
      transcript: query.transcript !== 'false',
      ...(wanted && { modes: SUMMARY_MODES.filter((mode) => wanted.includes(mode)) }),
    }
    return {
      headers: {
        ETag: `"${identifyPdf(finished, options)}"`,
        // Only the caller may store a copy, and must revalidate it with a valid key before using it again.
        'Cache-Control': 'private, no-cache',
        // The name consists only of the video's ID: foreign text must not get into a header.
        'Content-Disposition': `attachment; filename="${finished.job.videoId}.pdf"`,
      },
      mediaType: 'application/pdf',
      file: () => {
        const signal = abortSignal({ outlastsDraining: true })
        return ctx.exportPdf(finished, options, { account: actor.userId, signal })
      },
    }
  },
}
