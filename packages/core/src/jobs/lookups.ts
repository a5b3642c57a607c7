import type { Db } from '@subtext/db'
import { type Batcher, createBatcher } from '../coordination/batcher.ts'
import { type FollowedJob, findFollowedJobs, findJobs, type OwnedId } from './find-sql.ts'
import type { ShownJob } from './job-row.ts'
import { createJobWatcher, type WatchJob } from './watch.ts'

const MAX_JOBS_PER_STATEMENT = 500

/**
 * What callers that wait for jobs ask the store. Questions of the same turn of the event loop, such as those of requests that
 * arrive together, share a statement. Null stands for a job that does not exist or belongs to another user.
 */
export interface JobLookups {
  find: Batcher<OwnedId, ShownJob | null>
  findFollowed: Batcher<OwnedId, FollowedJob | null>
  watch: WatchJob
}

export interface LookupContext {
  lookups: JobLookups
}

export const createJobLookups = (db: Db): JobLookups => ({
  find: createBatcher({ run: (ids) => findJobs(db, ids), max: MAX_JOBS_PER_STATEMENT }),
  findFollowed: createBatcher({ run: (ids) => findFollowedJobs(db, ids), max: MAX_JOBS_PER_STATEMENT }),
  watch: createJobWatcher(db),
})
