import { API_PREFIX, type Digest, type DigestCoverage, type DigestPoint, ServiceError } from '@subtext/contracts'
import type { StoredDigest, StoredDigestPoint } from '@subtext/core/digests'
import { videoUrlOf } from '@subtext/core/videos'
import { buildWatchUrl, type RenderableDigest } from '@subtext/render'

export const digestPath = (digestId: string): string => `${API_PREFIX}/digests/${digestId}`

const NOTHING: DigestCoverage = { videos: 0, failed: 0, points: 0, points_used: 0 }

const presentPoint = ({ text, citations }: StoredDigestPoint): DigestPoint => ({
  text,
  citations: citations.map(({ jobId, segmentId, startMs, place }) => ({
    job_id: jobId,
    segment_id: segmentId,
    start: startMs / 1_000,
    url: buildWatchUrl(place, startMs),
  })),
})

/** Presents a digest. Its lists are empty until it is completed. */
export function presentDigest({ id, batchId, status, error, content, createdAt, completedAt }: StoredDigest): Digest {
  const { code, message, retryable } = new ServiceError(error?.code ?? 'INTERNAL_ERROR')
  return {
    digest_id: id,
    batch_id: batchId,
    status,
    ...(error && { error: { code, message, retryable } }),
    themes: (content?.themes ?? []).map(({ title, points }) => ({ title, points: points.map(presentPoint) })),
    disagreements: (content?.disagreements ?? []).map(({ question, positions }) => ({
      question,
      positions: positions.map(presentPoint),
    })),
    videos: (content?.videos ?? []).map((video) => ({
      job_id: video.jobId,
      video_id: video.videoId,
      video_url: videoUrlOf(video),
      video_title: video.title,
      status: video.status,
      ...(video.oneLine !== undefined && { one_line: video.oneLine }),
    })),
    coverage: content
      ? {
          videos: content.coverage.videos,
          failed: content.coverage.failed,
          points: content.coverage.points,
          points_used: content.coverage.pointsUsed,
        }
      : NOTHING,
    created_at: createdAt.toISOString(),
    ...(completedAt && { completed_at: completedAt.toISOString() }),
    ...(content && content.warnings.length > 0 && { warnings: content.warnings }),
  }
}

/** Returns a completed digest as the documents have it. */
export const toRenderableDigest = (digest: StoredDigest): RenderableDigest => ({
  ...presentDigest(digest),
  language: digest.content?.language ?? 'en',
})
