import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import type { ShownJob } from './job-row.ts'
import { listJobRows } from './list-sql.ts'

export interface JobListQuery extends PageQuery {
  status?: JobStatus | undefined
}

export interface JobList extends PageOfList {
  jobs: ShownJob[]
}

/**
 * Returns the actor's jobs, newest first. Paging by cursor shows every job that existed at the first page exactly once, even
 * if others are accepted meanwhile, and every page costs the same. Error: `VALIDATION_ERROR` for a cursor of another account
 * or status, or one sent together with an offset.
 */
export async function listJobs(ctx: Pick<Context, 'db'>, actor: Actor, query: JobListQuery): Promise<JobList> {
  const { status = null } = query
  const { entries: jobs, ...page } = await readPage(query, cursorsOf(actor.userId, status), async (place) => {
    const { jobs: entries, total } = await listJobRows(ctx.db, actor.userId, { status, ...place })
    return { entries, total }
  })
  return { jobs, ...page }
}

/** Returns the cursor codec of the account's jobs with this status; null stands for all its jobs. */
export const cursorsOf = (userId: string, status: JobStatus | null) =>
  createCursors({ list: `jobs ${userId}`, status: status && JOB_STATUSES.indexOf(status) })
