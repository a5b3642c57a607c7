import { randomUUID } from 'node:crypto'
import type { VideoInfo } from '@subtext/contracts'
import { describeEntry, insertEntries } from '@subtext/core/library'
import { saveTranscript } from '@subtext/core/transcripts'
import { buildIndexTerms, foldTranscript } from '@subtext/search'
import { v7 as newId } from 'uuid'
import { buildVideo, TRACK } from '../sample-results.ts'
import type { TestBed } from '../test-bed.ts'
import type { SaidVideo } from './corpus.ts'

const ADD_JOB = `
WITH job AS (
  INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
    started_at, completed_at)
  VALUES ($1, $2, 'completed', 'normal', 'normal', $3, '{}', 100, 'completed', now(), now(), now(), now(), now())
)
INSERT INTO results (job_id, transcript_id, cue_count, truncated, selection_reason, video_info, cited_starts, usage, processing_ms,
  completed_at) VALUES ($1, $4, $5, false, '', $6, '{}', '{}', 0, now())`

const ADD_ENTRY = `
WITH done AS (
  SELECT $1::uuid AS "userId", $2::text AS video_id, $3::uuid AS id, $4::uuid AS transcript_id, $5::int AS cue_count,
    now() AS completed_at, $6::jsonb AS library
), ${insertEntries('done')} SELECT`

const noPace = async (): Promise<void> => {}

/** What a video costs besides its job: CPU time to list its words, and the time of the statement that stores them. */
export interface IndexCost {
  cpuMs: number
  storeMs: number
}

/** Stores a completed job about a video, with its entry in the library. */
export async function seedVideo(
  { db }: TestBed,
  userId: string,
  video: SaidVideo,
): Promise<IndexCost & { jobId: string }> {
  const { videoId, language, cues } = video
  const jobId = newId()
  const info: VideoInfo = { ...buildVideo(videoId), channel: { id: 'c', name: 'Channel', url: '' } }
  const transcript = await saveTranscript(db, { id: randomUUID(), videoId, track: { ...TRACK, language }, cues })
  await db.query(ADD_JOB, [jobId, userId, videoId, transcript.id, cues.length, JSON.stringify(info)])
  const before = process.cpuUsage()
  const terms = await buildIndexTerms(await foldTranscript(cues, language, noPace), noPace)
  const { user, system } = process.cpuUsage(before)
  const { library } = describeEntry(info, { language, ...terms })
  const start = performance.now()
  await db.query(ADD_ENTRY, [userId, videoId, jobId, transcript.id, cues.length, JSON.stringify(library)])
  return { jobId, cpuMs: (user + system) / 1_000, storeMs: performance.now() - start }
}
