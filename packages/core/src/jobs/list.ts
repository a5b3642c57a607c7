import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { buildMatcher } from './build-matcher.ts'
import type { ShownJob } from './job-row.ts'
import { listMatchingJobs } from './list-matching-sql.ts'
import { listJobRows } from './list-sql.ts'

export interface JobListQuery extends PageQuery {
  status?: JobStatus | undefined
  /** Part of a title, part of the name of a channel, or an ID. */
  q?: string | undefined
}

export interface JobList extends PageOfList {
  jobs: ShownJob[]
}

/**
 * Returns the actor's jobs, newest first. Paging by cursor shows every job that existed at the first page exactly once, even
 * if others are accepted meanwhile, and every page costs the same; with `q`, each reads all jobs. Error: `VALIDATION_ERROR` for
 * a cursor of another account, status or text, or one sent together with an offset.
 */
export async function listJobs(ctx: Pick<Context, 'db'>, actor: Actor, query: JobListQuery): Promise<JobList> {
  const { status = null, q = null } = query
  const matcher = q === null ? null : buildMatcher(q)
  const { entries: jobs, ...page } = await readPage(query, cursorsOf(actor.userId, status, q), async (place) => {
    const { jobs: entries, total } = await (matcher
      ? listMatchingJobs(ctx.db, actor.userId, { status, matcher, ...place })
      : listJobRows(ctx.db, actor.userId, { status, ...place }))
    return { entries, total }
  })
  return { jobs, ...page }
}

/** Returns the cursor codec of the account's jobs with this status that match this text; null stands for all its jobs. */
export const cursorsOf = (userId: string, status: JobStatus | null, q: string | null = null) =>
  createCursors({
    list: q === null ? `jobs ${userId}` : `jobs ${userId} ${q}`,
    status: status && JOB_STATUSES.indexOf(status),
  })
