import { type exporting, parseUsageRange, SUMMARY_MODES } from '@subtext/contracts'
import { getBatch } from '@subtext/core/batches'
import { getResult } from '@subtext/core/jobs'
import { assertOwnJobs } from '@subtext/core/library'
import { assertPdfIncluded } from '@subtext/core/plans'
import { getSource } from '@subtext/core/sources'
import { identifyPdf } from '../exports/export-pdf.ts'
import { readBatch, readJobs, readLibrary, sendResults } from '../exports/export-results.ts'
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
  batch: async (ctx, { params, query: { format } }, { actor, abortSignal }) => {
    const { batch } = await getBatch(ctx, actor, params.batch_id)
    return {
      stream: (response) => {
        const signal = abortSignal({ outlastsDraining: true })
        const videos = readBatch(ctx, actor, batch.id)
        return sendResults(ctx, response, actor, {
          of: 'batch',
          videos,
          format,
          name: `subtext-batch-${batch.id}`,
          signal,
        })
      },
    }
  },
  library: async (ctx, { query: { format, job_ids, since, source_id } }, { actor, abortSignal }) => {
    const jobIds = job_ids?.toLowerCase().split(',')
    if (jobIds) await assertOwnJobs(ctx.db, actor.userId, jobIds)
    const source = source_id === undefined ? null : await getSource(ctx, actor, source_id)
    return {
      stream: (response) => {
        const signal = abortSignal({ outlastsDraining: true })
        const { start } = parseUsageRange({ start_date: since })
        const filter = { userId: actor.userId, since: start, sourceId: source?.sourceId ?? null }
        const videos = jobIds ? readJobs(ctx, actor, jobIds) : readLibrary(ctx, filter)
        return sendResults(ctx, response, actor, { of: 'library', videos, format, name: 'subtext-library', signal })
      },
    }
  },
}
