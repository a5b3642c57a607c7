import type { lists } from '@subtext/contracts'
import type { Actor, Context } from '@subtext/core/context'
import { type EstimateRemaining, hasEnded, type JobListQuery, listJobs, versionOfPage } from '@subtext/core/jobs'
import type { z } from 'zod'
import { presentJob } from './job.ts'
import { bytesOf, keepAnswers } from './kept-answers.ts'
import { presentPage } from './page.ts'

/**
 * Only pages of these lengths are kept. Comparing each length takes a statement of its own, which takes some 90 kB in every
 * connection of PostgreSQL.
 */
const isKeptLength = (limit: number): boolean => limit % 10 === 0

interface KeptPage {
  version: string
  /** JSON. */
  text: string
}

interface ListContext extends Pick<Context, 'db'> {
  estimateRemaining: EstimateRemaining
}

/** Returns a page of the actor's jobs as JSON text. Errors: those of `listJobs`. */
export type ReadJobPage = (actor: Actor, query: JobListQuery) => Promise<string>

/**
 * Creates the function that keeps pages in memory, so that programs that list the same jobs again and again cost little. It
 * keeps a page only if all of its jobs have ended, because the remaining time of the others changes without their rows. Of
 * pages by offset, finding the place is most of the work.
 */
export function createJobPageReader(ctx: ListContext): ReadJobPage {
  const kept = keepAnswers<KeptPage>(({ version, text }) => bytesOf(version) + bytesOf(text))
  return async (actor, query) => {
    const name = JSON.stringify([actor.userId, query.status, query.limit, query.cursor])
    const mayKeep = !query.offset && isKeptLength(query.limit)
    const known = mayKeep ? kept.get(name) : undefined
    if (known && known.version === (await versionOfPage(ctx, actor, query))) return known.text
    const { jobs, version, ...page } = await listJobs(ctx, actor, query)
    const data: z.output<(typeof lists)['jobs']['response']> = {
      jobs: await Promise.all(jobs.map(async (job) => presentJob(job, await ctx.estimateRemaining(job)))),
      pagination: presentPage(page),
    }
    const text = JSON.stringify(data)
    if (!mayKeep) return text
    if (jobs.length > 0 && jobs.every(hasEnded)) kept.set(name, { version, text })
    else kept.delete(name)
    return text
  }
}
