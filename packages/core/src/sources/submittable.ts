import { ServiceError, type VideoInfo, validationError } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import type { EpisodeRecording } from '../jobs/job-row.ts'
import { assertListed, getSource } from './sources.ts'
import { findSubmittable, type SubmittableVideo } from './videos-sql.ts'

/** What a job about a video of a source is accepted with. For videos of the platform, the ID is everything. */
export interface VideoSubject {
  videoId: string
  videoUrl?: string
  imported?: EpisodeRecording
}

function describeEpisode({ videoId, title, durationSeconds, publishedAt }: SubmittableVideo, url: string): VideoInfo {
  return {
    video_id: videoId,
    url,
    title,
    channel: { id: '', name: '', url: '' },
    description: '',
    published_at: publishedAt?.toISOString() ?? null,
    duration_seconds: durationSeconds ?? 0,
    thumbnail_url: '',
    language: null,
    is_live_archive: false,
    chapters: [],
    source: { kind: 'podcast' },
  }
}

function toSubject(video: SubmittableVideo): VideoSubject {
  const { videoId, episode } = video
  if (!episode) return { videoId }
  const { url, transcripts, show, description, language } = episode
  const info = { ...describeEpisode(video, url), description, language, channel: { id: '', name: show, url: '' } }
  return { videoId, videoUrl: url, imported: { info, transcripts } }
}

/** Returns what jobs about these videos of a source are accepted with, by their IDs. */
export async function findSubjects(
  { db }: Pick<Context, 'db'>,
  sourceId: string,
  videoIds: readonly string[],
): Promise<Map<string, VideoSubject>> {
  const videos = await findSubmittable(db, sourceId, videoIds)
  return new Map(videos.map((video) => [video.videoId, toSubject(video)]))
}

/** Returns what a job about a video is accepted with. Error: `TRANSCRIPT_UNAVAILABLE` for an episode without a transcript. */
function assertSubject(video: SubmittableVideo): VideoSubject {
  if (video.reason === 'no_captions') {
    throw new ServiceError('TRANSCRIPT_UNAVAILABLE', {
      message: 'The feed names no transcript of this episode.',
      retryable: false,
      details: { reason: 'no_captions' },
    })
  }
  return toSubject(video)
}

/**
 * Returns what a job about a video that a subscription has found is accepted with; null for an episode that is forgotten. One that
 * has left its feed since is not. Error: `TRANSCRIPT_UNAVAILABLE` for an episode without a transcript.
 */
export async function findFollowedSubject(
  { db }: Pick<Context, 'db'>,
  { sourceId, videoId, videoUrl }: { sourceId: string; videoId: string; videoUrl: string | null },
): Promise<VideoSubject | null> {
  if (videoUrl === null) return { videoId }
  const [video] = await findSubmittable(db, sourceId, [videoId])
  return video ? assertSubject(video) : null
}

/**
 * Returns what a job about one video of a source of the actor is accepted with. Errors: those of `listVideos`, `VALIDATION_ERROR`
 * for a video that the source does not list, `TRANSCRIPT_UNAVAILABLE` for an episode without a transcript.
 */
export async function findSubject(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { source_id, video_id }: { source_id: string; video_id: string },
): Promise<VideoSubject> {
  const source = await getSource(ctx, actor, source_id)
  assertListed(source)
  const [video] = await findSubmittable(ctx.db, source.sourceId, [video_id])
  if (!video || video.isGone) {
    const message = 'Is not a video that the source lists.'
    throw validationError([{ path: 'source.video_id', message, code: 'unknown_video' }])
  }
  return assertSubject(video)
}
