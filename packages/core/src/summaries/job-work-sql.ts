import type { Spending, SummaryMode } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import {
  acquireIf,
  type LeaseOutcome,
  type LeaseRequest,
  leaseValues,
  RELEASE_LEASE,
  releaseLeaseOf,
  toLeaseOutcome,
} from '../coordination/index.ts'
import { IS_UNFINISHED } from '../jobs/job-row.ts'
import {
  addToJob,
  byMode,
  fromRow,
  type JobSummary,
  type NewSummary,
  type SpendingRow,
  STORE_SUMMARY,
  type StoredSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryValues,
  usageOf,
} from './summaries-sql.ts'

/** A key under which a summary that a job asks for may be stored. */
export interface WantedSummary {
  mode: SummaryMode
  cacheKey: Buffer
}

/** A summary written before that a job could reuse. */
export interface StoredChoice {
  summary: StoredSummary
  /** Whether another job of the same account has it. */
  isOwn: boolean
  /** Whether the account that had it written paid for more than the summary. Only of summaries of other accounts. */
  hasSpendings: boolean
}

export interface KnownSummaries {
  /** Modes whose summaries the job has. */
  own: SummaryMode[]
  /** Whether the job has or has paid for anything. */
  hasWork: boolean
  /** The newest summary that could be reused for each other mode, of the first key that has any. */
  stored: StoredChoice[]
  /** `held` also if no summary is missing, or no lease was requested. */
  lease: LeaseOutcome
}

/**
 * Whether another job of the account has the summary. Looks at one job after another until it finds one, where a join might read
 * all jobs of the account first.
 */
const isOwn = (summaryId: string, jobId: string, userId: string): string => `EXISTS (
    SELECT FROM job_summaries s WHERE s.summary_id = ${summaryId} AND s.job_id <> ${jobId}
      AND EXISTS (SELECT FROM jobs own WHERE own.id = s.job_id AND own.user_id = ${userId} OFFSET 0)
  )`

/**
 * What was paid for a summary besides itself. Calls that were not for one mode count if they were made before it; later ones were
 * for other summaries, or attempts at the infographic.
 */
const joinSpendings = (summaryId: string, mode: string): string => `job_summaries written
  JOIN job_spendings paid ON paid.job_id = written.job_id AND NOT paid.shared AND paid.purpose NOT IN ('infographic', 'extraction')
    AND (paid.mode = ${mode} OR paid.mode IS NULL AND paid.created_at <= written.created_at)
  WHERE written.summary_id = ${summaryId} AND NOT written.reused AND NOT written.shared`

// The arrays come from subqueries, so that the planner does not count their elements and plan again for each call.
const FIND_OR_ACQUIRE = `
WITH own AS MATERIALIZED (
  SELECT mode FROM job_summaries WHERE job_id = $4
), wanted AS MATERIALIZED (
  SELECT * FROM unnest((SELECT $5::text[]), (SELECT $6::bytea[])) WITH ORDINALITY AS w(mode, cache_key, rank)
  WHERE mode NOT IN (SELECT mode FROM own)
), stored AS (
  SELECT DISTINCT ON (wanted.mode) newest.* FROM wanted CROSS JOIN LATERAL (
    SELECT ${SUMMARY_COLUMNS} FROM summaries s WHERE s.cache_key = wanted.cache_key AND s.created_at >= $7
    ORDER BY s.created_at DESC LIMIT 1
  ) newest ORDER BY wanted.mode, wanted.rank
), choice AS MATERIALIZED (
  SELECT stored.*, ${isOwn('stored.id', '$4', '$8')} AS "isOwn" FROM stored
), lease AS (
  ${acquireIf('$1::text IS NOT NULL AND (SELECT count(DISTINCT mode) FROM wanted) > (SELECT count(*) FROM choice)')}
)
SELECT ARRAY(SELECT mode FROM own) AS own,
  EXISTS (SELECT FROM own) OR EXISTS (SELECT FROM job_spendings WHERE job_id = $4) AS "hasWork",
  ARRAY(SELECT to_jsonb(c) FROM (
    SELECT choice.*, NOT "isOwn" AND EXISTS (SELECT FROM ${joinSpendings('choice.id', 'choice.mode')}) AS "hasSpendings"
    FROM choice
  ) c) AS stored, taken_over AS "takenOver"
FROM (VALUES (1)) AS one LEFT JOIN lease ON true`

