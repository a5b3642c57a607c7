import type { Warning } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { END, endValues, JOB_COLUMNS, type Job, type Lease } from './jobs.ts'
import { insertResult, resultValues, type StoredResult } from './results.ts'
import { APPEND_USAGE } from './usage-additions.ts'
import { eventValues, insertEvent, type NewWebhookEvent } from './webhooks.ts'

export interface Completion {
  result: StoredResult
  warnings: Warning[]
  /** Null for a job without a webhook. */
  event: NewWebhookEvent | null
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

export interface CompletedJob {
  job: Job
  /** Another job of the account is held back in the lane, or was a moment ago. */
  hasHeld: boolean
}

const TITLE = 8
const RESULT = 9
const EVENT = 18

// The usage of the result is its seventh value.
const USAGE = `$${RESULT + 6}::jsonb`

const COMPLETE = (eventParts: string): string => `
WITH ended AS (
  UPDATE jobs SET ${END}, video_title = coalesce($${TITLE}, video_title)
  WHERE id = $1 AND lease_token = $2 AND status = 'processing' RETURNING ${JOB_COLUMNS}
), result AS (
  ${insertResult(RESULT)}
), entry AS (
  INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens, cached_input_tokens, cost_usd,
    created_at)
  SELECT id, "userId", "apiKeyId", status::text, (${USAGE}->>'input_tokens')::int, (${USAGE}->>'output_tokens')::int,
    (${USAGE}->>'cached_input_tokens')::int, (${USAGE}->>'cost_usd')::numeric, "completedAt" FROM ended
  RETURNING *
), appended AS (${APPEND_USAGE}
)${eventParts}
SELECT *, EXISTS (
  SELECT FROM jobs held WHERE held.lane = ended.lane AND held.user_id = ended."userId" AND held.held
) AS "hasHeld" FROM ended`

const WITHOUT_EVENT = COMPLETE('')
const WITH_EVENT = COMPLETE(`, ${insertEvent('ended', EVENT)}`)

/**
 * Completes a job, once, with everything that follows from it, in one statement: state, result, receipt, usage, event and
 * delivery. Null: the lease was lost, and nothing was written.
 */
export async function completeClaimedJob(sql: Sql, lease: Lease, completion: Completion): Promise<CompletedJob | null> {
  const { result, warnings, event, platformRequests } = completion
  const { completedAt } = result
  const end = endValues({ status: 'completed', error: null, warnings, completedAt, platformRequests })
  const values = [lease.jobId, lease.token, ...end, result.videoInfo.title ?? null, ...resultValues(result)]
  const { rows } = event
    ? await sql.query<Job & Pick<CompletedJob, 'hasHeld'>>(WITH_EVENT, [...values, ...eventValues(event)])
    : await sql.query<Job & Pick<CompletedJob, 'hasHeld'>>(WITHOUT_EVENT, values)
  if (!rows[0]) return null
  const { hasHeld, ...job } = rows[0]
  return { job, hasHeld }
}

/** Numbers of the rows of a job on which its result is based. */
export interface ResultBasis {
  summaries: number
  spendings: number
}

const LOCK_CLAIMED = `SELECT FROM jobs WHERE id = $1 AND lease_token = $2 AND status = 'processing' FOR NO KEY UPDATE`
const COUNT_BASIS = `SELECT (SELECT count(*)::int FROM job_summaries WHERE job_id = $1) AS summaries,
  (SELECT count(*)::int FROM job_spendings WHERE job_id = $1) AS spendings`

/**
 * Locks a claimed job until the transaction ends, so that nothing can be added to it, and counts what it has. Null: the lease
 * was lost.
 */
export async function lockResultBasis(sql: Sql, { jobId, token }: Lease): Promise<ResultBasis | null> {
  // The second statement sees what was added while the first one waited for the lock.
  if ((await sql.query(LOCK_CLAIMED, [jobId, token])).rowCount === 0) return null
  return (await sql.query<ResultBasis>(COUNT_BASIS, [jobId])).rows[0] ?? null
}
