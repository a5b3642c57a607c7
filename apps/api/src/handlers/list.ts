import type { lists } from '@subtext/contracts'
import { listJobs } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { presentJob } from '../presenters/job.ts'
import { presentPage } from '../presenters/page.ts'

export const listHandlers: Handlers<typeof lists> = {
  jobs: async (ctx, { query }, { actor }) => {
    const { jobs, ...page } = await listJobs(ctx, actor, query)
    return {
      data: {
        jobs: await Promise.all(jobs.map(async (job) => presentJob(job, await ctx.estimateRemaining(job)))),
        pagination: presentPage(page),
      },
    }
  },
}
