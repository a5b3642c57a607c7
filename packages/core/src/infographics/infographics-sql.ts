import type { InfographicContent, VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

export interface StoredInfographic {
  jobId: string
  content: InfographicContent
  altText: string
  /** Signs the links to the picture. */
  linkKey: Buffer
  /** Null until the picture could be drawn. */
  drawnAt: Date | null
}

export interface NewInfographic {
  jobId: string
  /** Covers everything that the content depends on. */
  cacheKey: Buffer
  content: InfographicContent
  altText: string
  linkKey: Buffer
}

const COLUMNS = `job_id AS "jobId", content, alt_text AS "altText", link_key AS "linkKey", drawn_at AS "drawnAt"`

/** Stores the infographic of a job, unless it has one. Does nothing if the job was deleted. */
export async function saveInfographic(sql: Sql, infographic: NewInfographic, now: Date): Promise<void> {
  const { jobId, cacheKey, content, altText, linkKey } = infographic
  await sql.query(
    `INSERT INTO infographics (job_id, cache_key, content, alt_text, link_key, created_at)
     SELECT id, $2, $3::jsonb, $4, $5, $6 FROM jobs WHERE id = $1 FOR KEY SHARE
     ON CONFLICT (job_id) DO NOTHING`,
    [jobId, cacheKey, JSON.stringify(content), altText, linkKey, now],
  )
}

/** Records that the picture of an infographic could be drawn. */
export async function markInfographicDrawn(sql: Sql, jobId: string, now: Date): Promise<void> {
  await sql.query('UPDATE infographics SET drawn_at = $2 WHERE job_id = $1 AND drawn_at IS NULL', [jobId, now])
}

/** Finds the infographic of a job. The caller must have checked the owner. */
export async function findInfographic(sql: Sql, jobId: string): Promise<StoredInfographic | null> {
  const { rows } = await sql.query<StoredInfographic>(`SELECT ${COLUMNS} FROM infographics WHERE job_id = $1`, [jobId])
  return rows[0] ?? null
}

/** What is drawn: the infographic of a job, and its video. */
export interface ShownInfographic {
  jobId: string
  /** The account of the job. */
  userId: string
  content: InfographicContent
  video: VideoInfo
}

/** Finds the infographic of a completed job, with its video. The caller must have checked the owner. */
export async function findShownInfographic(sql: Sql, jobId: string): Promise<ShownInfographic | null> {
  const { rows } = await sql.query<ShownInfographic>(
    `SELECT i.job_id AS "jobId", j.user_id AS "userId", i.content, r.video_info AS video
     FROM infographics i JOIN results r ON r.job_id = i.job_id JOIN jobs j ON j.id = i.job_id WHERE i.job_id = $1`,
    [jobId],
  )
  return rows[0] ?? null
}

/** Returns whether the account of a job is suspended. */
export async function isJobSuspended(sql: Sql, jobId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'SELECT FROM jobs j JOIN users u ON u.id = j.user_id WHERE j.id = $1 AND u.suspended_at IS NOT NULL',
    [jobId],
  )
  return rowCount > 0
}

/** Finds the content that an earlier job of the account had written from the same sources. */
export async function findEarlierInfographic(
  sql: Sql,
  userId: string,
  cacheKey: Buffer,
  notBefore: Date,
): Promise<InfographicContent | null> {
  const { rows } = await sql.query<{ content: InfographicContent }>(
    `SELECT i.content FROM infographics i JOIN jobs j ON j.id = i.job_id
     WHERE i.cache_key = $1 AND j.user_id = $2 AND i.created_at >= $3 ORDER BY i.created_at DESC LIMIT 1`,
    [cacheKey, userId, notBefore],
  )
  return rows[0]?.content ?? null
}
