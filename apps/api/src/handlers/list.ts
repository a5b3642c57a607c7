import type { lists } from '@subtext/contracts'
import { listJobs } from '@subtext/core/jobs'
import type { Handlers } from '../http/mount.ts'
import { presentJob } from '../presenters/job.ts'
import { presentPage } from '../presenters/page.ts'

export const listHandlers: Handlers<typeof lists> = {
  jobs: async (ctx, { query }, { actor }) => {
    const page = await listJobs(ctx, actor, query)
    const jobs = await Promise.all(page.jobs.map(async (job) => presentJob(job, await ctx.estimateRemaining(job))))
    return { data: { jobs, pagination: presentPage(page) } }
  },
}
