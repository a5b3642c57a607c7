import type { Sql } from '@subtext/db'
import { isHeldBy, type Lease } from './job-row.ts'

export interface Release {
  /** The job can be claimed again after this time. */
  delaySeconds: number
  /** Whether the attempt does not count, because nothing went wrong or the job can only wait. */
  refund: boolean
  /** Whether the job waits for the platform. Its row remembers since when. */
  waiting?: boolean
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

/** Releases a job that has not ended. Returns false if the lease was lost. */
export async function releaseJob(
  sql: Sql,
  lease: Lease,
  { delaySeconds, refund, waiting = false, platformRequests = 0 }: Release,
): Promise<boolean> {
  // The column rounds to milliseconds. Truncating keeps the time from being in the future.
  const { rowCount } = await sql.query(
    `UPDATE jobs SET lease_token = NULL, wake_at = date_trunc('milliseconds', now()) + make_interval(secs => $3),
       attempts = attempts - $4, waiting_since = CASE WHEN $5 THEN coalesce(waiting_since, now()) ELSE waiting_since END,
       platform_requests = coalesce(platform_requests, 0) + $6, updated_at = now()
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, delaySeconds, refund ? 1 : 0, waiting, platformRequests],
  )
  return rowCount === 1
}
