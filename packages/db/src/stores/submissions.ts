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

/** UTC day and first day of the UTC month, as `YYYY-MM-DD`. */
export interface QuotaPeriods {
  day: string
  month: string
}

export interface Verdict {
  accepted: boolean
  /** Videos used in the periods after this call; null for callers without a quota. */
  usedDay: number | null
  usedMonth: number | null
}

interface VerdictRow {
  position: number
  accepted: boolean
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

// One statement for all jobs that arrived together: locks the counters (in one order over all callers, so that two
// calls cannot wait for each other), lets in as many jobs of each account as both of its periods still hold, first come
// first served, and writes jobs, ledger and counters. The counters are read under their lock, so no concurrency
// can pass a limit. Accounts are given as arrays: a join with the counters is planned as a look through all of them
// where the table has no statistics yet.
const ACCEPT = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(
    position int, id uuid, "userId" uuid, "apiKeyId" uuid, lane lane, priority lane, "videoId" text, options jsonb,
    "customInstructions" text, "useProxy" boolean, "forceRefresh" boolean, "webhookUrl" text, "serviceName" text,
    "agentName" text, "clientReference" text, daily int, monthly int)
),
held AS MATERIALIZED (
  SELECT q.user_id, q.period, q.used
  FROM quota_usage q
  WHERE q.user_id = ANY (ARRAY(SELECT "userId" FROM input WHERE daily IS NOT NULL))
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
    row_number() OVER (PARTITION BY "userId", daily IS NULL ORDER BY position) AS place
  FROM input LEFT JOIN used ON used.user_id = input."userId" AND input.daily IS NOT NULL
),
accepted AS MATERIALIZED (
  SELECT * FROM ranked
  WHERE daily IS NULL OR (used_day + place <= daily AND used_month + place <= monthly)
),
written AS (
  INSERT INTO jobs (id, user_id, api_key_id, lane, priority, video_id, options, custom_instructions, use_proxy,
    force_refresh, webhook_url, service_name, agent_name, client_reference, wake_at, quota_day, quota_month,
    created_at, updated_at)
  SELECT id, "userId", "apiKeyId", lane, priority, "videoId", options, "customInstructions", "useProxy",
    "forceRefresh", "webhookUrl", "serviceName", "agentName", "clientReference",
    now() + make_interval(secs => $5), CASE WHEN daily IS NOT NULL THEN $2::date END,
    CASE WHEN daily IS NOT NULL THEN $3::date END, $4, $4
  FROM accepted
),
entered AS (
  INSERT INTO quota_entries (job_id, kind, user_id, created_at)
  SELECT id, 'reserve', "userId", $4 FROM accepted WHERE daily IS NOT NULL
),
counted AS (
  UPDATE quota_usage q SET used = q.used + a.jobs
  FROM (SELECT "userId" AS user_id, count(*)::int AS jobs FROM accepted WHERE daily IS NOT NULL GROUP BY 1) a
  WHERE q.user_id = a.user_id AND q.user_id = ANY (ARRAY(SELECT "userId" FROM accepted WHERE daily IS NOT NULL))
    AND ((q.period = 'day' AND q.starts_on = $2::date) OR (q.period = 'month' AND q.starts_on = $3::date))
)
SELECT r.position, a.id IS NOT NULL AS accepted,
  (r.used_day + count(a.id) OVER own)::int AS used_day, (r.used_month + count(a.id) OVER own)::int AS used_month
FROM ranked r LEFT JOIN accepted a USING (position)
WINDOW own AS (PARTITION BY r."userId", r.daily IS NULL)`

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
  const input = jobs.map(({ quota, ...job }, position) => ({ ...job, ...quota, position }))
  const { rows } = await sql.query<VerdictRow>(ACCEPT, [
    JSON.stringify(input),
    periods.day,
    periods.month,
    now,
    wakeSeconds,
  ])
  const verdicts: Verdict[] = []
  for (const { position, accepted, used_day, used_month } of rows) {
    verdicts[position] = { accepted, usedDay: used_day, usedMonth: used_month }
  }
  return verdicts
}
