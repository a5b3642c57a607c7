import { PLANS, WEBHOOK_EVENTS } from '@subtext/contracts'
import type { TestSystem } from './test-system.ts'

const LIMITS = Object.entries(PLANS)
  .map(([plan, { quota }]) => `('${plan}', ${quota.daily}, ${quota.monthly})`)
  .join(', ')

/** Everything that events are about. */
const SUBJECTS = `
  SELECT 'job' AS subject, id, status::text, webhook_url FROM jobs
  UNION ALL SELECT 'batch', id, status::text, webhook_url FROM batches`
/** Which event reports which final status. */
const ENDS = Object.entries(WEBHOOK_EVENTS)
  .flatMap(([type, { subject, ends }]) => ends.map((status) => `('${subject}', '${status}', '${type}')`))
  .join(', ')

/** A number in the stored usage of a result, which leaves out zeros. */
const usage = (name: string, type: 'int' | 'numeric'): string => `coalesce((r.usage->>'${name}')::${type}, 0)`

/**
 * What must hold once every job has ended, whatever was killed: each query looks for rows that break a promise. Quotas are
 * those of today and this month. The sums are right even in a test that runs past midnight UTC, because the ledger names the
 * periods.
 */
const VIOLATIONS = {
  'a job has not ended': "SELECT id, status, step FROM jobs WHERE status NOT IN ('completed', 'failed')",
  'an ended job is still leased':
    "SELECT id FROM jobs WHERE status IN ('completed', 'failed') AND (lease_token IS NOT NULL OR held)",
  'completed without one result, or a result without completion': `
    SELECT coalesce(j.id, r.job_id) AS id, j.status FROM jobs j FULL JOIN results r ON r.job_id = j.id
    WHERE (j.status IS NOT DISTINCT FROM 'completed') <> (r.job_id IS NOT NULL)`,
  'no usage entry, or one of another outcome': `
    SELECT j.id, j.status, u.outcome FROM jobs j FULL JOIN (
      SELECT * FROM usage_entries WHERE subject_kind = 'job'
    ) u ON u.job_id = j.id
    WHERE u.outcome IS DISTINCT FROM j.status::text`,
  'a usage entry differs from what was paid for the job': `
    SELECT u.job_id, u.cost_usd, sum(s.cost_usd) AS cost, u.output_tokens, sum(s.output_tokens) AS output
    FROM usage_entries u LEFT JOIN (
      SELECT own.job_id, s.cost_usd, s.output_tokens
      FROM job_summaries own JOIN summaries s ON s.id = own.summary_id WHERE NOT own.reused
      UNION ALL SELECT job_id, cost_usd, output_tokens FROM job_spendings
    ) s ON s.job_id = u.job_id
    WHERE u.subject_kind = 'job'
    GROUP BY u.job_id, u.cost_usd, u.output_tokens
    HAVING u.cost_usd <> coalesce(sum(s.cost_usd), 0) OR u.output_tokens <> coalesce(sum(s.output_tokens), 0)`,
  'not exactly one event about the end of a job or batch with a webhook': `
    SELECT s.id, s.status, count(e.id) AS events FROM (${SUBJECTS}) s
      LEFT JOIN webhook_events e ON e.subject_id = s.id
        AND e.type IN (SELECT type FROM (VALUES ${ENDS}) AS ends(subject, status, type))
    GROUP BY s.id, s.status, s.webhook_url HAVING count(e.id) <> count(DISTINCT s.webhook_url)`,
  'an event reports another end than that of its job or batch': `
    SELECT s.id, s.status, e.type FROM (${SUBJECTS}) s JOIN webhook_events e ON e.subject_id = s.id
    WHERE e.type IN (SELECT type FROM (VALUES ${ENDS}) AS ends(subject, status, type))
      AND (s.subject, s.status, e.type) NOT IN (VALUES ${ENDS})`,
  'an event was recorded twice, or has not exactly one delivery': `
    SELECT e.subject_id, e.type, count(DISTINCT e.id) AS events, count(d.id) AS deliveries
    FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
    GROUP BY e.subject_id, e.type HAVING count(DISTINCT e.id) <> 1 OR count(d.id) <> 1`,
  'a completed job lacks a summary it does not warn of': `
    SELECT j.id FROM jobs j
    WHERE j.status = 'completed' AND (SELECT count(*) FROM job_summaries s
      WHERE s.job_id = j.id AND j.options->'summary_modes' ? s.mode)
      + (SELECT count(*) FROM jsonb_array_elements(j.warnings) w WHERE w->>'code' = 'SUMMARY_MODE_UNAVAILABLE')
      + (SELECT count(*) FROM jsonb_array_elements(j.warnings) w, jsonb_array_elements_text(j.options->'summary_modes') AS mode
         WHERE w->>'code' = 'COST_LIMIT_REACHED' AND w->>'message' LIKE '%\`' || mode || '\`%')
      <> jsonb_array_length(j.options->'summary_modes')`,
  'a quota was not reserved once, or not given back exactly on failure, unless it was kept': `
    SELECT j.id, j.status, array_agg(q.kind) AS entries FROM jobs j LEFT JOIN quota_entries q ON q.job_id = j.id
    WHERE j.quota_day IS NOT NULL GROUP BY j.id
    HAVING count(*) FILTER (WHERE q.kind = 'reserve') <> 1
      OR count(*) FILTER (WHERE q.kind = 'release')
        <> (CASE WHEN j.status = 'failed' AND count(q.kept_because) = 0 THEN 1 ELSE 0 END)`,
  'a quota was kept without need, or returned although a summary was delivered or paid for': `
    SELECT j.id, j.error, q.kept_because FROM jobs j JOIN quota_entries q ON q.job_id = j.id AND q.kind = 'reserve'
    WHERE q.kept_because IS DISTINCT FROM CASE
      WHEN j.error->>'code' IS DISTINCT FROM 'JOB_CANCELLED' THEN NULL
      WHEN EXISTS (SELECT FROM job_summaries s WHERE s.job_id = j.id) THEN 'summary_delivered'
      WHEN EXISTS (SELECT FROM job_spendings s WHERE s.job_id = j.id) THEN 'model_paid' END`,
  // The ledger outlives the jobs, which retention deletes.
  'a quota counter differs from its ledger': `
    SELECT q.user_id, q.period, q.used, count(e.job_id) AS jobs FROM quota_usage q LEFT JOIN quota_entries e
      ON e.user_id = q.user_id AND e.kind = 'reserve'
      AND NOT EXISTS (SELECT FROM quota_entries r WHERE r.job_id = e.job_id AND r.kind = 'release')
      AND q.starts_on = date_trunc(q.period::text, e.created_at, 'UTC') AT TIME ZONE 'UTC'
    WHERE q.period IN ('day', 'month')
    GROUP BY q.user_id, q.period, q.starts_on, q.used HAVING q.used <> count(e.job_id)`,
  // Conversations can be deleted, so the counter may be higher.
  'a question about a video was not counted': `
    SELECT e.user_id, e.quota_day, count(*) AS questions, q.used FROM chat_exchanges e LEFT JOIN quota_usage q
      ON q.user_id = e.user_id AND q.period = 'chat_day' AND q.starts_on = e.quota_day
    WHERE e.status IN ('pending', 'complete') AND e.quota_day IS NOT NULL
    GROUP BY e.user_id, e.quota_day, q.used HAVING count(*) > coalesce(q.used, 0)`,
  'a job was reserved in another period than its ledger says': `
    SELECT j.id, j.quota_day, e.created_at FROM jobs j JOIN quota_entries e ON e.job_id = j.id AND e.kind = 'reserve'
    WHERE j.quota_day <> (e.created_at AT TIME ZONE 'UTC')::date
      OR j.quota_month <> date_trunc('month', j.quota_day)`,
  'the totals of an account differ from its jobs': `
    SELECT u.id, u.jobs_accepted, u.jobs_failed, count(j.id) AS jobs FROM users u LEFT JOIN jobs j ON j.user_id = u.id
    GROUP BY u.id
    HAVING u.jobs_accepted <> count(j.id) OR u.jobs_failed <> count(j.id) FILTER (WHERE j.status = 'failed')`,
  'the counters of a batch differ from its jobs': `
    SELECT b.id, b.total, b.pending, b.succeeded, b.failed FROM batches b LEFT JOIN jobs j ON j.batch_id = b.id
    GROUP BY b.id HAVING b.total <> count(j.id) OR b.pending <> count(*) FILTER (WHERE j.status IN ('queued', 'processing'))
      OR b.succeeded <> count(*) FILTER (WHERE j.status = 'completed')
      OR b.failed <> count(*) FILTER (WHERE j.status = 'failed')`,
  'a batch has not become what its jobs have': `
    SELECT id, status, pending, succeeded, failed FROM batches
    WHERE completed_at IS NULL OR status::text <> CASE
      WHEN pending > 0 THEN 'processing' WHEN failed = 0 THEN 'completed' WHEN succeeded = 0 THEN 'failed'
      ELSE 'partial_failure' END`,
  'a quota was used beyond its limit': `
    SELECT q.user_id, q.period, q.used, t.daily, t.monthly FROM quota_usage q JOIN users u ON u.id = q.user_id
      JOIN (VALUES ${LIMITS}) AS t(plan, daily, monthly) ON t.plan = u.plan::text
    WHERE q.used > CASE q.period WHEN 'day' THEN t.daily WHEN 'month' THEN t.monthly END`,
  'a receipt differs from the result of its job': `
    SELECT j.id, u.cost_usd, r.usage FROM results r JOIN jobs j ON j.id = r.job_id
      JOIN usage_entries u ON u.job_id = j.id AND u.subject_kind = 'job'
    WHERE (u.input_tokens, u.output_tokens, u.cached_input_tokens, u.cost_usd) IS DISTINCT FROM
      (${usage('input_tokens', 'int')}, ${usage('output_tokens', 'int')}, ${usage('cached_input_tokens', 'int')},
       round(${usage('cost_usd', 'numeric')}, 6))`,
  // What has not been folded yet counts for both spans.
  'the sums of an account differ from its receipts': `
    SELECT user_id, span, sums.*, receipts.* FROM (
      SELECT user_id, count(*) FILTER (WHERE subject_kind = 'job' AND outcome = 'completed') AS videos, sum(input_tokens) AS input,
        sum(output_tokens) AS output, sum(cached_input_tokens) AS cached, sum(cost_usd) AS cost
      FROM usage_entries GROUP BY user_id
    ) receipts CROSS JOIN unnest('{hour,day}'::rollup_span[]) AS spans(span) LEFT JOIN (
      SELECT user_id, span, sum(videos) AS videos, sum(input_tokens) AS input, sum(output_tokens) AS output,
        sum(cached_input_tokens) AS cached, sum(cost_usd) AS cost
      FROM (
        SELECT user_id, span, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd FROM usage_rollups
        UNION ALL
        SELECT user_id, span, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd
        FROM usage_additions, unnest('{hour,day}'::rollup_span[]) AS spans(span)
      ) usage GROUP BY user_id, span
    ) sums USING (user_id, span)
    WHERE (receipts.videos, receipts.input, receipts.output, receipts.cached, receipts.cost) IS DISTINCT FROM
      (coalesce(sums.videos, 0), coalesce(sums.input, 0), coalesce(sums.output, 0), coalesce(sums.cached, 0),
       coalesce(sums.cost, 0))`,
  'more was spent or reserved than a limit allows': `
    SELECT c.scope, c.id, c.used_usd, c.reserved_usd, l.limit_usd FROM spending_counters c JOIN (
      SELECT 'month' AS scope, id, monthly_limit_usd AS limit_usd FROM users
      UNION ALL SELECT 'batch', id, max_cost_usd FROM batches
      UNION ALL SELECT 'job', id, (options->>'max_cost_usd')::numeric FROM jobs
    ) l USING (scope, id) WHERE c.used_usd + c.reserved_usd > l.limit_usd`,
  'what counts toward the limits of an account differs from its receipts': `
    SELECT user_id, spent.used, receipts.cost FROM (
      SELECT user_id, sum(cost_usd) AS cost FROM usage_entries GROUP BY user_id
    ) receipts FULL JOIN (
      SELECT user_id, sum(used_usd) AS used FROM spending_counters WHERE scope = 'month' GROUP BY user_id
    ) spent USING (user_id) WHERE coalesce(spent.used, 0) <> coalesce(receipts.cost, 0)`,
  'a counter of spending differs from its reservations': `
    SELECT c.scope, c.id, c.reserved_usd, r.amount FROM spending_counters c LEFT JOIN (
      SELECT n.scope, n.id, n.starts_on, sum(amount_usd) AS amount
      FROM spending_reservations, unnest(scopes, scope_ids, scope_starts) AS n(scope, id, starts_on) GROUP BY 1, 2, 3
    ) r USING (scope, id, starts_on) WHERE c.reserved_usd <> coalesce(r.amount, 0)`,
  'the library of an account lacks its newest completed job of a video, or has another': `
    SELECT coalesce(newest.user_id, e.user_id) AS user_id, coalesce(newest.video_id, e.video_id) AS video_id, newest.id, e.job_id
    FROM (
      SELECT DISTINCT ON (user_id, video_id) user_id, video_id, id FROM jobs WHERE status = 'completed'
      ORDER BY user_id, video_id, id DESC
    ) newest FULL JOIN library_entries e USING (user_id, video_id)
    WHERE newest.id IS DISTINCT FROM e.job_id`,
  'a job of the library was not indexed, or with other words than its transcript': `
    SELECT e.job_id, e.transcript_id, r.transcript_id AS stored FROM library_entries e JOIN results r USING (job_id)
    WHERE e.tsv IS NULL OR (e.transcript_id, e.cue_count) IS DISTINCT FROM (r.transcript_id, r.cue_count)`,
  'a job of no batch, or of one of another account': `
    SELECT j.id, j.batch_id FROM jobs j LEFT JOIN batches b ON b.id = j.batch_id AND b.user_id = j.user_id
    WHERE j.batch_id IS NOT NULL AND b.id IS NULL`,
  'a derived job uses another transcript than its source, or a quota': `
    SELECT j.id, j.derived_from, j.quota_day FROM jobs j JOIN results r ON r.job_id = j.id
      JOIN results source ON source.job_id = j.derived_from
    WHERE (r.transcript_id, r.cue_count) IS DISTINCT FROM (source.transcript_id, source.cue_count)
      OR j.quota_day IS NOT NULL OR j.root_id IS NULL`,
  'a derived job lacks a summary of its source': `
    SELECT j.id, s.mode FROM jobs j JOIN job_summaries s ON s.job_id = j.derived_from
    WHERE j.status = 'completed' AND NOT j.options->'summary_modes' ? s.mode
      AND NOT EXISTS (SELECT FROM job_summaries own WHERE (own.job_id, own.summary_id) = (j.id, s.summary_id) AND own.reused)`,
  // An account may import the same captions again. Those of two accounts never share an ID.
  'a track was stored twice': `
    SELECT video_id, track_key, count(*) FROM transcripts t
    WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.video_id = t.video_id AND j.force_refresh)
    GROUP BY video_id, track_key
    HAVING count(*) FILTER (WHERE owner_id IS NULL) > 1 OR count(DISTINCT coalesce(owner_id::text, '')) > 1`,
  // Those without a model cost nothing: jobs that run at the same time each write their own.
  'a summary by a model was written twice': `
    SELECT s.mode, count(*) FROM summaries s JOIN transcripts t ON t.id = s.transcript_id
    WHERE s.model <> 'extractive' AND NOT EXISTS (SELECT FROM jobs j WHERE j.video_id = t.video_id AND j.force_refresh)
    GROUP BY s.cache_key, s.mode HAVING count(*) > 1`,
} as const

/** Returns the rows that break a promise, by promise; `{}` if none does. */
export async function findViolations(system: Pick<TestSystem, 'rows'>): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [promise, statement] of Object.entries(VIOLATIONS)) {
    const rows = await system.rows(statement)
    if (rows.length > 0) found[promise] = rows
  }
  return found
}
