import { API_VERSION, type ServiceError } from '@subtext/contracts'
import { canonicalVideoUrl, describeAttribution, describeResult, type JobEvent } from '@subtext/core'
import type { Job } from '@subtext/db'
import { renderStructuredData } from '@subtext/render'
import { v7 as newId } from 'uuid'
import type { ProcessedVideo } from './process-video.ts'

/** `job.completed`: the full result, as `format=json` gives it. */
export async function buildCompletedEvent(job: Job, done: ProcessedVideo): Promise<JobEvent> {
  const { result, track, summaries } = done
  const cues = async function* () {
    yield done.cues
  }
  const pieces = renderStructuredData(describeResult(job, result, track, summaries, cues))
  const data: Buffer[] = []
  for await (const piece of pieces) data.push(Buffer.from(piece))
  return buildEvent('job.completed', result.completedAt, data)
}

/** `job.failed`: which job, and the error its owner also sees in the status. */
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
  return buildEvent('job.failed', failedAt, [Buffer.from(JSON.stringify(data))])
}

function buildEvent(type: JobEvent['type'], createdAt: Date, data: Buffer[]): JobEvent {
  const id = newId()
  const head = JSON.stringify({ id, event: type, created_at: createdAt, api_version: API_VERSION })
  const body = Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":`), ...data, Buffer.from('}')])
  return { id, type, createdAt, body }
}
