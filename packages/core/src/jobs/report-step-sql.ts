import type { JobStep } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { isHeldBy, type Lease } from './job-row.ts'

export interface ProgressReport {
  step: JobStep
  /** Percent. It never decreases, even on another attempt. */
  progress: number
  /** Once it is known. */
  videoTitle?: string
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

/** Reports the current step. Returns false if the lease was lost. */
export async function reportProgress(
  sql: Sql,
  lease: Lease,
  { step, progress, videoTitle, platformRequests = 0 }: ProgressReport,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET step = $3, progress = greatest(progress, $4), video_title = coalesce($5, video_title),
       platform_requests = coalesce(platform_requests, 0) + $6, updated_at = now()
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, step, progress, videoTitle ?? null, platformRequests],
  )
  return rowCount === 1
}
