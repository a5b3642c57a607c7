import type { Warning } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { describeFile, FILE_COLUMNS, markStored, type RegisteredBlob } from '../blobs/index.ts'
import { describeEntry, ENTRY_COLUMN, insertEntries, type NewEntry } from '../library/index.ts'
import { describeWork, saveWork, type UnsavedWork, WORK_COLUMNS } from '../summaries/index.ts'
import { APPEND_USAGE } from '../usage/index.ts'
import { eventValues, insertEvents, type NewWebhookEvent } from '../webhooks/index.ts'
import { isHeldBy, type Lease, type WakeableJob } from './job-row.ts'
import { describeStoredResult, insertResults, RESULT_COLUMNS, type StoredResult } from './result-sql.ts'
import { takeHeldOf } from './shares-sql.ts'

/** A claimed job to be completed, with everything that follows from it. */
export interface JobCompletion {
  lease: Lease
  result: StoredResult
  warnings: Warning[]
  /** Null for a job without a webhook. */
  event: NewWebhookEvent | null
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number | undefined
  /** A file of the job that has been stored. */
  file?: RegisteredBlob | null | undefined
  /** Summaries of the job that are not stored yet. */
  unsaved?: UnsavedWork | null | undefined
  /** What the library of the account has of the job. */
  entry?: NewEntry | null | undefined
}

export interface CompletedJobs {
  /** The IDs of the jobs that have been completed. */
  completed: string[]
  /** Other jobs of their accounts, held back in their lanes until now, to be woken. */
  woken: WakeableJob[]
}

const count = (name: string, type: string): string => `coalesce((usage->>'${name}')::${type}, 0)`

/** The columns of a receipt about the usage of a result. Zeros may be left out. */
const USAGE_COLUMNS = ['input_tokens', 'output_tokens', 'cached_input_tokens']
  .map((name) => count(name, 'int'))
  .concat(count('cost_usd', 'numeric'))
  .join(', ')

// Names the jobs by an array from a subquery, for which the planner expects ten elements and looks up their rows by their IDs. It
// would expect a hundred given as JSON, and read all of a small table. Jobs are ended in the order of their IDs, so that statements
// that complete the same ones do not wait for each other.
const COMPLETE_JOBS = (parts: string): string => `
WITH given AS MATERIALIZED (
  SELECT d.* FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS g(id, nth)
    CROSS JOIN LATERAL jsonb_to_record($2::jsonb -> nth::int - 1) AS d(token uuid, platform_requests int, warnings jsonb, title text,
      ${RESULT_COLUMNS}, ${FILE_COLUMNS}, ${WORK_COLUMNS}, ${ENTRY_COLUMN})
  ORDER BY g.id
), ended AS (
  UPDATE jobs SET status = 'completed', step = 'completed', error = NULL, warnings = given.warnings, progress = 100,
    lease_token = NULL, held = false, platform_requests = coalesce(jobs.platform_requests, 0) + given.platform_requests,
    updated_at = given.completed_at, completed_at = given.completed_at, video_title = coalesce(given.title, video_title)
  FROM given WHERE jobs.id = given.job_id AND ${isHeldBy('given.token')}
  RETURNING jobs.id, user_id AS "userId", api_key_id AS "apiKeyId", lane, video_id
), done AS (
  SELECT * FROM ended JOIN given ON given.job_id = ended.id
), result AS (
  ${insertResults('done')}
), entry AS (
  INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens, cached_input_tokens, cost_usd,
    created_at)
  SELECT id, "userId", "apiKeyId", 'completed', ${USAGE_COLUMNS}, completed_at FROM done
  RETURNING *
), appended AS (${APPEND_USAGE}
), ${takeHeldOf('ended')}${parts}
SELECT ARRAY(SELECT id FROM ended) AS completed, ARRAY(SELECT to_jsonb(woken) FROM woken) AS woken`

/** The parts of the statement that only some jobs need. */
const PARTS = {
  work: saveWork('done'),
  file: markStored('done'),
  entry: insertEntries('done'),
  event: insertEvents(3, 'WHERE subject_id = ANY (ARRAY(SELECT id FROM ended))'),
}
type Part = keyof typeof PARTS

const texts = new Map<string, string>()

function textWith(parts: Part[]): string {
  const name = parts.join()
  const text = texts.get(name) ?? COMPLETE_JOBS(parts.map((part) => `, ${PARTS[part]}`).join(''))
  texts.set(name, text)
  return text
}

const describe = ({ lease, result, warnings, platformRequests = 0, file, unsaved, entry }: JobCompletion): object => ({
  ...describeStoredResult(result),
  job_id: lease.jobId,
  token: lease.token,
  platform_requests: platformRequests,
  warnings,
  title: result.videoInfo.title,
  ...(file && describeFile(file)),
  ...(unsaved && describeWork(unsaved)),
  ...(entry && describeEntry(result.videoInfo, entry)),
})

/**
 * Completes different jobs, each once, with everything that follows from it, in one statement: state, result, receipt, usage,
 * event, delivery, and what else a job has. Releases as many of the oldest held jobs of an account in a lane as have ended there.
 * Writes nothing for a job whose lease was lost, and nothing at all if one of the jobs is refused.
 */
export async function completeJobs(sql: Sql, completions: readonly JobCompletion[]): Promise<CompletedJobs> {
  const events = completions.flatMap(({ event }) => event ?? [])
  const parts: Part[] = []
  if (completions.some(({ unsaved }) => unsaved)) parts.push('work')
  if (completions.some(({ file }) => file)) parts.push('file')
  if (completions.some(({ entry }) => entry)) parts.push('entry')
  if (events.length > 0) parts.push('event')
  const { rows } = await sql.query<CompletedJobs>(textWith(parts), [
    completions.map(({ lease }) => lease.jobId),
    JSON.stringify(completions.map(describe)),
    ...(events.length > 0 ? eventValues(events) : []),
  ])
  return rows[0] ?? { completed: [], woken: [] }
}

/** Numbers of the rows of a job on which its result is based. */
export interface ResultBasis {
  summaries: number
  spendings: number
}

const LOCK_CLAIMED = `SELECT FROM jobs WHERE id = $1 AND ${isHeldBy('$2')} FOR NO KEY UPDATE`
const COUNT_BASIS = `SELECT (SELECT count(*)::int FROM job_summaries WHERE job_id = $1) AS summaries,
  (SELECT count(*)::int FROM job_spendings WHERE job_id = $1) AS spendings`

/**
 * Locks a claimed job until the transaction ends, so that nothing can be added to it, and counts its rows. Returns null if the
 * lease was lost.
 */
export async function lockResultBasis(sql: Sql, { jobId, token }: Lease): Promise<ResultBasis | null> {
  // The second statement sees rows that were added while the first one waited for the lock.
  if ((await sql.query(LOCK_CLAIMED, [jobId, token])).rowCount === 0) return null
  return (await sql.query<ResultBasis>(COUNT_BASIS, [jobId])).rows[0] ?? null
}
