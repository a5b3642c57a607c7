import { includesFeature, PLANS, type Plan } from '@subtext/contracts'
import { type RegisteredBlob, storeBlob, THUMBNAIL_BLOB } from '@subtext/core/blobs'
import type { Job } from '@subtext/core/jobs'
import type { WorkerContext } from '../context.ts'

/**
 * Stores a thumbnail of the video with the job, for its PDF, if the account's plan includes PDF export. Storing it now means
 * that the API never has to contact another server, and that the PDF of a job never changes. Returns the file, for the
 * statement that completes the job. Never rejects, because a job can do without it.
 */
export async function keepThumbnail(
  ctx: WorkerContext,
  job: Job,
  { plan, signal }: { plan: Plan | null; signal: AbortSignal },
): Promise<RegisteredBlob | null> {
  if (plan === null || !includesFeature('pdf_export')(PLANS[plan])) return null
  // Such a job may only use proxies, and thumbnails are fetched directly.
  if (job.useProxy === true) return null
  try {
    const bytes = await ctx.fetchThumbnail(job.videoId, signal)
    const file = { jobId: job.id, name: THUMBNAIL_BLOB, contentType: 'image/jpeg' }
    return bytes && (await storeBlob(ctx, file, bytes))
  } catch (error) {
    ctx.log.warn('thumbnail not stored', { video_id: job.videoId, error: (error as Error).message })
    return null
  }
}
