import { createHmac, createSecretKey } from 'node:crypto'
import type { ClaimedDelivery } from '@subtext/core/webhooks'

const STANDARD_PREFIX = 'whsec_'

/**
 * Builds the headers of an attempt. `X-Webhook-Signature` is the hexadecimal HMAC-SHA256 of the body's bytes, keyed with the
 * text of the current secret. The three `webhook-*` headers follow Standard Webhooks 1.0.0: they sign `id.timestamp.body`,
 * keyed with the decoded bytes of the secret, with one signature for each valid secret.
 */
export function buildHeaders(
  delivery: Pick<ClaimedDelivery, 'eventId' | 'type' | 'attemptNo' | 'body'>,
  secrets: readonly [string, ...string[]],
  now: Date,
): Record<string, string> {
  const { eventId, type, attemptNo, body } = delivery
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const standard = secrets.map((secret) => {
    // Node.js takes as long to recognize a buffer as a key as to sign with it.
    const key = createSecretKey(secret.slice(STANDARD_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`
  })
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Subtext-Webhooks/1.0',
    'X-Webhook-Signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    'X-Webhook-Id': eventId,
    'X-Webhook-Event': type,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Attempt': String(attemptNo),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}
