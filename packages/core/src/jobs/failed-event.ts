import type { ServiceError } from '@subtext/contracts'
import { videoUrlOf } from '../videos/video-url.ts'
import { buildEvent, type WebhookEvent } from '../webhooks/event.ts'
import { describeAttribution } from './describe.ts'
import type { Job } from './job-row.ts'

/** Builds the event `job.failed`, with the same error as in the status of the job. */
export function buildFailedEvent(job: Job, error: ServiceError, failedAt: Date): WebhookEvent {
  const { code, message, retryable, details } = error
  return buildEvent('job.failed', failedAt, {
    job_id: job.id,
    video_id: job.videoId,
    video_url: videoUrlOf(job),
    status: 'failed',
    error: { code, message, ...(details && { details }), retryable },
    ...describeAttribution(job),
  })
}
