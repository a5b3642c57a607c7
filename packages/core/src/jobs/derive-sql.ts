import type { JobOptions, SummaryMode } from '@subtext/contracts'
import type { Db, Sql } from '@subtext/db'
import type { WorkOrigin } from './job-row.ts'

/** A job that extends a finished one, its source. Everything that is not named here is taken from the source. */
export interface NewDerivedJob extends Partial<WorkOrigin> {
  id: string
  userId: string
  apiKeyId: string | null
  sourceId: string
  options: JobOptions
  customInstructions: string | null
  webhookUrl: string | null
}

interface DeriveOptions {
  /** Maximum number of jobs derived, directly or not, from one that took a video of the quota. */
  limit: number
  /** The time of acceptance. */
  now: Date
  /** Seconds after which the sweep wakes a job that nothing has claimed. */
  wakeSeconds: number
}

/**
 * `accepted`: written now, or before if `createdAt` is earlier. `exhausted`: the limit is reached. `gone`: the source was
 * deleted, or is not a completed job of this account. `suspended`: the account was suspended a moment ago.
 */
export type DeriveOutcome = { outcome: 'accepted'; createdAt: Date } | { outcome: 'exhausted' | 'gone' | 'suspended' }

// Conflicts with the lock of the purge, which passes over locked jobs: the source exists until the new job is visible, and
// from then on its unfinished job keeps it.
const LOCK_SOURCE = `SELECT coalesce(root_id, id) AS "rootId" FROM jobs
  WHERE id = $1 AND user_id = $2 AND status = 'completed' FOR KEY SHARE`

// The first job of the family may have been deleted, so its row cannot serve as the lock.
const LOCK_FAMILY = `SELECT pg_advisory_xact_lock(hashtextextended('derive ' || $1::text, 0))`

const FIND_EARLIER = 'SELECT created_at AS "createdAt" FROM jobs WHERE id = $1 AND user_id = $2'

// A job that failed without having cost anything does not count. One that was cancelled after it had been paid for does.
const COUNT_FAMILY = `SELECT count(*)::int AS used FROM jobs d WHERE d.root_id = $1 AND (d.status <> 'failed'
  OR EXISTS (SELECT FROM job_summaries WHERE job_id = d.id AND NOT reused)
  OR EXISTS (SELECT FROM job_spendings WHERE job_id = d.id))`

// Summaries and filled templates of the source that were not requested belong to the new job from the beginning, and cost nothing.
const INSERT = `
WITH written AS (
  INSERT INTO jobs (id, user_id, api_key_id, derived_from, root_id, lane, priority, video_id, video_title, options,
    custom_instructions, webhook_url, service_name, agent_name, client_reference, traceparent, request_id, wake_at,
    created_at, updated_at, video_url)
  SELECT $1, user_id, $3, id, coalesce(root_id, id), 'normal', 'normal', video_id, video_title, $4::jsonb, $5, $6,
    service_name, agent_name, client_reference, $10, $11, now() + make_interval(secs => $7), $8, $8,
    -- The page of the source is that of the new job.
    regexp_replace(video_url, '/jobs/' || $2::uuid || '$', '/jobs/' || $1::uuid)
  FROM jobs WHERE id = $2 AND (SELECT u.suspended_at FROM users u WHERE u.id = jobs.user_id) IS NULL
  RETURNING id, user_id
), kept AS (
  INSERT INTO job_summaries (job_id, mode, summary_id, reused, created_at)
  SELECT written.id, s.mode, s.summary_id, true, $8 FROM written, job_summaries s
  WHERE s.job_id = $2 AND s.mode <> ALL ($9::text[])
), extracted AS (
  INSERT INTO job_extractions (job_id, name, version, schema, cache_key, content, created_at)
  SELECT written.id, e.name, e.version, e.schema, e.cache_key, e.content, $8 FROM written, job_extractions e
  WHERE e.job_id = $2 AND e.name <> ALL ($12::text[])
), counted AS (
  UPDATE users SET jobs_accepted = jobs_accepted + 1 WHERE id = (SELECT user_id FROM written)
)
SELECT FROM written`

/**
 * Accepts jobs that extend completed ones, each if that is possible, within a transaction. A job whose ID already exists is not
 * written again.
 */
export async function acceptDerivedJobs(
  sql: Sql,
  jobs: readonly NewDerivedJob[],
  options: DeriveOptions,
): Promise<DeriveOutcome[]> {
  const roots: (string | null)[] = []
  for (const job of jobs) roots.push(await lockSource(sql, job))
  // In one order, so that two transactions with jobs of the same families never wait for each other.
  for (const rootId of [...new Set(roots)].sort()) if (rootId !== null) await sql.query(LOCK_FAMILY, [rootId])
  const outcomes: DeriveOutcome[] = []
  for (const [index, job] of jobs.entries()) {
    const rootId = roots[index] ?? null
    outcomes.push(rootId === null ? { outcome: 'gone' } : await insert(sql, job, rootId, options))
  }
  return outcomes
}

/** Accepts one job as `acceptDerivedJobs` does. */
export const acceptDerivedJob = (db: Db, job: NewDerivedJob, options: DeriveOptions): Promise<DeriveOutcome> =>
  db.transaction(async (sql) => (await acceptDerivedJobs(sql, [job], options))[0] ?? { outcome: 'gone' })

async function insert(
  sql: Sql,
  job: NewDerivedJob,
  rootId: string,
  { limit, now, wakeSeconds }: DeriveOptions,
): Promise<DeriveOutcome> {
  const earlier = await sql.query<{ createdAt: Date }>(FIND_EARLIER, [job.id, job.userId])
  if (earlier.rows[0]) return { outcome: 'accepted', ...earlier.rows[0] }
  const { rows } = await sql.query<{ used: number }>(COUNT_FAMILY, [rootId])
  if ((rows[0]?.used ?? 0) >= limit) return { outcome: 'exhausted' }
  const modes: SummaryMode[] = job.options.summary_modes
  const names = (job.options.pinned_templates ?? []).map(({ name }) => name)
  const { id, sourceId, apiKeyId, options, customInstructions, webhookUrl } = job
  const values = [id, sourceId, apiKeyId, JSON.stringify(options), customInstructions, webhookUrl, wakeSeconds, now]
  const { rowCount } = await sql.query(INSERT, [...values, modes, job.traceparent, job.requestId, names])
  return rowCount > 0 ? { outcome: 'accepted', createdAt: now } : { outcome: 'suspended' }
}

async function lockSource(sql: Sql, { sourceId, userId }: NewDerivedJob): Promise<string | null> {
  const { rows } = await sql.query<{ rootId: string }>(LOCK_SOURCE, [sourceId, userId])
  return rows[0]?.rootId ?? null
}
