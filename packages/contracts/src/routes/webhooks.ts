import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { text } from '../text.ts'
import { DeliveryStatus, WEBHOOK_EVENTS } from '../vocabulary.ts'
import { LONGEST_PAGE, MAX_OFFSET, Pagination, whole } from './list.ts'
import { MAX_URL_LENGTH } from './submit-video.ts'

const time = (description: string) => z.iso.datetime().meta({ description })
const prefix = z.string().meta({ description: 'The beginning of the secret, by which its owner knows it.' })

export const WebhookSecret = z
  .object({
    prefix,
    created_at: z.iso.datetime(),
    previous: z
      .array(
        z.object({
          prefix,
          created_at: z.iso.datetime(),
          expires_at: time('It signs `webhook-signature` beside the current one until then.'),
        }),
      )
      .meta({ description: 'Former secrets that still sign, the latest first.' }),
  })
  .meta({ id: 'WebhookSecret' })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const RotatedWebhookSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_` and 32 bytes in base64. It is shown here and nowhere else.' }),
    prefix,
    created_at: z.iso.datetime(),
    previous_expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until then the secret before it signs as well; null where there was none.' }),
  })
  .meta({ id: 'RotatedWebhookSecret' })
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>

export const DeliveryAttempt = z
  .object({
    attempt: z.int().min(1).meta({ description: 'Number of the attempt; redeliveries go on counting.' }),
    started_at: z.iso.datetime(),
    duration_ms: z.int().min(0),
    status_code: z.int().nullable().meta({ description: 'What the receiver answered; null where it did not.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Kind of failure where there was no answer, such as `timeout` or `connection`.' }),
  })
  .meta({ id: 'DeliveryAttempt' })
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const WebhookDelivery = z
  .object({
    delivery_id: z.uuid(),
    event_id: z.uuid().meta({ description: 'The `id` in the body and the `webhook-id` header of every attempt.' }),
    event: z.enum(WEBHOOK_EVENTS),
    job_id: z.uuid().optional().meta({ description: 'The job that ended; with `job.*` events.' }),
    batch_id: z.uuid().optional().meta({ description: 'The batch that ended; with `batch.*` events.' }),
    url: z.string().meta({ description: 'Where it goes.' }),
    status: DeliveryStatus,
    attempt_count: z.int().min(0).meta({ description: 'Attempts made so far.' }),
    last_attempt: DeliveryAttempt.optional(),
    next_attempt_at: time('When it is tried next; absent while it is being tried, and when it has ended.').optional(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const DeliveryWithAttempts = WebhookDelivery.extend({
  attempts: z.array(DeliveryAttempt).meta({ description: 'The latest 100 attempts, in their order.' }),
}).meta({ id: 'WebhookDeliveryWithAttempts' })

const DeliveryList = z
  .object({ deliveries: z.array(WebhookDelivery), pagination: Pagination })
  .meta({ id: 'WebhookDeliveryList' })

const DeliveryParams = z.object({ delivery_id: z.string() })
const REQUIRED_PLAN = requiresPlanFor('webhooks')
const NO_QUERY = z.strictObject({})

export const webhooks = {
  secret: defineRoute({
    method: 'get',
    path: '/webhooks/secret',
    operationId: 'getWebhookSecret',
    summary: 'Your webhook secret',
    description: `Beginning and dates of the secret your webhooks are signed with, and of former ones that still sign. An account without a secret is given one. The secret itself is shown only by \`POST /webhooks/secret/rotate\`. ${REQUIRED_PLAN}`,
    access: 'read',
    query: NO_QUERY,
    response: WebhookSecret,
    status: 200,
    errors: ['VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED'],
  }),
  rotateSecret: defineRoute({
    method: 'post',
    path: '/webhooks/secret/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Replace your webhook secret',
    description: [
      'Makes a new secret and shows it, once. For 24 hours the former one signs beside it: `webhook-signature` carries a',
      'signature of each, so that a receiver with either verifies. `X-Webhook-Signature` has room for one and uses the new',
      'secret at once. A secret that has leaked is worthless as soon as your receiver holds the new one alone. At most twenty',
      'former secrets sign at a time; a further rotation is `RATE_LIMITED` until one ends.',
      REQUIRED_PLAN,
    ].join(' '),
    access: 'write',
    query: NO_QUERY,
    idempotent: true,
    response: RotatedWebhookSecret,
    status: 200,
    errors: ['VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED'],
  }),
  deliveries: defineRoute({
    method: 'get',
    path: '/webhooks/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List your webhook deliveries',
    description: `Newest first. \`offset\` leads to any page; \`cursor\` walks through all of them, and every delivery that was there when the walk began is seen exactly once. A cursor belongs to the filters it was given out for. ${REQUIRED_PLAN}`,
    access: 'read',
    query: z.strictObject({
      limit: whole(1, LONGEST_PAGE).default(20).meta({ description: 'Most deliveries to answer with.' }),
      offset: whole(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Newest deliveries to pass over; not with `cursor`.' }),
      status: DeliveryStatus.optional().meta({ description: 'Only deliveries of this status.' }),
      event: z.enum(WEBHOOK_EVENTS).optional().meta({ description: 'Only deliveries of this event.' }),
      job_id: z.uuid().optional().meta({ description: 'Only deliveries that tell of this job.' }),
      job: z.uuid().optional().meta({ description: 'As `job_id`; send one of them.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    response: DeliveryList,
    status: 200,
    errors: ['VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED'],
  }),
  delivery: defineRoute({
    method: 'get',
    path: '/webhooks/deliveries/{delivery_id}',
    operationId: 'getWebhookDelivery',
    summary: 'A webhook delivery and its attempts',
    description: `What became of every attempt. The receiver's answers are not kept. ${REQUIRED_PLAN}`,
    access: 'read',
    params: DeliveryParams,
    query: NO_QUERY,
    response: DeliveryWithAttempts,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED'],
  }),
  redeliver: defineRoute({
    method: 'post',
    path: '/webhooks/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Deliver an event again',
    description: [
      'Sends the same bytes with the same event id, at once; attempts go on counting. A pending delivery is tried now',
      'instead of at `next_attempt_at`; one that has ended begins its schedule anew. While it is being tried, and within',
      'two seconds of the last such request, nothing more happens than is happening already.',
      REQUIRED_PLAN,
    ].join(' '),
    access: 'write',
    params: DeliveryParams,
    query: NO_QUERY,
    idempotent: true,
    response: WebhookDelivery,
    status: 202,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED'],
  }),
  test: defineRoute({
    method: 'post',
    path: '/webhooks/test',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: `Delivers an event \`webhook.test\` to the address, signed, tried again and shown among the deliveries as any other. ${REQUIRED_PLAN}`,
    access: 'write',
    query: NO_QUERY,
    body: z.strictObject({
      url: text(MAX_URL_LENGTH, 1).meta({ format: 'uri', description: 'Public http(s) address of your receiver.' }),
    }),
    idempotent: true,
    response: WebhookDelivery,
    status: 202,
    responseHeaders: ['Location'],
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'PLAN_UPGRADE_REQUIRED'],
    example: { body: { url: 'https://hooks.example.org/subtext' } },
  }),
}
