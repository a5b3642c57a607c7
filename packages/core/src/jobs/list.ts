import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import { type Job, listJobs as listStoredJobs } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import { badCursor, createCursors } from '../cursor.ts'

export interface JobListQuery {
  status?: JobStatus | undefined
  limit: number
  offset?: number | undefined
  /** From an earlier page; instead of `offset`. */
  cursor?: string | undefined
}

export interface JobList {
  jobs: Job[]
  total: number
  limit: number
  /** Jobs passed over: as asked, or since the walk by cursor began. */
  offset: number
  /** Null: this is the last page. */
  nextOffset: number | null
  nextCursor: string | null
}

/**
 * The actor's jobs, newest first. A walk by cursor shows every job that was there when it began exactly once, whatever is
 * accepted meanwhile, and every page costs the same. Errors: `VALIDATION_ERROR` for a cursor that is not one of ours for
 * this account and status, or that comes with an offset.
 */
export async function listJobs(ctx: Pick<Context, 'db'>, actor: Actor, query: JobListQuery): Promise<JobList> {
  const { status = null, limit } = query
  if (query.cursor !== undefined && query.offset !== undefined) {
    throw badCursor('Send `cursor` or `offset`, not both.', 'conflicting_fields')
  }
  const place = query.cursor === undefined ? null : cursorsOf(actor.userId, status).decode(query.cursor)
  const offset = place?.passed ?? query.offset ?? 0
  const found = await listStoredJobs(ctx.db, actor.userId, {
    status,
    before: place?.id ?? null,
    skip: place ? 0 : offset,
    // One more than is shown tells whether there is a next page.
    limit: limit + 1,
  })
  const jobs = found.jobs.slice(0, limit)
  const last = jobs.at(-1)
  const nextOffset = last && found.jobs.length > limit ? offset + limit : null
  return {
    ...{ jobs, total: found.total, limit, offset, nextOffset },
    nextCursor:
      last && nextOffset !== null ? encodeCursor({ jobId: last.id, passed: nextOffset }, actor.userId, status) : null,
  }
}

const cursorsOf = (userId: string, status: JobStatus | null) =>
  createCursors({ list: `jobs ${userId}`, status: status && JOB_STATUSES.indexOf(status) })

/** The place of a walk, for this account and status alone. */
export const encodeCursor = (
  { jobId, passed }: { jobId: string; passed: number },
  userId: string,
  status: JobStatus | null,
): string => cursorsOf(userId, status).encode({ id: jobId, passed })
