import { LOWEST_ID, type Sql } from '@subtext/db'
import type { WakeableJob } from './job-row.ts'

/** A job that is due: its wake-up was lost or it waits in a backlog, or its lease or pause has expired. */
export interface DueJob extends WakeableJob {
  wakeAt: Date
  /** Held back for longer than anything else takes to wake it. */
  held: boolean
}

/** The place of a job in the order in which jobs became due. */
export type DuePosition = Pick<DueJob, 'wakeAt' | 'id'>

// The status is part of the text, so that the planner sees which partial index contains the jobs.
const listDue = (status: 'queued' | 'processing'): string =>
  `SELECT id, lane, wake_at AS "wakeAt", held FROM jobs
   WHERE status = '${status}' AND wake_at <= now() AND (wake_at, id) > ($1, $2) ORDER BY wake_at, id LIMIT $3`
const LIST_DUE = { queued: listDue('queued'), processing: listDue('processing') }

/** Lists jobs that are due, in the order in which they became due, after `position`; null: from the beginning. */
export async function listDueJobs(
  sql: Sql,
  status: keyof typeof LIST_DUE,
  position: DuePosition | null,
  limit: number,
): Promise<DueJob[]> {
  const { wakeAt, id } = position ?? { wakeAt: new Date(0), id: LOWEST_ID }
  return (await sql.query<DueJob>(LIST_DUE[status], [wakeAt, id, limit])).rows
}

/** Ends the hold of jobs that are due. They can be held again. */
export async function endHolds(sql: Sql, jobIds: string[]): Promise<void> {
  await sql.query('UPDATE jobs SET held = false WHERE id = ANY ($1::uuid[]) AND held AND wake_at <= now()', [jobIds])
}
