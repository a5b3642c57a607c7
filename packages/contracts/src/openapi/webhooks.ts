import { describeSchedule, RETRY_SCHEDULE, WEBHOOK_EVENT_DEFINITIONS } from '../events.ts'
import { EVENT_EXAMPLES } from '../examples/events.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../vocabulary.ts'
import type { Json, SchemaWriter } from './schemas.ts'

/** Headers of a delivery. */
const DELIVERY_HEADERS: Record<string, { description: string; example: string }> = {
  'X-Webhook-Signature': {
    description:
      '`sha256=` and the HMAC-SHA256 of the exact body in hexadecimal. The key is the full text of the webhook secret (`whsec_...`).',
    example: 'sha256=5f0e1c2a7b3d4e6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7',
  },
  'X-Webhook-Id': {
    description: 'ID of the event, the same for all attempts. Ignore events that you have already handled.',
    example: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  },
  'X-Webhook-Event': { description: 'Name of the event.', example: 'job.completed' },
  'X-Webhook-Timestamp': { description: 'Time of this attempt in Unix seconds.', example: '1767225621' },
  'X-Webhook-Attempt': { description: 'Number of the attempt, starting at 1.', example: '1' },
  'webhook-id': {
    description: 'Same as `X-Webhook-Id` (Standard Webhooks).',
    example: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  },
  'webhook-timestamp': { description: 'Same as `X-Webhook-Timestamp` (Standard Webhooks).', example: '1767225621' },
  'webhook-signature': {
    description:
      '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. The key is the decoded secret (Standard Webhooks). For 24 hours after a rotation, a signature with the previous secret follows after a space.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

const RESPONSES: Record<string, string> = {
  '2XX': 'Received. Respond within 15 seconds, and do the work afterwards.',
  '410': 'Stops the delivery of this event at once.',
  '429': 'Retried, after `Retry-After` if it is present.',
  '503': 'Retried, after `Retry-After` if it is present.',
  default: `Any other response, redirects included, is retried after ${describeSchedule(RETRY_SCHEDULE)}.`,
}

/** `onJobCompleted` for `job.completed`. */
const operationIdOf = (type: WebhookEventType): string =>
  `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`

const describeHeaders = (type: WebhookEventType): Json[] =>
  Object.entries(DELIVERY_HEADERS).map(([name, { description, example }]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example: name === 'X-Webhook-Event' ? type : example,
  }))

function describeEvent(type: WebhookEventType, schemas: SchemaWriter): Json {
  const { schema, summary } = WEBHOOK_EVENT_DEFINITIONS[type]
  return {
    operationId: operationIdOf(type),
    tags: ['webhooks'],
    summary,
    security: [],
    parameters: describeHeaders(type),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.write(schema, 'output'), example: EVENT_EXAMPLES[type] } },
    },
    responses: Object.fromEntries(Object.entries(RESPONSES).map(([status, description]) => [status, { description }])),
  }
}

/** Describes the events that are sent to a `webhook_url`. */
export const describeWebhooks = (schemas: SchemaWriter): Json =>
  Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: describeEvent(type, schemas) }]))
