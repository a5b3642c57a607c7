import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export interface VerifyWebhookOptions {
  /** Maximum difference between the time of the attempt and now in milliseconds. Default: 5 minutes. */
  toleranceMs?: number
}

const encoder = new TextEncoder()
const FIVE_MINUTES_MS = 300_000

/**
 * Verifies a delivery and returns its event. Checks `webhook-signature` (Standard Webhooks 1.0.0: HMAC-SHA256 of
 * `id.timestamp.body`) and the age of the attempt, which protects against replays.
 *
 * @param rawBody The body exactly as it was received. Parsed and serialized again, it no longer matches.
 * @param headers The headers of the request: a `Headers` object, or a record as in `node:http`.
 * @param secret The webhook secret (`whsec_...`).
 * @throws WebhookVerificationError if the headers or the secret are missing, the signature does not match or the attempt is too
 *   old.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceMs = FIVE_MINUTES_MS }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  // Either can be undefined in JavaScript: the secret, for example, if its environment variable is not set.
  if (!secret) throw refuse('The secret is missing. Pass the webhook secret, which begins with whsec_.')
  if (!headers) throw refuse('The headers are missing. Pass those of the request.')
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  )
  if (!id || !timestamp || !signatures)
    throw refuse('A header is missing: webhook-id, webhook-timestamp or webhook-signature.')
  const age = Math.abs(Date.now() - Number(timestamp) * 1_000)
  if (!(age <= toleranceMs)) throw refuse('The attempt is too old, or its timestamp is not a time.')

  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : new Uint8Array(rawBody)
  const prefix = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const key = await importSecret(secret)
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
    }
  }
  throw refuse('No signature matches the secret. Is the body exactly as it was received?')
}

const refuse = (message: string): WebhookVerificationError =>
  new WebhookVerificationError(message, { code: 'INVALID_SIGNATURE' })

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  // `Headers` of a library or of another context have another class.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

function importSecret(secret: string) {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : undefined
  if (!bytes?.length) throw refuse('The secret must begin with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Decodes base64; undefined if the text is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
