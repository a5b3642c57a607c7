import { API_VERSION, type ServiceError, type WebhookEventType } from '@subtext/contracts'
import type { Job } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { canonicalVideoUrl } from '../videos/video-url.ts'
import { describeAttribution } from './describe.ts'

/** Says that a job or a batch has ended. Every delivery attempt sends the same id and bytes. */
export interface JobEvent {
  id: string
  type: WebhookEventType
  createdAt: Date
  body: Buffer
}

/** `data` is JSON text in pieces, because that of a long transcript is large. */
export function buildJobEvent(type: JobEvent['type'], createdAt: Date, data: Buffer[]): JobEvent {
  const id = newId()
  const head = JSON.stringify({ id, event: type, created_at: createdAt, api_version: API_VERSION })
  const body = Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":`), ...data, Buffer.from('}')])
  return { id, type, createdAt, body }
}

/** Builds `job.failed`, with the error that the job's status shows too. */
export function buildFailedEvent(job: Job, error: ServiceError, failedAt: Date): JobEvent {
  const { code, message, retryable, details } = error
  const data = {
    job_id: job.id,
    video_id: job.videoId,
    video_url: canonicalVideoUrl(job.videoId),
    status: 'failed',
    error: { code, message, ...(details && { details }), retryable },
    ...describeAttribution(job),
  }
  return buildJobEvent('job.failed', failedAt, [Buffer.from(JSON.stringify(data))])
}