/** Asks for the summaries that a job has and those written at or after `notBefore` that it could reuse. */
export interface SummaryQuestion {
  jobId: string
  userId: string
  /** May name several keys of a mode, the preferred one first. */
  wanted: WantedSummary[]
  notBefore: Date
}

interface KnownRow extends Pick<KnownSummaries, 'own' | 'hasWork'> {
  stored: (SummaryRow & Omit<StoredChoice, 'summary'>)[]
  takenOver: boolean | null
}

/** Answers a question and, if a summary is missing, acquires the lease, if there is one, in the same statement. */
export async function findSummariesOrAcquire(
  sql: Sql,
  { jobId, userId, wanted, notBefore }: SummaryQuestion,
  lease: LeaseRequest | null,
): Promise<KnownSummaries> {
  const { rows } = await sql.query<KnownRow>(FIND_OR_ACQUIRE, [
    ...(lease ? leaseValues(lease) : [null, null, null]),
    jobId,
    wanted.map(({ mode }) => mode),
    wanted.map(({ cacheKey }) => cacheKey),
    notBefore,
    userId,
  ])
  const { own = [], hasWork = false, stored = [], takenOver } = rows[0] ?? {}
  const choices = stored.map(({ isOwn, hasSpendings, ...row }) => ({ summary: fromRow(row), isOwn, hasSpendings }))
  return { own, hasWork, stored: choices, lease: toLeaseOutcome(takenOver) }
}

export interface JobWork {
  /** In the order of `SUMMARY_MODES`. */
  summaries: JobSummary[]
  /** What the job paid for besides its summaries. */
  spendings: Spending[]
}

type WorkRow =
  | (SummaryRow & { reused: boolean; purpose: null })
  | (SpendingRow & Omit<Spending, 'usage'> & { id: string })

function spendingsOf(table: string): string {
  return `SELECT id, NULL, mode, model, NULL, NULL, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
    cost_usd::float8, NULL, purpose FROM ${table}`
}

const listWork = (jobId: string): string => `
SELECT ${SUMMARY_COLUMNS}, j.reused, NULL AS purpose
FROM job_summaries j JOIN summaries s ON s.id = j.summary_id WHERE j.job_id = ${jobId}
UNION ALL
${spendingsOf('job_spendings')} WHERE job_id = ${jobId}`

const LIST_WORK = listWork('$1')
const LIST_WORK_AND_RELEASE = `WITH released AS (${RELEASE_LEASE}) ${listWork('$3')}`

/** Lists all that a job has and paid for and, with `lease`, releases that lease. */
export async function listJobWork(
  sql: Sql,
  jobId: string,
  lease?: Pick<LeaseRequest, 'key' | 'token'>,
): Promise<JobWork> {
  const { rows } = lease
    ? await sql.query<WorkRow>(LIST_WORK_AND_RELEASE, [lease.key, lease.token, jobId])
    : await sql.query<WorkRow>(LIST_WORK, [jobId])
  return toWork(rows)
}

function toWork(rows: WorkRow[]): JobWork {
  const work: JobWork = { summaries: [], spendings: [] }
  for (const row of rows.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (row.purpose === null) work.summaries.push({ ...fromRow(row), reused: row.reused })
    else {
      const { purpose, mode, model } = row
      work.spendings.push({ purpose, mode, model, usage: usageOf(row) })
    }
  }
  work.summaries.sort(byMode)
  return work
}

/**
 * Adds stored summaries to a job, like `addJobSummary`, and returns what has been added. Who pays for them is a rule of
 * `usage/build-usage.ts`: the job gets the figures of what another account paid, with the calls around it.
 */
