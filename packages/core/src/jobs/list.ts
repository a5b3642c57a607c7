import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import { listJobs as listStoredJobs, type OwnedPage, type PageKind, readPageVersions, type ShownJob } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, placeOf, readPage } from '../cursor.ts'
import { findTogether } from './find-together.ts'

export interface JobListQuery extends PageQuery {
  status?: JobStatus | undefined
}

export interface JobList extends PageOfList {
  jobs: ShownJob[]
  /** Changes whenever a job of the page, or the total, does. */
  version: string
}

/**
 * Returns the actor's jobs, newest first. Paging by cursor shows every job that existed at the first page exactly once, even
 * if others are accepted meanwhile, and every page costs the same. Error: `VALIDATION_ERROR` for a cursor of another account
 * or status, or one sent together with an offset.
 */
export async function listJobs(ctx: Pick<Context, 'db'>, actor: Actor, query: JobListQuery): Promise<JobList> {
  const { status = null } = query
  const { entries: jobs, ...page } = await readPage(query, cursorsOf(actor.userId, status), async (place) => {
    const { jobs: entries, ...rest } = await listStoredJobs(ctx.db, actor.userId, { status, ...place })
    return { entries, ...rest }
  })
  return { jobs, ...page }
}

type FindVersion = ReturnType<typeof findTogether<OwnedPage, string>>

const versionFinders = new Map<string, FindVersion>()

/** Returns the function for pages of this kind. Each kind has its own statement, whose errors concern no other pages. */
function versionFinderOf(kind: PageKind): FindVersion {
  const name = `${kind.status} ${kind.limit}`
  const known = versionFinders.get(name)
  if (known) return known
  const made: FindVersion = findTogether({ findMany: (db, pages) => readPageVersions(db, kind, pages) })
  versionFinders.set(name, made)
  return made
}

/** Returns the version of the page that `listJobs` would return now, for a query without an offset. Errors: those of `listJobs`. */
export async function versionOfPage(ctx: Pick<Context, 'db'>, { userId }: Actor, query: JobListQuery): Promise<string> {
  const { status = null } = query
  const { before, limit } = placeOf(query, cursorsOf(userId, status)).stored
  return versionFinderOf({ status, limit })(ctx.db, { userId, before })
}

/** Returns the cursor codec of the account's jobs with this status; null stands for all its jobs. */
export const cursorsOf = (userId: string, status: JobStatus | null) =>
  createCursors({ list: `jobs ${userId}`, status: status && JOB_STATUSES.indexOf(status) })
