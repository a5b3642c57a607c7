import { API_PREFIX, type SubmittedJob, type Job as WireJob } from '@subtext/contracts'
import { type AcceptedJob, describeAttribution, type ShownJob } from '@subtext/core/jobs'
import { videoUrlOf } from '@subtext/core/videos'

export const statusPath = (jobId: string): string => `${API_PREFIX}/videos/status/${jobId}`
export const resultPath = (jobId: string): string => `${API_PREFIX}/videos/result/${jobId}`

export const presentSubmittedJob = (job: AcceptedJob, publicBaseUrl: string): SubmittedJob => ({
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

/** Returns what a job was asked for, without defaults other than the modes. */
const presentRequest = ({ options, customInstructions }: ShownJob) => ({
  summary_modes: options.summary_modes,
  ...(options.generate_infographic && { generate_infographic: true }),
  templates: options.templates,
  language: options.language,
  output_language: options.output_language,
  custom_instructions: customInstructions ?? undefined,
})

/** `remainingSeconds`: the estimated time to completion. What is undefined is not sent. */
export const presentJob = (job: ShownJob, remainingSeconds: number): WireJob => ({
  job_id: job.id,
  status: job.status,
  progress_percentage: job.progress,
  current_step: job.step,
  estimated_time_remaining: remainingSeconds,
  video_id: job.videoId,
  video_url: videoUrlOf(job),
  video_title: job.videoTitle ?? undefined,
  priority: job.priority,
  batch_id: job.batchId ?? undefined,
  derived_from: job.derivedFrom ?? undefined,
  ...presentRequest(job),
  created_at: job.createdAt.toISOString(),
  updated_at: job.updatedAt.toISOString(),
  started_at: job.startedAt?.toISOString(),
  next_attempt_at: job.nextAttemptAt?.toISOString(),
  completed_at: job.completedAt?.toISOString(),
  error: job.error ?? undefined,
  ...describeAttribution(job),
})
