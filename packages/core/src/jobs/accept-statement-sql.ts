/**
 * The statements that accept jobs and batches (`accept-sql.ts`), put together from named parts.
 *
 * One statement serves all jobs that arrived together. It locks the accounts, then their quota counters, each in the same order
 * for all callers, so that two calls cannot wait for each other. It accepts as many jobs of each account as both of its periods
 * still allow, first come first served, and writes jobs, ledger and counters. The counters are read under their lock, so
 * concurrent calls cannot exceed a limit. A job whose ID already exists is neither written nor counted again, and does not
 * affect the others. The rules are those of `plans/quota.ts`.
 *
 * Accounts are compared with arrays: a join with the counters is planned as a scan of all of them while the table has
 * no statistics. The comparisons with the count of `accounts` are always true; they make the locks on accounts come
 * first.
 *
 * Parameters: $1 the jobs as JSON, $2 the day, $3 the month, $4 the time of acceptance, $5 seconds until the sweep may
 * wake the jobs, $6 the batch as JSON.
 */

const INPUT = `
input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(
    position int, id uuid, "userId" uuid, "apiKeyId" uuid, lane lane, priority lane, "videoId" text, options jsonb,
    "customInstructions" text, "useProxy" boolean, "forceRefresh" boolean, "webhookUrl" text, "serviceName" text,
    "agentName" text, "clientReference" text, "videoUrl" text, imported jsonb, daily int, monthly int, "batchId" uuid, "batchIndex" int,
    traceparent text, "requestId" text)
)`

const LOCK_ACCOUNTS = `
accounts AS MATERIALIZED (
  SELECT id, suspended_at IS NOT NULL AS suspended
  FROM users WHERE id = ANY (ARRAY(SELECT "userId" FROM input)) ORDER BY id FOR NO KEY UPDATE
)`

const LOCK_COUNTERS = `
counters AS MATERIALIZED (
  SELECT q.user_id, q.period, q.used
  FROM quota_usage q
  WHERE (SELECT count(*) FROM accounts) >= 0 AND q.user_id = ANY (ARRAY(SELECT "userId" FROM input WHERE daily IS NOT NULL))
    AND ((q.period = 'day' AND q.starts_on = $2::date) OR (q.period = 'month' AND q.starts_on = $3::date))
  ORDER BY q.user_id, q.period
  FOR UPDATE OF q
),
used AS (
  SELECT user_id,
    max(used) FILTER (WHERE period = 'day') AS day,
    max(used) FILTER (WHERE period = 'month') AS month
  FROM counters GROUP BY user_id
)`

/** `place` says how many jobs of the account the quota must allow for this one to be accepted. */
const rank = (place: string): string => `
ranked AS MATERIALIZED (
  SELECT input.*, used.day AS used_day, used.month AS used_month, ${place} AS place
  FROM input LEFT JOIN used ON used.user_id = input."userId" AND input.daily IS NOT NULL
)`
const FIRST_COME_FIRST_SERVED = 'row_number() OVER (PARTITION BY "userId", daily IS NULL ORDER BY position)'
const ALL_OR_NONE = 'count(*) OVER ()'

const APPLY_QUOTAS = `
accepted AS MATERIALIZED (
  SELECT * FROM ranked
  WHERE (daily IS NULL OR (used_day + place <= daily AND used_month + place <= monthly))
    AND "userId" <> ALL (ARRAY(SELECT id FROM accounts WHERE suspended))
)`

const INSERT_BATCH = `
batch AS (
  INSERT INTO batches (id, user_id, total, pending, webhook_url, service_name, agent_name, client_reference, max_cost_usd,
    created_at)
  SELECT b.id, b."userId", jobs, jobs, b."webhookUrl", b."serviceName", b."agentName", b."clientReference", b."maxCostUsd", $4
  FROM jsonb_to_record($6::jsonb) AS b(id uuid, "userId" uuid, "webhookUrl" text, "serviceName" text, "agentName" text,
    "clientReference" text, "maxCostUsd" numeric), (SELECT count(*) AS jobs FROM accepted) AS counted
  WHERE jobs > 0
  ON CONFLICT (id) DO NOTHING
  RETURNING id
)`

const insertJobs = (condition = ''): string => `
written AS (
  INSERT INTO jobs (id, user_id, api_key_id, batch_id, batch_index, lane, priority, video_id, options, custom_instructions,
    use_proxy, force_refresh, webhook_url, service_name, agent_name, client_reference, traceparent, request_id, wake_at,
    quota_day, quota_month, created_at, updated_at, video_url, imported, video_title)
  SELECT id, "userId", "apiKeyId", "batchId", "batchIndex", lane, priority, "videoId", options, "customInstructions",
    "useProxy", "forceRefresh", "webhookUrl", "serviceName", "agentName", "clientReference",
    traceparent, "requestId", now() + make_interval(secs => $5), CASE WHEN daily IS NOT NULL THEN $2::date END,
    CASE WHEN daily IS NOT NULL THEN $3::date END, $4, $4, "videoUrl", imported, imported#>>'{info,title}'
  FROM accepted ${condition}
  ON CONFLICT (id) DO NOTHING
  RETURNING id, user_id, quota_day
)`

