import type { Extraction, ExtractionContent, FormSchema, PinnedTemplate } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** A version of a template of an account. */
export interface StoredVersion {
  id: string
  name: string
  version: number
  instructions: string | null
  schema: FormSchema
}

const LOCK_OWNER = 'SELECT FROM users WHERE id = $1 AND deleted_at IS NULL AND suspended_at IS NULL FOR NO KEY UPDATE'

/** Locks the account of templates. Returns false if it is gone or suspended. */
export const lockOwner = async (sql: Sql, userId: string): Promise<boolean> =>
  (await sql.query(LOCK_OWNER, [userId])).rowCount > 0

/** Lists the names of the templates of an account. */
export async function listNames(sql: Sql, userId: string): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    'SELECT name FROM templates WHERE user_id = $1 AND deleted_at IS NULL',
    [userId],
  )
  return rows.map(({ name }) => name)
}

export async function insertTemplate(
  sql: Sql,
  { id, userId, name, createdAt }: { id: string; userId: string; name: string; createdAt: Date },
): Promise<void> {
  await sql.query('INSERT INTO templates (id, user_id, name, created_at) VALUES ($1, $2, $3, $4)', [
    id,
    userId,
    name,
    createdAt,
  ])
}

interface NewVersion extends Omit<StoredVersion, 'id' | 'name'> {
  description: string | null
  createdAt: Date
}

export async function insertVersion(
  sql: Sql,
  templateId: string,
  { version, description, instructions, schema, createdAt }: NewVersion,
): Promise<void> {
  await sql.query(
    `INSERT INTO template_versions (template_id, version, description, instructions, schema, created_at)
     VALUES ($1, $2, $3, $4, $5::json, $6)`,
    [templateId, version, description, instructions, JSON.stringify(schema), createdAt],
  )
}

/** Locks a template, so that its versions are numbered one after the other. Returns its latest version. */
export async function lockTemplate(
  sql: Sql,
  userId: string,
  name: string,
): Promise<{ id: string; version: number } | null> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM templates WHERE user_id = $1 AND name = $2 AND deleted_at IS NULL FOR UPDATE',
    [userId, name],
  )
  const [found] = rows
  if (!found) return null
  // Another statement, which sees the version that the holder of the lock before has added.
  const latest = await sql.query<{ version: number }>(
    'SELECT max(version) AS version FROM template_versions WHERE template_id = $1',
    [found.id],
  )
  return { id: found.id, version: latest.rows[0]?.version ?? 0 }
}

/** Finds the latest version of each of these templates of an account that exist. */
export async function findLatestVersions(
  sql: Sql,
  userId: string,
  names: string[],
): Promise<Required<PinnedTemplate>[]> {
  const { rows } = await sql.query<Required<PinnedTemplate>>(
    `SELECT t.id, t.name, (SELECT max(v.version) FROM template_versions v WHERE v.template_id = t.id) AS version
     FROM templates t WHERE t.user_id = $1 AND t.name = ANY ($2::text[]) AND t.deleted_at IS NULL`,
    [userId, names],
  )
  return rows
}

/** Finds a version of a template, even if it was deleted since. */
export async function findVersion(sql: Sql, id: string, version: number): Promise<StoredVersion | null> {
  const { rows } = await sql.query<StoredVersion>(
    `SELECT t.id, t.name, v.version, v.instructions, v.schema FROM templates t JOIN template_versions v ON v.template_id = t.id
     WHERE t.id = $1 AND v.version = $2`,
    [id, version],
  )
  return rows[0] ?? null
}

/** Stores a form that has no name of its own, for jobs that are bound to it. */
export async function saveHiddenTemplate(
  sql: Sql,
  { id, userId, name, schema }: { id: string; userId: string; name: string; schema: FormSchema },
  now: Date,
): Promise<void> {
  await sql.query(
    `WITH template AS (
       INSERT INTO templates (id, user_id, name, created_at, deleted_at) VALUES ($1, $2, $3, $5, $5)
       ON CONFLICT (id) DO NOTHING RETURNING id
     )
     INSERT INTO template_versions (template_id, version, schema, created_at) SELECT id, 1, $4::json, $5 FROM template`,
    [id, userId, name, JSON.stringify(schema), now],
  )
}

/** Deletes templates that were deleted by their owners before that time, with their versions. Returns how many. */
export async function purgeTemplates(sql: Sql, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM templates WHERE id IN (SELECT id FROM templates WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)`,
    [before, limit],
  )
  return rowCount
}

/** A template that was filled for a job. */
export interface StoredExtraction {
  name: string
  version: number
  schema: FormSchema
  content: ExtractionContent
}

/** Stores an extraction of a job, unless the job has one of that name or was deleted. */
export async function saveExtraction(
  sql: Sql,
  extraction: StoredExtraction & { jobId: string; cacheKey: Buffer },
  now: Date,
): Promise<void> {
  const { jobId, name, version, schema, cacheKey, content } = extraction
  await sql.query(
    `INSERT INTO job_extractions (job_id, name, version, schema, cache_key, content, created_at)
     SELECT id, $2, $3, $4::json, $5, $6::json, $7 FROM jobs WHERE id = $1 FOR KEY SHARE
     ON CONFLICT (job_id, name) DO NOTHING`,
    [jobId, name, version, JSON.stringify(schema), cacheKey, JSON.stringify(content), now],
  )
}

/** Lists the extractions of a job by name. The caller must have checked the owner. */
export async function listExtractions(sql: Sql, jobId: string): Promise<Extraction[]> {
  const { rows } = await sql.query<StoredExtraction>(
    `SELECT name, version, schema, content FROM job_extractions WHERE job_id = $1 ORDER BY name`,
    [jobId],
  )
  return rows.map(({ name, version, schema, content }) => ({ template: name, version, schema, ...content }))
}

/** Finds what an earlier job of the account got from the same transcript and template. */
export async function findEarlierExtraction(
  sql: Sql,
  userId: string,
  cacheKey: Buffer,
  notBefore: Date,
): Promise<ExtractionContent | null> {
  const { rows } = await sql.query<{ content: ExtractionContent }>(
    `SELECT e.content FROM job_extractions e JOIN jobs j ON j.id = e.job_id
     WHERE e.cache_key = $1 AND j.user_id = $2 AND e.created_at >= $3 ORDER BY e.created_at DESC LIMIT 1`,
    [cacheKey, userId, notBefore],
  )
  return rows[0]?.content ?? null
}

/** Finds which of these keys an account has an extraction for. */
export async function findOwnExtractionKeys(sql: Sql, userId: string, cacheKeys: Buffer[]): Promise<Set<string>> {
  if (cacheKeys.length === 0) return new Set()
  const { rows } = await sql.query<{ key: string }>(
    `SELECT DISTINCT encode(e.cache_key, 'hex') AS key FROM job_extractions e JOIN jobs j ON j.id = e.job_id
     WHERE e.cache_key = ANY ($1::bytea[]) AND j.user_id = $2`,
    [cacheKeys, userId],
  )
  return new Set(rows.map(({ key }) => key))
}
