import type { Sql } from '../client.ts'
import type { Job } from './jobs.ts'

/** A job to be accepted. `quota` is null for callers without one. */
export interface NewJob
  extends Omit<
    Job,
    | 'batchId'
    | 'status'
    | 'progress'
    | 'step'
    | 'attempts'
    | 'error'
    | 'warnings'
    | 'createdAt'
    | 'updatedAt'
    | 'startedAt'
    | 'completedAt'
  > {
  quota: { daily: number; monthly: number } | null
}

/** A batch to be accepted with all its jobs, or not at all. */
export interface NewBatch {
  id: string
  userId: string
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
}

/** A job of a batch, in its place (from 0). */
export interface NewBatchJob extends NewJob {
  batchId: string
  batchIndex: number
}

/** UTC day and first day of the UTC month, as `YYYY-MM-DD`. */
export interface QuotaPeriods {
  day: string
  month: string
}

export interface Verdict {
  accepted: boolean
  /** A job of this id was there before; nothing was written or counted for this one. */
  existed: boolean
  /** Videos used in the periods after this call; null for callers without a quota. */
  usedDay: number | null
  usedMonth: number | null
}

interface VerdictRow {
  position: number
  accepted: boolean
  existed: boolean
  used_day: number | null
  used_month: number | null
}

/** Rows that count the periods; a job is only accepted where they exist. */
export async function openQuotaPeriods(sql: Sql, userIds: string[], periods: QuotaPeriods): Promise<void> {
  await sql.query(
    `INSERT INTO quota_usage (user_id, period, starts_on)
     SELECT user_id, period, starts_on
     FROM unnest($1::uuid[]) AS u(user_id),
       (VALUES ('day'::quota_period, $2::date), ('month'::quota_period, $3::date)) AS p(period, starts_on)
     ORDER BY user_id, period
     ON CONFLICT DO NOTHING`,
    [userIds, periods.day, periods.month],
  )
}

const INSERT_BATCH = `
  INSERT INTO batches (id, user_id, total, pending, webhook_url, service_name, agent_name, client_reference, created_at)
  SELECT b.id, b."userId", jobs, jobs, b."webhookUrl", b."serviceName", b."agentName", b."clientReference", $4
  FROM jsonb_to_record($6::jsonb) AS b(id uuid, "userId" uuid, "webhookUrl" text, "serviceName" text, "agentName" text,
    "clientReference" text), (SELECT count(*) AS jobs FROM accepted) AS counted
  WHERE jobs > 0
  ON CONFLICT (id) DO NOTHING
  RETURNING id`

