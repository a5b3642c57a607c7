import type { Sql } from '@subtext/db'
import type { QuotaPeriods } from '../plans/index.ts'
import { ACCEPT_BATCH, ACCEPT_JOBS } from './accept-statement-sql.ts'
import type { NewJob } from './job-row.ts'

/** A job of a batch, with its position in it (from 0). */
export interface NewBatchJob extends NewJob {
  batchId: string
  batchIndex: number
}

/** A batch to be accepted together with all of its jobs. */
export interface NewBatch {
  id: string
  userId: string
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
  /** What its jobs together may cost. Default: no limit. */
  maxCostUsd?: number | null
}

export interface AcceptOptions {
  /** The periods whose quotas the jobs count against. */
  periods: QuotaPeriods
  /** The time of acceptance. */
  now: Date
  /** Seconds after which the sweep wakes a job that nothing has claimed. */
  wakeSeconds: number
}

export interface AcceptOutcome {
  accepted: boolean
  /** Whether the ID already existed, so that nothing was written or counted. */
  existed: boolean
  /** Whether it was refused because the account is suspended. */
  suspended: boolean
  /** Videos used in the day and the month after this call. Null for accounts without a quota or without counters. */
  usedDay: number | null
  usedMonth: number | null
}

type OutcomeRow = AcceptOutcome & { position: number }

/** Accepts the jobs that the quotas allow, in one statement. Returns the outcomes in the order of `jobs`. */
export async function acceptJobs(sql: Sql, jobs: readonly NewJob[], options: AcceptOptions): Promise<AcceptOutcome[]> {
  const { rows } = await sql.query<OutcomeRow>(ACCEPT_JOBS, toParameters(jobs, options))
  return rows.sort((one, other) => one.position - other.position).map(toOutcome)
}

/**
 * Accepts a batch and all of its jobs, or nothing, in one statement. The jobs belong to one account and share its
 * quota. Throws when there are no jobs.
 */
export async function acceptBatch(
  sql: Sql,
  batch: NewBatch,
  jobs: readonly NewBatchJob[],
  options: AcceptOptions,
): Promise<AcceptOutcome> {
  const parameters = [...toParameters(jobs, options), JSON.stringify(batch)]
  const { rows } = await sql.query<OutcomeRow>(ACCEPT_BATCH, parameters)
  const [row] = rows
  if (!row) throw new Error('A batch needs at least one job.')
  return toOutcome(row)
}

const toParameters = (jobs: readonly NewJob[], { periods, now, wakeSeconds }: AcceptOptions): unknown[] => [
  JSON.stringify(jobs.map(({ quota, ...job }, position) => ({ ...job, ...quota, position }))),
  periods.day,
  periods.month,
  now,
  wakeSeconds,
]

const toOutcome = ({ position: _, ...outcome }: OutcomeRow): AcceptOutcome => outcome

/** Returns the times at which these jobs were accepted, by ID. */
export async function findCreationTimes(sql: Sql, jobIds: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql.query<{ id: string; createdAt: Date }>(
    'SELECT id, created_at AS "createdAt" FROM jobs WHERE id = ANY ($1::uuid[])',
    [jobIds],
  )
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]))
}