export async function addStoredSummaries(
  sql: Sql,
  jobId: string,
  stored: { id: string; mode: SummaryMode }[],
): Promise<JobWork> {
  const values = [jobId, stored.map(({ id }) => id), stored.map(({ mode }) => mode)]
  return toWork((await sql.query<WorkRow>(ADD_STORED, values)).rows)
}

const ADD_STORED = `
WITH job AS (
  SELECT id, user_id FROM jobs WHERE id = $1 AND ${IS_UNFINISHED} FOR SHARE
), origin AS (
  SELECT job.id AS job_id, stored.id AS summary_id, stored.mode, ${isOwn('stored.id', 'job.id', 'job.user_id')} AS is_own
  FROM job CROSS JOIN unnest($2::uuid[], $3::text[]) AS stored(id, mode)
), added AS (
  INSERT INTO job_summaries (job_id, mode, summary_id, reused, shared, created_at)
  SELECT job_id, mode, summary_id, is_own, NOT is_own, now() FROM origin
  ON CONFLICT DO NOTHING
  RETURNING job_id, mode, summary_id, reused, shared
), paid AS (
  INSERT INTO job_spendings (id, job_id, purpose, mode, model, input_tokens, output_tokens, cached_tokens,
    cache_write_tokens, cost_usd, shared, created_at)
  SELECT md5(added.job_id::text || paid.id::text)::uuid, added.job_id, paid.purpose, paid.mode, paid.model,
    paid.input_tokens, paid.output_tokens, paid.cached_tokens, paid.cache_write_tokens, paid.cost_usd, true, now()
  FROM added CROSS JOIN LATERAL (SELECT paid.* FROM ${joinSpendings('added.summary_id', 'added.mode')}) paid
  WHERE added.shared
  ON CONFLICT (id) DO NOTHING
  RETURNING *
)
SELECT ${SUMMARY_COLUMNS}, added.reused, NULL AS purpose FROM added JOIN summaries s ON s.id = added.summary_id
UNION ALL
${spendingsOf('paid')}`

const SAVE_SUMMARY = `${STORE_SUMMARY} ${addToJob('$14', '$4, coalesce((SELECT id FROM existing), $1), false')}
  RETURNING summary_id AS id, coalesce((SELECT cost_usd FROM existing), $11)::float8 AS "costUsd"`
const SAVE_JOB_SUMMARY = `WITH ${SAVE_SUMMARY}`
const SAVE_JOB_SUMMARY_AND_RELEASE = `WITH released AS (
  ${releaseLeaseOf('$15', '$16')}
), ${SAVE_SUMMARY}`

/** Makes all others that store a summary with this key wait until the transaction ends, so that they find it. */
const LOCK_KEY = "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))"

/** The summary that a job has got, and what its receipt says of it. */
export interface AddedSummary {
  id: string
  costUsd: number
}

/**
 * Stores a summary like `saveSummary` and adds it to the job that paid for it like `addJobSummary`, together: a job that finds
 * the summary must also find which account paid for it. With `lease`, releases that lease. Returns the ID and the cost of the
 * summary that has been added, which is another one if a job that ran at the same time has stored its own; null if none was added.
 * One that was paid for is to be saved in a transaction: then it is stored once, whoever else saves one at this moment.
 */
export async function saveJobSummary(
  sql: Sql,
  jobId: string,
  summary: NewSummary,
  notBefore: Date,
  lease?: Pick<LeaseRequest, 'key' | 'token'>,
): Promise<AddedSummary | null> {
  if (summary.usage.costUsd > 0) await sql.query(LOCK_KEY, [summary.cacheKey])
  const values = [...summaryValues(summary, notBefore), jobId]
  const { rows } = lease
    ? await sql.query<AddedSummary>(SAVE_JOB_SUMMARY_AND_RELEASE, [...values, lease.key, lease.token])
    : await sql.query<AddedSummary>(SAVE_JOB_SUMMARY, values)
  return rows[0] ?? null
}
