import type { Lane } from '@subtext/contracts'
import type { Sql } from '../client.ts'

/** How long a job took, from its first claim to its completion. */
export interface RecentRun {
  processingMs: number
  /** How many summaries were asked for. */
  modes: number
}

const RECENT_RUNS = 100

/** The last completed jobs, the newest first. */
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

/** What a lane has to do at present. */
export interface LaneLoad {
  lane: Lane
  /** Jobs that wait for a worker. */
  waiting: number
  /** Jobs that are worked on. */
  running: number
  /** Acceptance of the first and of the last job that waits; null when none does. */
  oldestAt: Date | null
  newestAt: Date | null
}

/** Reads at most this many unfinished jobs: beyond that the exact length of the line matters to nobody. */
const MAX_COUNTED = 10_000

/** Lanes without unfinished jobs are left out. */
export async function listLaneLoads(sql: Sql): Promise<LaneLoad[]> {
  const { rows } = await sql.query<LaneLoad>(
    `SELECT lane, count(*) FILTER (WHERE status = 'queued')::int AS waiting,
       count(*) FILTER (WHERE status = 'processing')::int AS running,
       min(created_at) FILTER (WHERE status = 'queued') AS "oldestAt",
       max(created_at) FILTER (WHERE status = 'queued') AS "newestAt"
     FROM (SELECT lane, status, created_at FROM jobs WHERE status IN ('queued', 'processing')
       ORDER BY wake_at LIMIT $1) unfinished
     GROUP BY lane`,
    [MAX_COUNTED],
  )
  return rows
}
