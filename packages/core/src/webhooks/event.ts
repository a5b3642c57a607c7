import { API_VERSION, type WebhookEventType } from '@subtext/contracts'
import { type Origin, readOrigin } from '@subtext/runtime'
import { v7 as newId } from 'uuid'

/** An event as the store keeps it. Every delivery attempt sends the same ID and bytes. */
export interface WebhookEvent extends Partial<Origin> {
  id: string
  type: WebhookEventType
  createdAt: Date
  /** The envelope with its `data`, as JSON. */
  body: Buffer
}

/** The fields of an event other than its `data`, under their names in the API. */
export interface EventEnvelope {
  id: string
  event: WebhookEventType
  created_at: Date
  api_version: string
}

export const newEnvelope = (type: WebhookEventType, createdAt: Date): EventEnvelope => ({
  id: newId(),
  event: type,
  created_at: createdAt,
  api_version: API_VERSION,
})

/** Returns the event of an envelope whose JSON text, `data` included, the caller has written. */
export const toEvent = ({ id, event, created_at }: EventEnvelope, body: Buffer): WebhookEvent => ({
  id,
  type: event,
  createdAt: created_at,
  body,
  ...readOrigin(),
})

export function buildEvent(type: WebhookEventType, createdAt: Date, data: unknown): WebhookEvent {
  const envelope = newEnvelope(type, createdAt)
  return toEvent(envelope, Buffer.from(JSON.stringify({ ...envelope, data })))
}
