import type { CaptionTrack, SummaryContent, VideoInfo } from '@subtext/contracts'
import { buildSpeech, newVideoInfo } from '@subtext/contracts/testing'
import { saveSummary } from '@subtext/core/summaries'
import { saveResult } from '@subtext/core/testing'
import { saveTranscript } from '@subtext/core/transcripts'
import { v7 as newId } from 'uuid'
import type { TestBed } from './test-bed.ts'

export interface SampleResult {
  jobId: string
}

const VIDEO_ID = 'dQw4w9WgXcQ'

export const buildVideo = (videoId: string): VideoInfo => ({
  ...newVideoInfo(videoId),
  title: 'How rivers find their way to the sea',
  duration_seconds: 3_600,
  chapters: [{ title: 'Start', start: 0 }],
})

export const TRACK: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }

export const CONTENT: SummaryContent = {
  overview: [{ text: 'Rivers follow the slope.', segmentIds: [1, 2] }],
  sections: [{ heading: 'Why', points: [{ text: 'Water is heavy.', segmentIds: [2] }] }],
}

export const NO_USAGE = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }

const INSERT_COMPLETED = `
INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
  started_at, completed_at)
VALUES ($1, $2, 'completed', 'normal', 'normal', $3, '{}', 100, 'completed', now(), now(), now(), now(), now())`

/** Stores, in both databases, a completed job, and in ours with its summary, its result and a transcript of this size. */
export async function seedResult({ db, baseline }: TestBed, userId: string, textBytes: number): Promise<SampleResult> {
  const jobId = newId()
  const values = [jobId, userId, VIDEO_ID]
  await Promise.all([db.query(INSERT_COMPLETED, values), baseline.query(INSERT_COMPLETED, values)])
  const cues = buildSpeech(textBytes)
  const transcript = await saveTranscript(db, { id: newId(), videoId: VIDEO_ID, track: TRACK, cues })
  const summaryId = newId()
  const cacheKey = Buffer.from(summaryId)
  await saveSummary(db, {
    id: summaryId,
    cacheKey,
    transcriptId: transcript.id,
    mode: 'tldr',
    model: 'none',
    content: CONTENT,
    usage: NO_USAGE,
  })
  await db.query(`INSERT INTO job_summaries VALUES ($1, 'tldr', $2, false, now())`, [jobId, summaryId])
  await saveResult(db, {
    jobId,
    transcriptId: transcript.id,
    cueCount: cues.length,
    truncated: false,
    selectionReason: 'manual_spoken_language',
    videoInfo: buildVideo(VIDEO_ID),
    citedStarts: Object.fromEntries(cues.slice(0, 2).map(({ startMs }, index) => [index + 1, startMs])),
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 0,
      total_tokens: 0,
      cost_usd: 0,
      model: 'none',
      cached: false,
    },
    processingMs: 1_000,
    completedAt: new Date(),
  })
  return { jobId }
}

const COPY = `
WITH ids AS (
  SELECT unnest($2::uuid[]) AS id
), copied AS (
  INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
    started_at, completed_at)
  SELECT ids.id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
    started_at, completed_at FROM jobs, ids WHERE jobs.id = $1
), summarized AS (
  INSERT INTO job_summaries (job_id, mode, summary_id, reused, created_at)
  SELECT ids.id, mode, summary_id, reused, created_at FROM job_summaries, ids WHERE job_id = $1
)
INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, processing_ms,
  completed_at)
SELECT ids.id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, processing_ms, completed_at
FROM results, ids WHERE job_id = $1`

/** Stores jobs with the same result in our database. Returns their IDs. */
export async function copyResult({ db }: TestBed, { jobId }: SampleResult, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await db.query(COPY, [jobId, ids])
  return ids
}
