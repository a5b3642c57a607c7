import {
  API_PREFIX,
  type DeliveryAttempt,
  type RotatedWebhookSecret,
  WEBHOOK_EVENTS,
  type WebhookDelivery,
  type WebhookSecret as WireSecret,
} from '@subtext/contracts'
import type {
  RotatedSecret,
  SecretDescription,
  StoredAttempt,
  StoredWebhookDelivery,
  WebhookAttempt,
} from '@subtext/core/webhooks'

export const deliveryPath = (deliveryId: string): string => `${API_PREFIX}/webhooks/deliveries/${deliveryId}`

const presentAttempt = (attempt: WebhookAttempt): DeliveryAttempt => ({
  attempt: attempt.attemptNo,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
})

export const presentAnsweredAttempt = (attempt: StoredAttempt) => ({
  ...presentAttempt(attempt),
  response_body: attempt.responseBody,
})

export const presentDelivery = (delivery: StoredWebhookDelivery): WebhookDelivery => ({
  delivery_id: delivery.id,
  event_id: delivery.eventId,
  event: delivery.type,
  ...describeSubject(delivery),
  url: delivery.url,
  status: delivery.status,
  attempt_count: delivery.attempts,
  ...(delivery.lastAttempt && { last_attempt: presentAttempt(delivery.lastAttempt) }),
  ...(delivery.status === 'pending' && !delivery.underWay && { next_attempt_at: delivery.nextAttemptAt.toISOString() }),
  created_at: delivery.createdAt.toISOString(),
  updated_at: delivery.updatedAt.toISOString(),
})

function describeSubject({ type, subjectId }: StoredWebhookDelivery): Pick<WebhookDelivery, 'job_id' | 'batch_id'> {
  const { subject } = WEBHOOK_EVENTS[type]
  return subject === null ? {} : { [`${subject}_id`]: subjectId }
}

export const presentSecret = (current: SecretDescription, former: SecretDescription[]): WireSecret => ({
  prefix: current.prefix,
  created_at: current.createdAt.toISOString(),
  previous: former.flatMap(({ prefix, createdAt, expiresAt }) =>
    expiresAt ? [{ prefix, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }] : [],
  ),
})

export const presentRotated = (rotated: RotatedSecret): RotatedWebhookSecret => ({
  secret: rotated.secret,
  prefix: rotated.prefix,
  created_at: rotated.createdAt.toISOString(),
  previous_expires_at: rotated.formerExpiresAt?.toISOString() ?? null,
})
