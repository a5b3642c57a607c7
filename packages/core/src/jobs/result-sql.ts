import type {
  CaptionTrack,
  CleaningReport,
  ResultUsage,
  SelectionReason,
  VideoComment,
  VideoInfo,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { byMode, fromRow, type JobSummary, SUMMARY_COLUMNS, type SummaryRow } from '../summaries/index.ts'
import { packUsage, type StoredUsage, unpackUsage } from './result-usage.ts'

export interface StoredResult {
  jobId: string
  transcriptId: string
  cueCount: number
  truncated: boolean
  selectionReason: SelectionReason
  videoInfo: VideoInfo
  /** Maps the ID of every segment that a summary cites to its start in milliseconds. */
  citedStarts: Record<number, number>
  usage: ResultUsage
  comments?: VideoComment[] | null
  processingMs: number
  completedAt: Date
}

const TYPES: Record<keyof ReturnType<typeof describeStoredResult>, string> = {
  job_id: 'uuid',
  transcript_id: 'uuid',
  cue_count: 'int',
  truncated: 'boolean',
  selection_reason: 'text',
  video_info: 'jsonb',
  cited_starts: 'jsonb',
  usage: 'jsonb',
  comments: 'jsonb',
  processing_ms: 'int',
  completed_at: 'timestamptz',
}
const NAMES = Object.keys(TYPES).join(', ')

/** The columns of results as `describeStoredResult` returns them. */
export const RESULT_COLUMNS = Object.entries(TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

/** The part of a statement that stores the results in `source`, which has the columns of `RESULT_COLUMNS`. */
export const insertResults = (source: string): string => `INSERT INTO results (${NAMES}) SELECT ${NAMES} FROM ${source}`

/** Returns a result as a row, to be sent as JSON. */
export const describeStoredResult = (result: StoredResult) => ({
  job_id: result.jobId,
  transcript_id: result.transcriptId,
  cue_count: result.cueCount,
  truncated: result.truncated,
  selection_reason: result.selectionReason,
  video_info: result.videoInfo,
  cited_starts: result.citedStarts,
  usage: packUsage(result.usage),
  comments: result.comments,
  processing_ms: result.processingMs,
  completed_at: result.completedAt,
})

/** A result with data of its transcript. */
export interface FoundResult extends StoredResult {
  track: CaptionTrack
  cleaning: CleaningReport | null
}

const COLUMNS = `r.job_id AS "jobId", r.transcript_id AS "transcriptId", r.cue_count AS "cueCount", r.truncated,
  r.selection_reason AS "selectionReason", r.video_info AS "videoInfo", r.cited_starts AS "citedStarts", r.usage,
  r.comments, r.processing_ms AS "processingMs", r.completed_at AS "completedAt", t.track, t.cleaning`

type ResultRow = Omit<FoundResult, 'usage'> & { usage: StoredUsage }

const toResult = (row: ResultRow): FoundResult => ({ ...row, usage: unpackUsage(row.usage) })

/** Finds the result of a job. The caller must have checked the owner. */
export async function findResult(sql: Sql, jobId: string): Promise<FoundResult | null> {
  const { rows } = await sql.query<ResultRow>(
    `SELECT ${COLUMNS} FROM results r JOIN transcripts t ON t.id = r.transcript_id WHERE r.job_id = $1`,
    [jobId],
  )
  return rows[0] ? toResult(rows[0]) : null
}

export interface SummarizedResult extends FoundResult {
  /** In the order of `SUMMARY_MODES`. */
  summaries: JobSummary[]
}

/** Finds the result of a job with its summaries. The caller must have checked the owner. */
export async function findSummarizedResult(sql: Sql, jobId: string): Promise<SummarizedResult | null> {
  const { rows } = await sql.query<ResultRow & { summaries: (SummaryRow & { reused: boolean })[] | null }>(
    `SELECT ${COLUMNS}, (
       SELECT json_agg(summary) FROM (
         SELECT ${SUMMARY_COLUMNS}, j.reused FROM job_summaries j JOIN summaries s ON s.id = j.summary_id WHERE j.job_id = r.job_id
       ) summary
     ) AS summaries
     FROM results r JOIN transcripts t ON t.id = r.transcript_id WHERE r.job_id = $1`,
    [jobId],
  )
  const [row] = rows
  if (!row) return null
  const { summaries, ...result } = row
  const own = (summaries ?? []).map((each) => ({ ...fromRow(each), reused: each.reused }))
  return { ...toResult(result), summaries: own.sort(byMode) }
}
