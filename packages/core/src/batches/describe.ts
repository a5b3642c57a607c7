import type { BatchStats, BatchJob as WireJob } from '@subtext/contracts'
import type { Batch, BatchJob } from '@subtext/db'
import { canonicalVideoUrl } from '../videos/video-url.ts'

/** The counters of a batch by their names on the wire. */
export const describeBatchStats = ({
  total,
  pending,
  processing,
  succeeded,
  failed,
}: Pick<Batch, 'total' | 'pending' | 'processing' | 'succeeded' | 'failed'>): BatchStats => ({
  total,
  queued: pending - processing,
  processing,
  successful: succeeded,
  failed,
})

/** A job within its batch; the same for the API and for the webhook. */
export const describeBatchJob = ({ index, id, videoId, status, progress, error }: BatchJob): WireJob => ({
  index,
  job_id: id,
  video_id: videoId,
  video_url: canonicalVideoUrl(videoId),
  status,
  progress_percentage: progress,
  ...(error && { error }),
})
