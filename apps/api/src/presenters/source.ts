import {
  API_PREFIX,
  type ServiceError,
  type Source,
  type SourceVideo,
  type SourceVideoReason,
} from '@subtext/contracts'
import { type AccountSource, type StoredSourceVideo, sourceErrorOf, sourceUrlOf, statusOf } from '@subtext/core/sources'
import { videoUrlOf } from '@subtext/core/videos'

export const sourcePath = (id: string): string => `${API_PREFIX}/sources/${id}`

/** `origin`: that of the installation. */
export function presentSource(source: AccountSource, origin: string): Source {
  const { id, kind, platformId, title, listedAt, videosTotal, truncated, withTranscript } = source
  const status = statusOf(source)
  const error = sourceErrorOf(source)
  return {
    source_id: id,
    kind: kind === 'name' ? 'channel' : kind,
    url: sourceUrlOf({ kind, id: platformId }, origin),
    ...(title !== null && { title }),
    status,
    ...(status === 'ready' && { listed_at: listedAt?.toISOString(), videos_total: videosTotal, truncated }),
    ...(status === 'ready' &&
      withTranscript !== null && { coverage: { episodes: videosTotal, with_transcript: withTranscript } }),
    ...(error && { error: presentSourceError(error) }),
  }
}

export const presentSourceError = ({
  code,
  message,
  retryable,
  details,
}: ServiceError): NonNullable<Source['error']> => ({
  code,
  message,
  retryable,
  ...(details && { details }),
})

export function presentSourceVideo(video: StoredSourceVideo): SourceVideo {
  const { videoId, title, durationSeconds, publishedAt, isApproximate, position, type, reason, url, jobId, jobStatus } =
    video
  return {
    video_id: videoId,
    video_url: videoUrlOf({ videoId, videoUrl: url }),
    title,
    ...(durationSeconds !== null && { duration_seconds: durationSeconds }),
    ...(publishedAt && { published_at: publishedAt.toISOString() }),
    ...(publishedAt && isApproximate && { published_at_approximate: true }),
    position,
    type,
    state: reason === null ? 'listed' : 'unavailable',
    ...(reason !== null && { reason: reason as SourceVideoReason }),
    ...(jobId !== null && { job_id: jobId }),
    ...(jobStatus !== null && { job_status: jobStatus }),
  }
}
