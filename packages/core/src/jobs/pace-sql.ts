import type { Lane } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** The duration of a job, from its first claim to its completion. */
export interface RecentRun {
  processingMs: number
  /** Number of summaries requested. */
  modes: number
}

const RECENT_RUNS = 100

/** Lists the last 100 completed jobs, newest first. */
export async function listRecentRuns(sql: Sql): Promise<RecentRun[]> {
  const { rows } = await sql.query<RecentRun>(
    `SELECT r.processing_ms AS "processingMs", jsonb_array_length(j.options->'summary_modes') AS modes
     FROM (SELECT job_id, processing_ms, completed_at FROM results ORDER BY completed_at DESC LIMIT $1) r
       JOIN jobs j ON j.id = r.job_id
     ORDER BY r.completed_at DESC`,
    [RECENT_RUNS],
  )
  return rows
}

/** The unfinished jobs of a lane. */
export interface LaneLoad {
  lane: Lane
  /** Jobs waiting for a worker. */
  waiting: number
  /** Jobs being processed. */
  running: number
  /** Time of acceptance of the oldest waiting job; null if there is none. */
  oldestAt: Date | null
  /** Time of acceptance of the newest waiting job; null if there is none. */
  newestAt: Date | null
}

/** Maximum number of unfinished jobs read. Beyond that, the exact length of the queue does not matter. */
const MAX_COUNTED = 10_000

/** Lists the loads of the lanes that have unfinished jobs. */
export async function listLaneLoads(sql: Sql): Promise<LaneLoad[]> {
  const { rows } = await sql.query<LaneLoad>(
    `SELECT lane, count(*) FILTER (WHERE status = 'queued')::int AS waiting,
       count(*) FILTER (WHERE lease_token IS NOT NULL)::int AS running,
       min(created_at) FILTER (WHERE status = 'queued') AS "oldestAt",
       max(created_at) FILTER (WHERE status = 'queued') AS "newestAt"
     FROM (SELECT lane, status, lease_token, created_at FROM jobs WHERE status IN ('queued', 'processing')
       ORDER BY wake_at LIMIT $1) unfinished
     GROUP BY lane`,
    [MAX_COUNTED],
  )
  return rows
}
