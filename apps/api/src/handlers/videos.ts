import { ANKI, type videos } from '@subtext/contracts'
import { awaitJob, getResult, getStatus, hasEnded, submitVideo } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { pollAgain } from '../http/poll-again.ts'
import { presentJob, presentSubmittedJob, statusPath } from '../presenters/job.ts'
import { presentCards, presentResult, selectFormat } from '../presenters/result.ts'

export const videoHandlers: Handlers<typeof videos> = {
  submit: async (ctx, { body }, { actor, resource }) => {
    const job = await submitVideo(ctx, actor, body, resource)
    return {
      headers: { Location: statusPath(job.jobId) },
      data: presentSubmittedJob(job, ctx.http.publicBaseUrl),
    }
  },
  status: async (ctx, { params, query }, { actor, abortSignal }) => {
    const { wait = 0 } = query
    const job = await (wait > 0
      ? awaitJob(ctx, actor, params.job_id, wait, abortSignal())
      : getStatus(ctx, actor, params.job_id))
    return {
      ...(!hasEnded(job) && { headers: pollAgain(job.nextAttemptAt, ctx.clock()) }),
      data: presentJob(job, await ctx.estimateRemaining(job)),
      warnings: job.warnings,
    }
  },
  result: async (ctx, { params, query }, { actor, accepts }) => {
    const options = { download: query.download === '1', byteOrderMark: query.bom && query.bom === 'true' }
    if (query.format === ANKI) return presentCards(await getResult(ctx, actor, params.job_id), options)
    const format = selectFormat(query.format, accepts)
    return presentResult(ctx, await getResult(ctx, actor, params.job_id), format, options)
  },
}
