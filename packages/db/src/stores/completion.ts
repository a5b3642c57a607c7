import type { Warning } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { markStored, type RegisteredBlob, storedBlobValues } from './blobs.ts'
import { takeHeldOf } from './job-shares.ts'
import { END, endValues, isHeldBy, type Lease, type WakeableJob } from './jobs.ts'
import { insertResult, resultValues, type StoredResult } from './results.ts'
import { saveWork, type UnsavedWork, unsavedValues } from './unsaved-work.ts'
import { APPEND_USAGE } from './usage-additions.ts'
import { eventValues, insertEvent, type NewWebhookEvent } from './webhooks.ts'

export interface Completion {
  result: StoredResult
  warnings: Warning[]
  /** Null for a job without a webhook. */
  event: NewWebhookEvent | null
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
  /** A file of the job that has been stored. */
  file?: RegisteredBlob | null
  /** Summaries of the job that are not stored yet. */
  unsaved?: UnsavedWork | null
}

export interface CompletedJob {
  /** Another job of the account, held back in the lane until now, to be woken. */
  woken: WakeableJob | null
}

const TITLE = 8
const RESULT = 9
const FIRST_OF_PARTS = 18

const count = (usage: string, name: string, type: string): string => `coalesce((${usage}->>'${name}')::${type}, 0)`

/** Returns the columns of an entry about the usage of a result, which is a term of type `jsonb`. Zeros may be left out. */
export const usageColumns = (usage: string): string =>
  ['input_tokens', 'output_tokens', 'cached_input_tokens']
    .map((name) => count(usage, name, 'int'))
    .concat(count(usage, 'cost_usd', 'numeric'))
    .join(', ')

// The usage of the result is its seventh value.
const USAGE = `$${RESULT + 6}::jsonb`

// Every column that is returned costs time, and the caller has the job.
const COMPLETE = (parts: string): string => `
WITH ended AS (
  UPDATE jobs SET ${END}, video_title = coalesce($${TITLE}, video_title)
  WHERE id = $1 AND ${isHeldBy('$2')}
  RETURNING id, user_id AS "userId", api_key_id AS "apiKeyId", lane, status, completed_at AS "completedAt"
), result AS (
  ${insertResult(RESULT)}
), entry AS (
  INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens, cached_input_tokens, cost_usd,
    created_at)
  SELECT id, "userId", "apiKeyId", status::text, ${usageColumns(USAGE)}, "completedAt" FROM ended
  RETURNING *
), appended AS (${APPEND_USAGE}
), ${takeHeldOf('ended')}${parts}
SELECT (SELECT to_jsonb(woken) FROM woken) AS woken FROM ended`

/** The parts of the statement after `ended` that only some jobs need, with the values of their parameters from `first` on. */
interface Part {
  name: string
  values: unknown[]
  write(first: number): string
}

function listParts({ event, file, unsaved }: Completion): Part[] {
  const parts: Part[] = []
  if (unsaved) {
    const write = (first: number): string =>
      saveWork('ended', { written: `$${first}::jsonb`, added: `$${first + 1}::jsonb` })
    parts.push({ name: 'work', values: unsavedValues(unsaved), write })
  }
  if (file) parts.push({ name: 'file', values: storedBlobValues(file), write: (first) => markStored('ended', first) })
  if (event) parts.push({ name: 'event', values: eventValues(event), write: (first) => insertEvent('ended', first) })
  return parts
}

const texts = new Map<string, string>()

function textOf(parts: Part[]): string {
  const name = parts.map((part) => part.name).join()
  const known = texts.get(name)
  if (known) return known
  let first = FIRST_OF_PARTS
  const written = parts.map(({ write, values }) => {
    first += values.length
    return `, ${write(first - values.length)}`
  })
  const text = COMPLETE(written.join(''))
  texts.set(name, text)
  return text
}

/**
 * Completes a job, once, with everything that follows from it, in one statement: state, result, receipt, usage, event,
 * delivery, and what else the job has. Releases the account's oldest held job of the lane, as `takeHeldJobOf` does. Returns
 * null if the lease was lost; nothing is written then.
 */
export async function completeClaimedJob(sql: Sql, lease: Lease, completion: Completion): Promise<CompletedJob | null> {
  const { result, warnings, platformRequests } = completion
  const { completedAt } = result
  const end = endValues({ status: 'completed', error: null, warnings, completedAt, platformRequests })
  const parts = listParts(completion)
  const { rows } = await sql.query<CompletedJob>(textOf(parts), [
    lease.jobId,
    lease.token,
    ...end,
    result.videoInfo.title ?? null,
    ...resultValues(result),
    ...parts.flatMap(({ values }) => values),
  ])
  return rows[0] ?? null
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
