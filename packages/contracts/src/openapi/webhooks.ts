import { describeSchedule, RETRY_SCHEDULE, WEBHOOK_EVENT_TERMS } from '../events.ts'
import { EVENT_EXAMPLES } from '../examples/events.ts'
import type { WebhookEventType } from '../vocabulary.ts'
import type { Json, SchemaWriter } from './schemas.ts'

/** Headers of a delivery, with what stands in them. */
const DELIVERY_HEADERS: Record<string, { description: string; example: string }> = {
  'X-Webhook-Signature': {
    description:
      '`sha256=` and the hex HMAC-SHA256 of the exact body, keyed with the whole text of the webhook secret (`whsec_...`).',
    example: 'sha256=5f0e1c2a7b3d4e6f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7',
  },
  'X-Webhook-Id': {
    description: 'Id of the event, the same over all attempts. Ignore what you have already handled.',
    example: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  },
  'X-Webhook-Event': { description: 'Name of the event.', example: 'job.completed' },
  'X-Webhook-Timestamp': { description: 'When this attempt was made, in Unix seconds.', example: '1767225621' },
  'X-Webhook-Attempt': { description: 'Number of the attempt, from 1.', example: '1' },
  'webhook-id': {
    description: 'As `X-Webhook-Id` (Standard Webhooks).',
    example: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  },
  'webhook-timestamp': { description: 'As `X-Webhook-Timestamp` (Standard Webhooks).', example: '1767225621' },
  'webhook-signature': {
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). For 24 hours after a rotation there is one of the former secret as well, separated by a space.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

const ANSWERS: Record<string, string> = {
  '2XX': 'Received. Answer within 15 seconds, and do the work afterwards.',
  '410': 'Ends the deliveries of this event at once.',
  '429': 'Tried again, not before `Retry-After` where it is sent.',
  '503': 'Tried again, not before `Retry-After` where it is sent.',
  default: `Any other response, redirects included, is retried after ${describeSchedule(RETRY_SCHEDULE)}.`,
}

/** What is sent to a `webhook_url`. */
export function describeWebhooks(schemas: SchemaWriter): Json {
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENT_TERMS).map(([type, { schema, summary }]) => {
      const operationId = `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
      const operation = {
        operationId,
        tags: ['webhooks'],
        summary,
        security: [],
        parameters: Object.entries(DELIVERY_HEADERS).map(([name, { description, example }]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
          example: name === 'X-Webhook-Event' ? type : example,
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemas.write(schema, 'output'),
              example: EVENT_EXAMPLES[type as WebhookEventType],
            },
          },
        },
        responses: Object.fromEntries(
          Object.entries(ANSWERS).map(([status, description]) => [status, { description }]),
        ),
      }
      return [type, { post: operation }]
    }),
  )
}
