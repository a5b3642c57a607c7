import type { ExtractionContent, JobStatus } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** A video of a table. */
export interface TableRow {
  jobId: string
  videoId: string
  /** The job that fills the row; null if none does. */
  filledBy: string | null
}

/** The condition for a job that fills a row. Only tables derive jobs with a form that the request does not name. */
export const fillsTableRow = (job: string): string =>
  `(${job}.derived_from IS NOT NULL AND ${job}.options ? 'pinned_templates' AND NOT ${job}.options ? 'templates')`

export interface StoredTable {
  id: string
  userId: string
  /** Titles of columns, with the properties of the form that fill them. */
  columns: { title: string; property: string }[]
  rows: TableRow[]
  /** The name under which the filling jobs have their extraction. */
  template: string
  createdAt: Date
}

export async function saveTable(sql: Sql, table: StoredTable): Promise<void> {
  const { id, userId, columns, rows, template, createdAt } = table
  await sql.query(
    `INSERT INTO video_tables (id, user_id, columns, rows, template, created_at)
     VALUES ($1, $2, $3::json, $4::json, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [id, userId, JSON.stringify(columns), JSON.stringify(rows), template, createdAt],
  )
}

/** Finds a table of this user. */
export async function findTable(sql: Sql, userId: string, tableId: string): Promise<StoredTable | null> {
  const { rows } = await sql.query<StoredTable>(
    `SELECT id, user_id AS "userId", columns, rows, template, created_at AS "createdAt"
     FROM video_tables WHERE id = $1 AND user_id = $2`,
    [tableId, userId],
  )
  return rows[0] ?? null
}

/** What is known of a row at the moment. */
export interface FilledRow {
  /** Null if the job of the row was deleted. */
  videoTitle: string | null
  /** Where an imported recording is. */
  videoUrl: string | null
  exists: boolean
  /** Of the job that fills it. */
  status: JobStatus | null
  content: ExtractionContent | null
}

/** Returns what the jobs of a table have filled, in the order of its rows. */
export async function readTableRows(sql: Sql, { userId, rows, template }: StoredTable): Promise<FilledRow[]> {
  const { rows: filled } = await sql.query<FilledRow>(
    `SELECT j.video_title AS "videoTitle", j.video_url AS "videoUrl", j.id IS NOT NULL AS exists, f.status, e.content
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS r(job_id, filled_by, position)
     LEFT JOIN jobs j ON j.id = r.job_id AND j.user_id = $3
     LEFT JOIN jobs f ON f.id = r.filled_by AND f.user_id = $3
     LEFT JOIN job_extractions e ON e.job_id = f.id AND e.name = $4
     ORDER BY position`,
    [rows.map(({ jobId }) => jobId), rows.map(({ filledBy }) => filledBy), userId, template],
  )
  return filled
}

/** Deletes tables that were created before that time. Returns how many. */
export async function purgeTables(sql: Sql, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    'DELETE FROM video_tables WHERE id IN (SELECT id FROM video_tables WHERE created_at < $1 ORDER BY created_at LIMIT $2)',
    [before, limit],
  )
  return rowCount
}
