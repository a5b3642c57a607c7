import { type following, ServiceError } from '@subtext/contracts'
import { awaitJob, cancelJob, failureOf, followJob, getResult, hasEnded, submitVideo } from '@subtext/core/jobs'
import { sendEvents } from '../http/event-stream.ts'
import type { Handlers } from '../http/mount.ts'
import { presentJob } from '../presenters/job.ts'
import { createEventPresenter } from '../presenters/job-events.ts'
import { presentResult } from '../presenters/result.ts'

export const followingHandlers: Handlers<typeof following> = {
  events: async (ctx, { params }, { actor, header, abortSignal }) => ({
    stream: async (response) => {
      const release = ctx.acquireStream(actor.userId)
      try {
        const present = createEventPresenter(ctx, params.job_id, header('Last-Event-ID'))
        const batches = followJob(ctx, { actor, jobId: params.job_id, signal: abortSignal() }, present)
        await sendEvents(response, batches)
      } finally {
        release()
      }
    },
  }),
  cancel: async (ctx, { params }, { actor }) => {
    const job = await cancelJob(ctx, actor, params.job_id)
    return { data: presentJob(job, 0), warnings: job.warnings }
  },
  processSync: async (ctx, { body, query }, { actor, resource, abortSignal }) => {
    const { jobId } = await submitVideo(ctx, actor, body, resource)
    const job = await awaitJob(ctx, actor, jobId, query.wait, abortSignal())
    if (!hasEnded(job)) throw new ServiceError('PROCESSING_TIMEOUT', { details: { job_id: jobId } })
    if (job.status === 'failed') return { failure: failureOf(job) }
    // The headers (`ETag`, `Cache-Control`) are for a resource that can be requested again; this response is not one.
    const { headers, ...reply } = presentResult(ctx, await getResult(ctx, actor, jobId), 'default')
    return reply
  },
}
