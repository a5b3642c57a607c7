import { API_PREFIX, type Job as WireJob, type SubmittedJob as WireSubmittedJob } from '@subtext/contracts'
import { describeAttribution, type ShownJob, type SubmittedJob } from '@subtext/core/jobs'
import { canonicalVideoUrl } from '@subtext/core/videos'

export const statusPath = (jobId: string): string => `${API_PREFIX}/videos/status/${jobId}`
export const resultPath = (jobId: string): string => `${API_PREFIX}/videos/result/${jobId}`

export const presentSubmittedJob = (job: SubmittedJob, publicBaseUrl: string): WireSubmittedJob => ({
  job_id: job.jobId,
  status: 'queued',
  video_id: job.videoId,
  video_url: job.videoUrl,
  priority: job.priority,
  ...(job.derivedFrom !== null && { derived_from: job.derivedFrom }),
  status_url: `${publicBaseUrl}${statusPath(job.jobId)}`,
  result_url: `${publicBaseUrl}${resultPath(job.jobId)}`,
  created_at: job.createdAt.toISOString(),
  ...describeAttribution(job),
})

/** `remainingSeconds`: the estimated time to completion. */
export const presentJob = (job: ShownJob, remainingSeconds: number): WireJob => ({
  job_id: job.id,
  status: job.status,
  progress_percentage: job.progress,
  current_step: job.step,
  estimated_time_remaining: remainingSeconds,
  video_id: job.videoId,
  video_url: canonicalVideoUrl(job.videoId),
  ...(job.videoTitle !== null && { video_title: job.videoTitle }),
  priority: job.priority,
  ...(job.batchId && { batch_id: job.batchId }),
  ...(job.derivedFrom && { derived_from: job.derivedFrom }),
  created_at: job.createdAt.toISOString(),
  updated_at: job.updatedAt.toISOString(),
  ...(job.startedAt && { started_at: job.startedAt.toISOString() }),
  ...(job.nextAttemptAt && { next_attempt_at: job.nextAttemptAt.toISOString() }),
  ...(job.completedAt && { completed_at: job.completedAt.toISOString() }),
  ...(job.error && { error: job.error }),
  ...describeAttribution(job),
})
