import type { deriving } from '@subtext/contracts'
import { deriveJob } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { presentSubmittedJob, statusPath } from '../presenters/job.ts'

export const derivingHandlers: Handlers<typeof deriving> = {
  derive: async (ctx, { params, body }, { actor, resource }) => {
    const job = await deriveJob(ctx, actor, params.job_id, body, resource)
    ctx.metrics.countDerived()
    return { headers: { Location: statusPath(job.jobId) }, data: presentSubmittedJob(job, ctx.http.publicBaseUrl) }
  },
}
