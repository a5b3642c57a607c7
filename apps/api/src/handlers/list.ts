import type { lists } from '@subtext/contracts'
import { listJobs } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { presentJob } from '../presenters/job.ts'

export const listHandlers: Handlers<typeof lists> = {
  jobs: async (ctx, { query }, { actor }) => {
    const { jobs, total, limit, offset, nextOffset, nextCursor } = await listJobs(ctx, actor, query)
    return {
      data: {
        jobs: await Promise.all(jobs.map(async (job) => presentJob(job, await ctx.estimateRemaining(job)))),
        pagination: {
          ...{ total, limit, offset, has_more: nextOffset !== null },
          ...{ next_offset: nextOffset, next_cursor: nextCursor },
        },
      },
    }
  },
}
