import type { BatchJob, BatchStats } from '@subtext/contracts'
import { videoUrlOf } from '../videos/video-url.ts'
import type { StoredBatch, StoredBatchJob } from './batches-sql.ts'

/** Returns the counters of a batch under their names in the API. */
export const describeBatchStats = ({
  total,
  pending,
  processing,
  succeeded,
  failed,
}: Pick<StoredBatch, 'total' | 'pending' | 'processing' | 'succeeded' | 'failed'>): BatchStats => ({
  total,
  queued: pending - processing,
  processing,
  successful: succeeded,
  failed,
})

/** Returns what is shown of a job in its batch; the API and the webhook share it. */
export const describeBatchJob = ({
  index,
  id,
  videoId,
  videoTitle,
  videoUrl,
  status,
  progress,
  error,
}: StoredBatchJob): BatchJob => ({
  index,
  job_id: id,
  video_id: videoId,
  video_url: videoUrlOf({ videoId, videoUrl }),
  ...(videoTitle !== null && { video_title: videoTitle }),
  status,
  progress_percentage: progress,
  ...(error && { error }),
})
