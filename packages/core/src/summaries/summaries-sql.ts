import {
  type Spending,
  SUMMARY_MODES,
  type Summary,
  type SummaryContent,
  type SummaryMode,
  type SummaryQuality,
  type SummaryUsage,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { IS_UNFINISHED } from '../jobs/job-row.ts'

export interface StoredSummary extends Summary {
  id: string
  /** The transcript to which its citations refer. */
  transcriptId: string
}

export const SUMMARY_COLUMNS = `s.id, s.transcript_id, s.mode, s.model, s.content, s.quality, s.input_tokens, s.output_tokens, s.cached_tokens,
  s.cache_write_tokens, s.cost_usd::float8 AS cost_usd`

export interface SpendingRow {
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  cost_usd: number
}

export interface SummaryRow extends SpendingRow {
  id: string
  transcript_id: string
  mode: SummaryMode
  model: string
  content: SummaryContent
  quality: SummaryQuality | null
}

export const usageOf = (row: SpendingRow): SummaryUsage => ({
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cachedInputTokens: row.cached_tokens,
  cacheWriteTokens: row.cache_write_tokens,
  costUsd: row.cost_usd,
})

export const fromRow = (row: SummaryRow): StoredSummary => ({
  id: row.id,
  transcriptId: row.transcript_id,
  mode: row.mode,
  model: row.model,
  content: row.content,
  quality: row.quality,
  usage: usageOf(row),
})

// Does nothing if one with the same key was written at or after $12.
export const STORE_SUMMARY = `existing AS (
  SELECT id, cost_usd FROM summaries WHERE cache_key = $2 AND created_at >= $12 ORDER BY created_at DESC LIMIT 1
), added AS (
  INSERT INTO summaries (id, cache_key, transcript_id, mode, model, content, input_tokens, output_tokens,
    cached_tokens, cache_write_tokens, cost_usd, quality, created_at)
  SELECT $1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $13::jsonb, now() WHERE NOT EXISTS (SELECT FROM existing)
  ON CONFLICT (id) DO NOTHING
)`

export type NewSummary = StoredSummary & { cacheKey: Buffer }

export const summaryValues = (summary: NewSummary, notBefore: Date | undefined): unknown[] => {
  const { usage, quality } = summary
  return [
    summary.id,
    summary.cacheKey,
    summary.transcriptId,
    summary.mode,
    summary.model,
    JSON.stringify(summary.content),
    usage.inputTokens,
    usage.outputTokens,
    usage.cachedInputTokens,
    usage.cacheWriteTokens,
    usage.costUsd,
    notBefore,
    quality ? JSON.stringify(quality) : null,
  ]
}

/**
 * Stores a summary, unless one with the same key was written at or after `notBefore`. Returns the ID of the stored one.
 * May be repeated with the same ID, because a statement that timed out may still be executed later.
 */
export async function saveSummary(sql: Sql, summary: NewSummary, notBefore?: Date): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `WITH ${STORE_SUMMARY} SELECT id FROM existing`,
    summaryValues(summary, notBefore),
  )
  return rows[0]?.id ?? summary.id
}

// Does nothing if the job has a summary of this mode, or has ended: its cost has been counted then. The lock makes one of the
// two transactions wait.
export const addToJob = (jobId: string, values: string): string => `
INSERT INTO job_summaries (job_id, mode, summary_id, reused, created_at)
SELECT id, ${values}, now() FROM jobs WHERE id = ${jobId} AND ${IS_UNFINISHED} FOR SHARE
ON CONFLICT DO NOTHING`

/**
 * Adds a summary to a job, unless the job has one of this mode or has ended. `reused`: it existed before and costs the
 * account nothing.
 */
export async function addJobSummary(
  sql: Sql,
  entry: { jobId: string; mode: SummaryMode; summaryId: string; reused: boolean },
): Promise<void> {
  await sql.query(addToJob('$1', '$2, $3, $4'), [entry.jobId, entry.mode, entry.summaryId, entry.reused])
}

export interface JobSummary extends StoredSummary {
  reused: boolean
}

/** Compares summaries by the order of `SUMMARY_MODES`. */
export const byMode = (one: Summary, other: Summary): number =>
  SUMMARY_MODES.indexOf(one.mode) - SUMMARY_MODES.indexOf(other.mode)

/** Lists the summaries of a job in the order of `SUMMARY_MODES`. */
export async function listJobSummaries(sql: Sql, jobId: string): Promise<JobSummary[]> {
  const { rows } = await sql.query<SummaryRow & { reused: boolean }>(
    `SELECT ${SUMMARY_COLUMNS}, j.reused FROM job_summaries j JOIN summaries s ON s.id = j.summary_id WHERE j.job_id = $1`,
    [jobId],
  )
  return rows.map((row) => ({ ...fromRow(row), reused: row.reused })).sort(byMode)
}

/**
 * Records what a job paid for besides its summaries. May be repeated with the same ID. Like `addJobSummary`, adds
 * nothing to a job that has ended. Returns whether it has added something now.
 */
export async function addJobSpending(sql: Sql, entry: Spending & { id: string; jobId: string }): Promise<boolean> {
  const { usage } = entry
  const { rowCount } = await sql.query(
    `INSERT INTO job_spendings (id, job_id, purpose, mode, model, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, cost_usd, created_at)
     SELECT $2, id, $3, $4, $5, $6, $7, $8, $9, $10, now()
     FROM jobs WHERE id = $1 AND ${IS_UNFINISHED} FOR SHARE
     ON CONFLICT (id) DO NOTHING`,
    [
      entry.jobId,
      entry.id,
      entry.purpose,
      entry.mode,
      entry.model,
      usage.inputTokens,
      usage.outputTokens,
      usage.cachedInputTokens,
      usage.cacheWriteTokens,
      usage.costUsd,
    ],
  )
  return rowCount > 0
}
