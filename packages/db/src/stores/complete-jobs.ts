import type { Sql } from '../client.ts'
import { type CompletedJob, type Completion, usageColumns } from './completion.ts'
import { takeHeldOf } from './job-shares.ts'
import type { Lease, WakeableJob } from './jobs.ts'
import { packUsage } from './result-usage.ts'
import { describeWork, saveWork } from './unsaved-work.ts'
import { APPEND_USAGE } from './usage-additions.ts'

/** A job that ends together with others. It has neither an event nor a file. */
export interface JoinedCompletion extends Pick<Completion, 'result' | 'warnings' | 'platformRequests' | 'unsaved'> {
  lease: Lease
}

// Waits for no lock, because one job must not hold up the others, and no two statements can wait for each other. Names the jobs
// by an array, so that the planner looks up their rows by their IDs: it cannot estimate how many are given as JSON. Compares the
// status and the lease as text, so that no index that is partial by one of them seems to fit.
const COMPLETE_JOBS = `
WITH given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(job_id uuid, token uuid, completed_at timestamptz, platform_requests int,
    warnings jsonb, title text, transcript_id uuid, cue_count int, truncated boolean, selection_reason text, video_info jsonb,
    cited_starts jsonb, usage jsonb, comments jsonb, processing_ms int, written jsonb, added jsonb)
), locked AS MATERIALIZED (
  SELECT id FROM jobs WHERE id = ANY ($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED
), ended AS (
  UPDATE jobs SET status = 'completed', step = 'completed', error = NULL, warnings = given.warnings, progress = 100,
    lease_token = NULL, held = false, platform_requests = coalesce(jobs.platform_requests, 0) + given.platform_requests,
    updated_at = given.completed_at, completed_at = given.completed_at, video_title = coalesce(given.title, video_title)
  FROM given JOIN locked ON locked.id = given.job_id
  WHERE jobs.id = ANY ($1::uuid[]) AND jobs.id = given.job_id AND jobs.lease_token::text = given.token::text
    AND jobs.status::text = 'processing'
  RETURNING jobs.id, user_id AS "userId", api_key_id AS "apiKeyId", lane
), done AS (
  SELECT * FROM ended JOIN given ON given.job_id = ended.id
), result AS (
  INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, comments,
    processing_ms, completed_at)
  SELECT id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, comments, processing_ms,
    completed_at
  FROM done
), entry AS (
  INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens, cached_input_tokens, cost_usd,
    created_at)
  SELECT id, "userId", "apiKeyId", 'completed', ${usageColumns('usage')}, completed_at
  FROM done
  RETURNING *
), appended AS (${APPEND_USAGE}
), ${takeHeldOf('ended')}, ${saveWork('done ended', { written: 'ended.written', added: 'ended.added' })}
SELECT ARRAY(SELECT id FROM ended) AS ended, ARRAY(SELECT to_jsonb(woken) FROM woken) AS woken`

const describe = ({ lease, result, warnings, platformRequests = 0, unsaved }: JoinedCompletion): unknown => ({
  job_id: lease.jobId,
  token: lease.token,
  completed_at: result.completedAt,
  platform_requests: platformRequests,
  warnings,
  title: result.videoInfo.title,
  transcript_id: result.transcriptId,
  cue_count: result.cueCount,
  truncated: result.truncated,
  selection_reason: result.selectionReason,
  video_info: result.videoInfo,
  cited_starts: result.citedStarts,
  usage: packUsage(result.usage),
  comments: result.comments,
  processing_ms: result.processingMs,
  ...(unsaved && describeWork(unsaved)),
})

/**
 * Completes different jobs like `completeClaimedJob`, in one statement for all of them. Returns null for a job whose lease was
 * lost, or whose row another transaction has locked; nothing is written for it. If the statement is refused because of one
 * job, nothing is written for the others either.
 */
export async function completeClaimedJobs(
  sql: Sql,
  completions: readonly JoinedCompletion[],
): Promise<(CompletedJob | null)[]> {
  const { rows } = await sql.query<{ ended: string[]; woken: WakeableJob[] }>(COMPLETE_JOBS, [
    completions.map(({ lease }) => lease.jobId),
    JSON.stringify(completions.map(describe)),
  ])
  const ended = new Set(rows[0]?.ended)
  const woken = [...(rows[0]?.woken ?? [])]
  return completions.map(({ lease }) => (ended.has(lease.jobId) ? { woken: woken.shift() ?? null } : null))
}