// One statement for all jobs that arrived together: locks the accounts, then their quota counters (each in one order
// over all callers, so that two calls cannot wait for each other), lets in as many jobs of each account as both of its
// periods still hold, first come first served, and writes jobs, ledger and counters. The counters are read under their
// lock, so no concurrency can pass a limit. A job whose id is there already is neither written nor counted again, and
// does the others no harm. Accounts are given as arrays: a join with the counters is planned as a look through all of
// them where the table has no statistics yet. The comparisons with the count of `owners` are always true: they make
// the accounts' locks come first. As a whole, the jobs are those of one batch: there is room for all of them or for none,
// and with the batch there already none is written.
const acceptText = (whole: boolean): string => `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(
    position int, id uuid, "userId" uuid, "apiKeyId" uuid, lane lane, priority lane, "videoId" text, options jsonb,
    "customInstructions" text, "useProxy" boolean, "forceRefresh" boolean, "webhookUrl" text, "serviceName" text,
    "agentName" text, "clientReference" text, daily int, monthly int, "batchId" uuid, "batchIndex" int)
),
owners AS MATERIALIZED (
  SELECT id FROM users WHERE id = ANY (ARRAY(SELECT "userId" FROM input)) ORDER BY id FOR NO KEY UPDATE
),
held AS MATERIALIZED (
  SELECT q.user_id, q.period, q.used
  FROM quota_usage q
  WHERE (SELECT count(*) FROM owners) >= 0 AND q.user_id = ANY (ARRAY(SELECT "userId" FROM input WHERE daily IS NOT NULL))
    AND ((q.period = 'day' AND q.starts_on = $2::date) OR (q.period = 'month' AND q.starts_on = $3::date))
  ORDER BY q.user_id, q.period
  FOR UPDATE OF q
),
used AS (
  SELECT user_id,
    max(used) FILTER (WHERE period = 'day') AS day,
    max(used) FILTER (WHERE period = 'month') AS month
  FROM held GROUP BY user_id
),
ranked AS MATERIALIZED (
  SELECT input.*, used.day AS used_day, used.month AS used_month,
    ${whole ? 'count(*) OVER ()' : 'row_number() OVER (PARTITION BY "userId", daily IS NULL ORDER BY position)'} AS place
  FROM input LEFT JOIN used ON used.user_id = input."userId" AND input.daily IS NOT NULL
),
accepted AS MATERIALIZED (
  SELECT * FROM ranked
  WHERE daily IS NULL OR (used_day + place <= daily AND used_month + place <= monthly)
),
${whole ? `batch AS (${INSERT_BATCH}),` : ''}
written AS (
  INSERT INTO jobs (id, user_id, api_key_id, batch_id, batch_index, lane, priority, video_id, options, custom_instructions, use_proxy,
    force_refresh, webhook_url, service_name, agent_name, client_reference, wake_at, quota_day, quota_month,
    created_at, updated_at)
  SELECT id, "userId", "apiKeyId", "batchId", "batchIndex", lane, priority, "videoId", options, "customInstructions", "useProxy",
    "forceRefresh", "webhookUrl", "serviceName", "agentName", "clientReference",
    now() + make_interval(secs => $5), CASE WHEN daily IS NOT NULL THEN $2::date END,
    CASE WHEN daily IS NOT NULL THEN $3::date END, $4, $4
  FROM accepted ${whole ? 'WHERE EXISTS (SELECT FROM batch)' : ''}
  ON CONFLICT (id) DO NOTHING
  RETURNING id, user_id, quota_day
),
raised AS (
  UPDATE users u SET jobs_accepted = u.jobs_accepted + w.jobs
  FROM (SELECT user_id, count(*)::int AS jobs FROM written GROUP BY 1) w
  WHERE (SELECT count(*) FROM owners) >= 0 AND u.id = w.user_id AND u.id = ANY (ARRAY(SELECT user_id FROM written))
),
entered AS (
  INSERT INTO quota_entries (job_id, kind, user_id, created_at)
  SELECT id, 'reserve', user_id, $4 FROM written WHERE quota_day IS NOT NULL
),
counted AS (
  UPDATE quota_usage q SET used = q.used + w.jobs
  FROM (SELECT user_id, count(*)::int AS jobs FROM written WHERE quota_day IS NOT NULL GROUP BY 1) w
  WHERE q.user_id = w.user_id AND q.user_id = ANY (ARRAY(SELECT user_id FROM written WHERE quota_day IS NOT NULL))
    AND ((q.period = 'day' AND q.starts_on = $2::date) OR (q.period = 'month' AND q.starts_on = $3::date))
)
SELECT r.position, a.id IS NOT NULL AS accepted, a.id IS NOT NULL AND w.id IS NULL AS existed,
  (r.used_day + count(w.id) OVER own)::int AS used_day, (r.used_month + count(w.id) OVER own)::int AS used_month
FROM ranked r LEFT JOIN accepted a USING (position) LEFT JOIN written w ON w.id = a.id
WINDOW own AS (PARTITION BY r."userId", r.daily IS NULL)`

const ACCEPT = acceptText(false)
const ACCEPT_WHOLE = acceptText(true)

/**
 * Accepts what the quotas allow, in one statement; verdicts in the order of `jobs`.
 * `wakeSeconds` is how long a wake-up may be missing before the sweeper repeats it.
 */
export async function acceptJobs(
  sql: Sql,
  jobs: NewJob[],
  periods: QuotaPeriods,
  now: Date,
  wakeSeconds: number,
): Promise<Verdict[]> {
  const { rows } = await sql.query<VerdictRow>(ACCEPT, [writeInput(jobs), periods.day, periods.month, now, wakeSeconds])
  const verdicts: Verdict[] = []
  for (const { position, accepted, existed, used_day, used_month } of rows) {
    verdicts[position] = { accepted, existed, usedDay: used_day, usedMonth: used_month }
  }
  return verdicts
}

const writeInput = (jobs: NewJob[]): string =>
  JSON.stringify(jobs.map(({ quota, ...job }, position) => ({ ...job, ...quota, position })))

/**
 * Accepts a batch and all its jobs, which are those of one account and quota, in one statement, or nothing of it. `existed`:
 * a batch of this id was there before. Otherwise as `acceptJobs`.
 */
export async function acceptBatch(
  sql: Sql,
  batch: NewBatch,
  jobs: NewBatchJob[],
  periods: QuotaPeriods,
  now: Date,
  wakeSeconds: number,
): Promise<Verdict> {
  const { rows } = await sql.query<VerdictRow>(ACCEPT_WHOLE, [
    ...[writeInput(jobs), periods.day, periods.month, now, wakeSeconds],
    JSON.stringify(batch),
  ])
  const [row] = rows
  if (!row) throw new Error('A batch has at least one job.')
  return { accepted: row.accepted, existed: row.existed, usedDay: row.used_day, usedMonth: row.used_month }
}

/** When these jobs were accepted, by id. */
export async function findCreationTimes(sql: Sql, jobIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql.query<{ id: string; createdAt: Date }>(
    'SELECT id, created_at AS "createdAt" FROM jobs WHERE id = ANY ($1::uuid[])',
    [jobIds],
  )
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]))
}
