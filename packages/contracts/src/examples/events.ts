import type { WebhookEventType } from '../vocabulary.ts'
import { FAILED_JOB } from './jobs.ts'
import { COMPLETED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import { STRUCTURED_RESULT } from './results.ts'

const event = (type: WebhookEventType, data: unknown) => ({
  id: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  event: type,
  created_at: COMPLETED_AT,
  api_version: 'v1',
  data,
})

const failure = {
  job_id: JOB_ID,
  video_id: VIDEO_ID,
  video_url: VIDEO_URL,
  status: 'failed',
  error: FAILED_JOB.error,
  client_reference: 'order-1042',
}

/** A delivery of each event, as its receiver reads it. */
export const EVENT_EXAMPLES: Record<WebhookEventType, unknown> = {
  'job.completed': event('job.completed', STRUCTURED_RESULT),
  'job.failed': event('job.failed', failure),
  'batch.completed': event('batch.completed', {
    batch_id: '0193a1f2-11bb-7e20-a4d6-7f0a9b8c7d6e',
    status: 'partial_failure',
    summary_stats: { total: 2, queued: 0, processing: 0, successful: 1, failed: 1 },
    jobs: [
      {
        index: 0,
        job_id: JOB_ID,
        video_id: VIDEO_ID,
        video_url: VIDEO_URL,
        status: 'completed',
        progress_percentage: 100,
      },
      {
        index: 1,
        job_id: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e12',
        video_id: VIDEO_ID,
        video_url: VIDEO_URL,
        status: 'failed',
        progress_percentage: 20,
        error: FAILED_JOB.error,
      },
    ],
  }),
  'webhook.test': event('webhook.test', { test: true, message: 'A test event: nothing has happened.' }),
}
