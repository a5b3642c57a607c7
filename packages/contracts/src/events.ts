import { z } from 'zod'
import { API_VERSION, ErrorBody } from './envelope.ts'
import { BatchJob, BatchStats } from './routes/batches.ts'
import { StructuredResult } from './routes/result.ts'
import { SubscriptionItem } from './routes/subscription.ts'
import { BatchStatus, JobStatus, type WebhookEventType } from './vocabulary.ts'

/** `id`: the name of the schema in the OpenAPI document. */
const event = <T extends string, D extends z.ZodType>(id: string, type: T, data: D) =>
  z
    .object({
      /** The same for all attempts to deliver the event. */
      id: z.uuid(),
      event: z.literal(type),
      created_at: z.iso.datetime(),
      api_version: z.literal(API_VERSION),
      data,
    })
    .meta({ id })

export const JobCompletedEvent = event('JobCompletedEvent', 'job.completed', StructuredResult)

export const JobFailedEvent = event(
  'JobFailedEvent',
  'job.failed',
  z.object({
    job_id: z.uuid(),
    video_id: z.string(),
    video_url: z.url(),
    status: z.literal('failed'),
    error: ErrorBody.omit({ docs_url: true }),
    service_name: z.string().optional(),
    agent_name: z.string().optional(),
    client_reference: z.string().optional(),
  }),
)

export const BatchCompletedEvent = event(
  'BatchCompletedEvent',
  'batch.completed',
  z.object({
    batch_id: z.uuid(),
    status: BatchStatus.exclude(['processing']).meta({ id: 'FinishedBatchStatus' }),
    summary_stats: BatchStats,
    jobs: z.array(
      BatchJob.safeExtend({ status: JobStatus.extract(['completed', 'failed']).meta({ id: 'FinishedJobStatus' }) }),
    ),
  }),
)

export const DigestCompletedEvent = event(
  'DigestCompletedEvent',
  'digest.completed',
  z.object({ digest_id: z.uuid(), batch_id: z.uuid() }),
)

const itemOf = SubscriptionItem.shape
const ItemFields = z.object({
  subscription_id: z.uuid(),
  source_id: z.uuid(),
  video_id: z.string(),
  video_url: z.url(),
  title: z.string(),
  state: itemOf.state,
  reason: itemOf.reason,
  job_id: z.uuid().optional(),
  result: StructuredResult.optional().meta({ description: 'Of a video that was processed, as with `format=json`.' }),
})

const SubscriptionVideoEvent = event('SubscriptionVideoEvent', 'subscription.video', ItemFields)

const SubscriptionMatchedEvent = event(
  'SubscriptionMatchedEvent',
  'subscription.matched',
  ItemFields.extend({ matches: itemOf.matches.unwrap() }),
)

const SubscriptionPausedEvent = event(
  'SubscriptionPausedEvent',
  'subscription.paused',
  z.object({
    subscription_id: z.uuid(),
    source_id: z.uuid(),
    reason: z.enum(['quota', 'spend', 'plan']).meta({
      id: 'SubscriptionHoldReason',
      description: '`quota`, `spend`: its items wait until there is some left. `plan`: it is paused.',
    }),
  }),
)

const TestEvent = event(
  'WebhookTestEvent',
  'webhook.test',
  z.object({
    test: z.literal(true),
    message: z.string().meta({ description: 'A text for people.' }),
  }),
)

/** Default of `WEBHOOK_RETRY_SCHEDULE`: the pauses between the attempts to deliver an event. */
export const RETRY_SCHEDULE = '5s,5m,30m,2h,5h,10h,14h,20h,24h'

/** Returns the pauses of a schedule as people write them: `5 s, 5 min and 2 h`. */
export const describeSchedule = (schedule: string): string =>
  schedule
    .replace(/(\d)m\b/g, '$1min')
    .replace(/(\d)(?=[a-z])/g, '$1 ')
    .replaceAll(',', ', ')
    .replace(/, ([^,]*)$/, ' and $1')

interface EventDefinition {
  schema: z.ZodType
  /** For the OpenAPI document. */
  summary: string
  /** Describes `data` in the guide to webhooks. */
  data: string
}

export const WEBHOOK_EVENT_DEFINITIONS: Record<WebhookEventType, EventDefinition> = {
  'job.completed': {
    schema: JobCompletedEvent,
    summary: 'A job completed. Carries its full result, as with `format=json`.',
    data: 'the full result, as with `format=json`, with `status: "completed"`',
  },
  'job.failed': {
    schema: JobFailedEvent,
    summary: 'A job failed or was cancelled. Says which one and why.',
    data: '`job_id`, `video_id`, `video_url`, `status`, `error`, and your `client_reference` and other attribution fields',
  },
  'batch.completed': {
    schema: BatchCompletedEvent,
    summary: 'Every job of a batch has ended. Sent once per batch.',
    data: '`batch_id`, `status`, `summary_stats`, `jobs[]`; once per batch',
  },
  'digest.completed': {
    schema: DigestCompletedEvent,
    summary: 'A digest of a batch is completed. Sent to the webhook of the batch, once per digest.',
    data: '`digest_id`, `batch_id`; once per digest',
  },
  'subscription.video': {
    schema: SubscriptionVideoEvent,
    summary: 'A video of a subscription was processed, notified, skipped, or has failed. Sent once per video.',
    data: '`subscription_id`, `source_id`, `video_id`, `video_url`, `title`, `state`, `reason`, `job_id`, `result`; once per video, instead of the events of its job',
  },
  'subscription.matched': {
    schema: SubscriptionMatchedEvent,
    summary: 'A video of a subscription says what the subscription looks for. Sent beside `subscription.video`.',
    data: 'the same with `matches[]`',
  },
  'subscription.paused': {
    schema: SubscriptionPausedEvent,
    summary: 'The videos of a subscription wait for a quota or a spending limit, or it is paused because of the plan.',
    data: '`subscription_id`, `source_id`, `reason`; once until it goes on',
  },
  'webhook.test': {
    schema: TestEvent,
    summary: 'Sent by `POST /webhooks/test` to try a receiver. Nothing has happened.',
    data: '`test: true`; sent on request',
  },
}
