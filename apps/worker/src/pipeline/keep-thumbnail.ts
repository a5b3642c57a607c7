import { includesFeature, PLANS, type Plan } from '@subtext/contracts'
import { storeBlob, THUMBNAIL_BLOB } from '@subtext/core/blobs'
import type { Job, RegisteredBlob } from '@subtext/db'
import type { WorkerContext } from '../context.ts'

/**
 * Keeps a picture of the video with the job, for its PDF, if the plan of the account includes PDF export. It is kept now, so
 * that the API never asks another server and the PDF of a job is always the same. Returns it for the completion of the job.
 * An extra: never rejects.
 */
export async function keepThumbnail(
  ctx: WorkerContext,
  job: Job,
  { plan, signal }: { plan: Plan | null; signal: AbortSignal },
): Promise<RegisteredBlob | null> {
  if (plan === null || !includesFeature('pdf_export')(PLANS[plan])) return null
  // Such a job may use proxies only, and the picture comes directly.
  if (job.useProxy === true) return null
  try {
    const bytes = await ctx.fetchThumbnail(job.videoId, signal)
    const file = { jobId: job.id, name: THUMBNAIL_BLOB, contentType: 'image/jpeg' }
    return bytes && (await storeBlob(ctx, file, bytes))
  } catch (error) {
    ctx.log.warn('picture of the video not kept', { video_id: job.videoId, error: (error as Error).message })
    return null
  }
}
