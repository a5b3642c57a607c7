import type { WebhookEventType } from '../vocabulary.ts'
import { BATCH_WITH_JOBS } from './batches.ts'
import { DIGEST_ID } from './digests.ts'
import { FAILED_JOB } from './jobs.ts'
import { COMPLETED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import { STRUCTURED_RESULT } from './results.ts'
import { SUBSCRIPTION_EVENTS } from './subscriptions.ts'

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

/** The body of a delivery of each event. */
export const EVENT_EXAMPLES: Record<WebhookEventType, unknown> = {
  'job.completed': event('job.completed', STRUCTURED_RESULT),
  'job.failed': event('job.failed', failure),
  'batch.completed': event('batch.completed', {
    batch_id: BATCH_WITH_JOBS.batch_id,
    status: BATCH_WITH_JOBS.status,
    summary_stats: BATCH_WITH_JOBS.summary_stats,
    jobs: BATCH_WITH_JOBS.jobs,
  }),
  'digest.completed': event('digest.completed', { digest_id: DIGEST_ID, batch_id: BATCH_WITH_JOBS.batch_id }),
  'subscription.video': event('subscription.video', { ...SUBSCRIPTION_EVENTS.video, result: STRUCTURED_RESULT }),
  'subscription.matched': event('subscription.matched', SUBSCRIPTION_EVENTS.matched),
  'subscription.paused': event('subscription.paused', SUBSCRIPTION_EVENTS.paused),
  'webhook.test': event('webhook.test', { test: true, message: 'This is a test event. Nothing has happened.' }),
}
