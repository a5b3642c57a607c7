import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { DeliveryStatus, WebhookEventType } from '../vocabulary.ts'
import { MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import { MAX_URL_LENGTH } from './submit-video.ts'

const time = (description: string) => z.iso.datetime().meta({ description })
const prefix = z.string().meta({ description: 'The first characters of the secret, by which you can recognize it.' })

export const WebhookSecret = z
  .object({
    prefix,
    created_at: z.iso.datetime(),
    previous: z
      .array(
        z.object({
          prefix,
          created_at: z.iso.datetime(),
          expires_at: time('Until then, it signs `webhook-signature` in addition to the current secret.'),
        }),
      )
      .meta({ description: 'Previous secrets that are still used for signing, newest first.' }),
  })
  .meta({ id: 'WebhookSecret' })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const RotatedWebhookSecret = z
  .object({
    secret: z.string().meta({ description: '`whsec_` and 32 bytes in base64. It is shown only in this response.' }),
    prefix,
    created_at: z.iso.datetime(),
    previous_expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until then, the previous secret is also used for signing. Null if there was none.' }),
  })
  .meta({ id: 'RotatedWebhookSecret' })
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>

export const DeliveryAttempt = z
  .object({
    attempt: z.int().min(1).meta({ description: 'Number of the attempt. Redeliveries continue the count.' }),
    started_at: z.iso.datetime(),
    duration_ms: z.int().min(0),
    status_code: z.int().nullable().meta({ description: "The receiver's HTTP status; null if it did not respond." }),
    error: z.string().nullable().meta({
      description:
        'Why there was no response: `dns`, `refused`, `unreachable`, `tls`, `reset`, `timeout`, `invalid_response`, `address_refused`, or `connection` for anything else.',
    }),
  })
  .meta({ id: 'DeliveryAttempt' })
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

const AnsweredAttempt = DeliveryAttempt.extend({
  response_body: z.string().nullable().meta({
    description:
      "The first 2,000 bytes of the receiver's response as text, as far as they arrived with its status; null if there was no response. The receiver chooses what it contains: escape it.",
  }),
}).meta({ id: 'AnsweredDeliveryAttempt' })
export type AnsweredAttempt = z.infer<typeof AnsweredAttempt>

export const WebhookDelivery = z
  .object({
    delivery_id: z.uuid(),
    event_id: z.uuid().meta({ description: 'The `id` in the body and the `webhook-id` header of every attempt.' }),
    event: WebhookEventType,
    job_id: z.uuid().optional().meta({ description: 'The job that ended, for `job.*` events.' }),
    batch_id: z.uuid().optional().meta({ description: 'The batch that ended, for `batch.*` events.' }),
    url: z.string().meta({ description: 'Receiver of the delivery.' }),
    status: DeliveryStatus,
    attempt_count: z.int().min(0).meta({ description: 'Attempts made so far.' }),
    last_attempt: DeliveryAttempt.optional(),
    next_attempt_at: time('Time of the next attempt. Absent during an attempt and after the last one.').optional(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const DeliveryWithAttempts = WebhookDelivery.extend({
  attempts: z.array(AnsweredAttempt).meta({ description: 'The last 100 attempts, oldest first.' }),
  request_body: z.string().meta({
    description: 'The body that every attempt sends, byte for byte; of one above 100,000 bytes, the beginning.',
  }),
  request_bytes: z.int().min(0).meta({ description: 'Size of the whole body.' }),
}).meta({ id: 'WebhookDeliveryWithAttempts' })

const DeliveryList = z
  .object({ deliveries: z.array(WebhookDelivery), pagination: Pagination })
  .meta({ id: 'WebhookDeliveryList' })

const DeliveryParams = z.object({ delivery_id: z.string().meta({ format: 'uuid' }) })
const REQUIRED_PLAN = requiresPlanFor('webhooks')
const NO_QUERY = z.strictObject({})

const TestWebhook = z
  .strictObject({
    url: text(MAX_URL_LENGTH, 1).meta({ format: 'uri', description: 'Public http(s) URL of your receiver.' }),
  })
  .meta({ id: 'TestWebhook' })

export const webhooks = {
  secret: defineRoute({
    method: 'get',
    path: '/webhooks/secret',
    operationId: 'getWebhookSecret',
    summary: 'Your webhook secret',
    description: `Returns the first characters and the dates of the secret that signs your webhooks, and of previous secrets that are still used for signing. If the account has no secret, one is created. The secret itself is shown only by \`POST /webhooks/secret/rotate\`. ${REQUIRED_PLAN}`,
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
      'Creates a new secret and shows it once. For 24 hours, `webhook-signature` carries a signature with the new and one with',
      'the previous secret, so that receivers can verify with either. `X-Webhook-Signature` holds a single signature and uses',
      'the new secret at once. A leaked secret is useless as soon as your receiver accepts only the new one. At most twenty',
      'previous secrets are used for signing; further rotations are `RATE_LIMITED` until one of them expires.',
      REQUIRED_PLAN,
    ].join(' '),
    access: 'write',
    recentSignIn: true,
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
    description: `Newest first. \`offset\` goes to any page. \`cursor\` reads lists of any length, and every delivery that existed when you started is listed exactly once. A cursor is valid for the filters it was created with. ${REQUIRED_PLAN}`,
    access: 'read',
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of deliveries per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest deliveries to skip. Cannot be combined with `cursor`.' }),
      status: DeliveryStatus.optional().meta({ description: 'Lists only deliveries with this status.' }),
      event: WebhookEventType.optional().meta({ description: 'Lists only deliveries of this event.' }),
      job_id: z.uuid().optional().meta({ description: 'Lists only deliveries about this job.' }),
      job: z.uuid().optional().meta({ description: 'Same as `job_id`. Send only one of them.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
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
    description: `Returns the body that was sent, and the outcome of every attempt with the beginning of the receiver's response. ${REQUIRED_PLAN}`,
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
      'Sends the same bytes with the same event ID at once; the count of attempts continues. A pending delivery is attempted',
      'now instead of at `next_attempt_at`; one that has ended starts its schedule again. During an attempt, and within two',
      'seconds of the last redelivery, the request has no further effect.',
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
    description: `Sends a \`webhook.test\` event to the URL. It is signed, retried and listed among the deliveries like any other. ${REQUIRED_PLAN}`,
    access: 'write',
    query: NO_QUERY,
    body: TestWebhook,
    idempotent: true,
    response: WebhookDelivery,
    status: 202,
    responseHeaders: ['Location'],
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'PLAN_UPGRADE_REQUIRED'],
    example: { body: { url: 'https://hooks.example.org/subtext' } },
  }),
}