const COUNT_JOBS_OF_ACCOUNTS = `
counted_accounts AS (
  UPDATE users u SET jobs_accepted = u.jobs_accepted + w.jobs
  FROM (SELECT user_id, count(*)::int AS jobs FROM written GROUP BY 1) w
  WHERE (SELECT count(*) FROM accounts) >= 0 AND u.id = w.user_id AND u.id = ANY (ARRAY(SELECT user_id FROM written))
)`

const INSERT_QUOTA_ENTRIES = `
entries AS (
  INSERT INTO quota_entries (job_id, kind, user_id, created_at)
  SELECT id, 'reserve', user_id, $4 FROM written WHERE quota_day IS NOT NULL
)`

const RAISE_COUNTERS = `
raised_counters AS (
  UPDATE quota_usage q SET used = q.used + w.jobs
  FROM (SELECT user_id, count(*)::int AS jobs FROM written WHERE quota_day IS NOT NULL GROUP BY 1) w
  WHERE q.user_id = w.user_id AND q.user_id = ANY (ARRAY(SELECT user_id FROM written WHERE quota_day IS NOT NULL))
    AND ((q.period = 'day' AND q.starts_on = $2::date) OR (q.period = 'month' AND q.starts_on = $3::date))
  RETURNING q.user_id, q.period, q.starts_on, q.used, w.jobs
)`

/** Enforces the rule for these emails that `plans/quota.ts` states. */
const QUEUE_NOTICES = `
limits AS (
  SELECT "userId", max(daily) AS daily, max(monthly) AS monthly FROM accepted WHERE daily IS NOT NULL GROUP BY 1
),
levels AS MATERIALIZED (
  SELECT r.*, l.quota, l.period_length, CASE WHEN r.used >= l.quota THEN 100 ELSE 80 END AS percent
  FROM raised_counters r CROSS JOIN LATERAL (
    SELECT CASE r.period WHEN 'day' THEN daily ELSE monthly END AS quota,
      CASE r.period WHEN 'day' THEN interval '1 day' ELSE interval '1 month' END AS period_length
    FROM limits WHERE "userId" = r.user_id
  ) l
  WHERE r.used * 5 >= l.quota * 4 AND ((r.used - r.jobs) * 5 < l.quota * 4 OR (r.used >= l.quota AND r.used - r.jobs < l.quota))
),
notices AS (
  INSERT INTO emails (id, user_id, recipient, kind, data, dedupe_key, next_attempt_at, expires_at, created_at)
  SELECT gen_random_uuid(), l.user_id, u.email, 'quota_reached',
    jsonb_build_object('quota', CASE l.period WHEN 'day' THEN 'daily' ELSE 'monthly' END, 'percent', l.percent,
      'limit', l.quota, 'resets_at', to_char(l.starts_on + l.period_length, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    concat_ws(' ', 'quota', l.user_id, l.period, l.starts_on, l.quota, l.percent), $4, $4::timestamptz + interval '3 days', $4
  FROM levels l JOIN users u ON u.id = l.user_id AND u.email_verified AND u.deleted_at IS NULL
  WHERE u.id = ANY (ARRAY(SELECT user_id FROM levels))
  ON CONFLICT (dedupe_key) DO NOTHING
)`

const SELECT_OUTCOMES = `
SELECT r.position, a.id IS NOT NULL AS accepted, a.id IS NOT NULL AND w.id IS NULL AS existed,
  r."userId" = ANY (ARRAY(SELECT id FROM accounts WHERE suspended)) AS suspended,
  (r.used_day + count(w.id) OVER own)::int AS "usedDay", (r.used_month + count(w.id) OVER own)::int AS "usedMonth"
FROM ranked r LEFT JOIN accepted a USING (position) LEFT JOIN written w ON w.id = a.id
WINDOW own AS (PARTITION BY r."userId", r.daily IS NULL)`

const statement = (...parts: string[]): string => `WITH ${parts.join(',')}${SELECT_OUTCOMES}`

/** Accepts each job on its own. */
export const ACCEPT_JOBS = statement(
  INPUT,
  LOCK_ACCOUNTS,
  LOCK_COUNTERS,
  rank(FIRST_COME_FIRST_SERVED),
  APPLY_QUOTAS,
  insertJobs(),
  COUNT_JOBS_OF_ACCOUNTS,
  INSERT_QUOTA_ENTRIES,
  RAISE_COUNTERS,
  QUEUE_NOTICES,
)

/** Accepts all jobs of a batch or none of them. If the batch already exists, writes nothing. */
export const ACCEPT_BATCH = statement(
  INPUT,
  LOCK_ACCOUNTS,
  LOCK_COUNTERS,
  rank(ALL_OR_NONE),
  APPLY_QUOTAS,
  INSERT_BATCH,
  insertJobs('WHERE EXISTS (SELECT FROM batch)'),
  COUNT_JOBS_OF_ACCOUNTS,
  INSERT_QUOTA_ENTRIES,
  RAISE_COUNTERS,
  QUEUE_NOTICES,
)
