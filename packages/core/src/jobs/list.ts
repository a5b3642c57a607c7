import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import { type Job, listJobs as listStoredJobs } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'

export interface JobListQuery extends PageQuery {
  status?: JobStatus | undefined
}

export interface JobList extends PageOfList {
  jobs: Job[]
}

/**
 * The actor's jobs, newest first. A walk by cursor shows every job that was there when it began exactly once, whatever is
 * accepted meanwhile, and every page costs the same. Errors: `VALIDATION_ERROR` for a cursor that is not one of ours for
 * this account and status, or that comes with an offset.
 */
export async function listJobs(ctx: Pick<Context, 'db'>, actor: Actor, query: JobListQuery): Promise<JobList> {
  const { status = null } = query
  const { entries: jobs, ...page } = await readPage(query, cursorsOf(actor.userId, status), async (place) => {
    const { jobs: entries, total } = await listStoredJobs(ctx.db, actor.userId, { status, ...place })
    return { entries, total }
  })
  return { jobs, ...page }
}

/** Places of walks through the account's jobs of that status alone. */
export const cursorsOf = (userId: string, status: JobStatus | null) =>
  createCursors({ list: `jobs ${userId}`, status: status && JOB_STATUSES.indexOf(status) })
