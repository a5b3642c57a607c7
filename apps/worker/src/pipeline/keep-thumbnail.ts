import { includesFeature, PLANS, type Plan } from '@subtext/contracts'
import { keepBlob, THUMBNAIL_BLOB } from '@subtext/core/blobs'
import type { Job } from '@subtext/db'
import type { WorkerContext } from '../context.ts'

/**
 * Keeps a picture of the video with the job, for its PDF, if the plan of the account includes PDF export. It is kept now, so
 * that the API never asks another server and the PDF of a job is always the same. An extra: never rejects.
 */
export async function keepThumbnail(
  ctx: WorkerContext,
  job: Job,
  { plan, signal }: { plan: Plan | null; signal: AbortSignal },
): Promise<void> {
  if (plan === null || !includesFeature('pdf_export')(PLANS[plan])) return
  // Such a job may use proxies only, and the picture comes directly.
  if (job.useProxy === true) return
  try {
    const bytes = await ctx.fetchThumbnail(job.videoId, signal)
    if (bytes) await keepBlob(ctx, { jobId: job.id, name: THUMBNAIL_BLOB, contentType: 'image/jpeg' }, bytes)
  } catch (error) {
    ctx.log.warn('picture of the video not kept', { video_id: job.videoId, error: (error as Error).message })
  }
}
