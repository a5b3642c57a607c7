import type { NewSummary, StoredSummary } from './summaries-sql.ts'

/** Summaries that a job has, and that are stored together with its end. */
export interface UnsavedWork {
  /** Written by the job. They cost nothing. */
  written: NewSummary[]
  /** Written before, with whether another job of the account has them. */
  reused: { summary: Pick<StoredSummary, 'id' | 'mode'>; isOwn: boolean }[]
}

/** The columns of this work as `describeWork` returns them. */
export const WORK_COLUMNS = 'written jsonb, added jsonb'

/** Returns the rows of this work, to be sent as JSON. */
export const describeWork = ({ written, reused }: UnsavedWork) => ({
  written: written.map(({ cacheKey, transcriptId, usage, quality, ...summary }) => ({
    ...summary,
    cache_key: `\\x${cacheKey.toString('hex')}`,
    transcript_id: transcriptId,
    quality,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cost_usd: usage.costUsd,
  })),
  added: [
    ...written.map(({ id, mode }) => ({ id, mode, reused: false, shared: false })),
    ...reused.map(({ summary: { id, mode }, isOwn }) => ({ id, mode, reused: isOwn, shared: !isOwn })),
  ],
})

/**
 * The parts of a statement that store this work of the jobs in `ended`, which has the columns of `WORK_COLUMNS`. The jobs must have
 * no summaries of these modes. A job ends only once, so that a repeated statement writes nothing.
 */
export const saveWork = (ended: string): string => `written AS (
  INSERT INTO summaries (id, cache_key, transcript_id, mode, model, content, quality, input_tokens, output_tokens,
    cached_tokens, cache_write_tokens, cost_usd, created_at)
  SELECT w.*, now() FROM ${ended} CROSS JOIN jsonb_to_recordset(${ended}.written) AS w(id uuid, cache_key bytea,
    transcript_id uuid, mode text, model text, content jsonb, quality jsonb, input_tokens int, output_tokens int,
    cached_tokens int, cache_write_tokens int, cost_usd numeric)
), added AS (
  INSERT INTO job_summaries (job_id, mode, summary_id, reused, shared, created_at)
  SELECT ${ended}.id, w.mode, w.id, w.reused, w.shared, now()
  FROM ${ended} CROSS JOIN jsonb_to_recordset(${ended}.added) AS w(mode text, id uuid, reused boolean, shared boolean)
)`
