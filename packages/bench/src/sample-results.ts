import type { CaptionTrack, SummaryContent, VideoInfo } from '@subtext/contracts'
import { buildSpeech, newVideoInfo } from '@subtext/contracts/testing'
import { saveSummary } from '@subtext/core/summaries'
import { saveResult } from '@subtext/core/testing'
import { saveTranscript } from '@subtext/core/transcripts'
import { v7 as newId } from 'uuid'
import type { TestBed } from './test-bed.ts'

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

// IDs increase with time, like those of the service.
const INSERT_COMPLETED = `
INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
  started_at, completed_at)
SELECT id, user_id, 'completed', 'normal', 'normal', $3, '{}', 100, 'completed', now(), now(), now(), now(), now()
FROM unnest($1::uuid[], $2::uuid[]) AS j(id, user_id)`
const COUNT_ACCEPTED = `
UPDATE users SET jobs_accepted = added.jobs
FROM (SELECT user_id, count(*) AS jobs FROM jobs GROUP BY user_id) AS added WHERE users.id = added.user_id`

interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>
}

/** Stores completed jobs without results in both databases, one for each of the users. Returns their IDs. */
export async function seedJobs({ db, baseline }: TestBed, userIds: string[]): Promise<string[]> {
  const ids = userIds.map(() => newId())
  const databases: Database[] = [db, baseline]
  for (const database of databases) {
    await database.query(INSERT_COMPLETED, [ids, userIds, VIDEO_ID])
    await database.query(COUNT_ACCEPTED)
    await database.query('VACUUM ANALYZE')
  }
  return ids
}

const COPY = `
WITH ids AS (
  SELECT unnest($2::uuid[]) AS id
), summarized AS (
  INSERT INTO job_summaries (job_id, mode, summary_id, reused, created_at)
  SELECT ids.id, mode, summary_id, reused, created_at FROM job_summaries, ids WHERE job_id = $1
)
INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, processing_ms,
  completed_at)
SELECT ids.id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, processing_ms, completed_at
FROM results, ids WHERE job_id = $1`

/**
 * Stores completed jobs in both databases, one for each of the users, and in ours with results that share a summary and a
 * transcript of this size. Returns their IDs.
 */
export async function seedResults(testBed: TestBed, userIds: string[], textBytes: number): Promise<string[]> {
  const { db } = testBed
  const ids = await seedJobs(testBed, userIds)
  const [jobId = '', ...others] = ids
  const cues = buildSpeech(textBytes)
  const transcript = await saveTranscript(db, { id: newId(), videoId: VIDEO_ID, track: TRACK, cues })
  const summaryId = newId()
  await saveSummary(db, {
    id: summaryId,
    cacheKey: Buffer.from(summaryId),
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
  await db.query(COPY, [jobId, others])
  return ids
}
