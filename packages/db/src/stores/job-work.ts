import { type Spending, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import {
  acquireIf,
  type LeaseOutcome,
  type LeaseRequest,
  leaseValues,
  RELEASE_LEASE,
  toLeaseOutcome,
} from './leases.ts'
import { fromRow, type JobSummary, type SpendingRow, SUMMARY_COLUMNS, type SummaryRow, usageOf } from './summaries.ts'

/** A key under which a summary that a job asks for may be stored. */
export interface WantedSummary {
  mode: SummaryMode
  cacheKey: Buffer
}

export interface KnownSummaries {
  /** Modes whose summaries the job has. */
  own: SummaryMode[]
  /** The newest summary that could be reused for each other mode, of the first key that has any. */
  stored: { id: string; mode: SummaryMode }[]
  /** `held` also if no summary is missing. */
  lease: LeaseOutcome
}

const FIND_OR_ACQUIRE = `
WITH own AS (
  SELECT mode FROM job_summaries WHERE job_id = $4
), wanted AS (
  SELECT * FROM unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS w(mode, cache_key, rank)
  WHERE mode NOT IN (SELECT mode FROM own)
), stored AS (
  SELECT DISTINCT ON (wanted.mode) newest.id, wanted.mode FROM wanted CROSS JOIN LATERAL (
    SELECT id FROM summaries s WHERE s.cache_key = wanted.cache_key AND s.created_at >= $7
    ORDER BY s.created_at DESC LIMIT 1
  ) newest ORDER BY wanted.mode, wanted.rank
), lease AS (
  ${acquireIf('(SELECT count(DISTINCT mode) FROM wanted) > (SELECT count(*) FROM stored)')}
)
SELECT ARRAY(SELECT mode FROM own) AS own, ARRAY(SELECT to_jsonb(stored) FROM stored) AS stored, taken_over AS "takenOver"
FROM (VALUES (1)) AS one LEFT JOIN lease ON true`

/**
 * Finds the summaries that a job has and those written at or after `notBefore` that it could reuse. `wanted` may name several
 * keys of a mode, the preferred one first. If a summary is missing, acquires the lease, in the same statement.
 */
export async function findSummariesOrAcquire(
  sql: Sql,
  { jobId, wanted, notBefore }: { jobId: string; wanted: WantedSummary[]; notBefore: Date },
  lease: LeaseRequest,
): Promise<KnownSummaries> {
  const { rows } = await sql.query<Omit<KnownSummaries, 'lease'> & { takenOver: boolean | null }>(FIND_OR_ACQUIRE, [
    ...leaseValues(lease),
    jobId,
    wanted.map(({ mode }) => mode),
    wanted.map(({ cacheKey }) => cacheKey),
    notBefore,
  ])
  const { own = [], stored = [], takenOver } = rows[0] ?? {}
  return { own, stored, lease: toLeaseOutcome(takenOver) }
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

const listWork = (jobId: string): string => `
SELECT ${SUMMARY_COLUMNS}, j.reused, NULL AS purpose
FROM job_summaries j JOIN summaries s ON s.id = j.summary_id WHERE j.job_id = ${jobId}
UNION ALL
SELECT id, NULL, mode, model, NULL, NULL, input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd::float8,
  NULL, purpose
FROM job_spendings WHERE job_id = ${jobId}`

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
  const work: JobWork = { summaries: [], spendings: [] }
  for (const row of rows.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (row.purpose === null) work.summaries.push({ ...fromRow(row), reused: row.reused })
    else {
      const { purpose, mode, model } = row
      work.spendings.push({ purpose, mode, model, usage: usageOf(row) })
    }
  }
  const orderOf = ({ mode }: JobSummary): number => SUMMARY_MODES.indexOf(mode)
  work.summaries.sort((a, b) => orderOf(a) - orderOf(b))
  return work
}
