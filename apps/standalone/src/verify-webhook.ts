import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const equal = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Verifies both signatures of a delivery over its raw body, as a receiver would. Throws if one is wrong. */
export function verifyWebhook(headers: IncomingHttpHeaders, body: Buffer, secret: string): void {
  const plain = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (!equal(String(headers['x-webhook-signature']), plain)) throw new Error('X-Webhook-Signature is wrong.')

  const standardKey = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const standard = `v1,${createHmac('sha256', standardKey).update(signed).update(body).digest('base64')}`
  const offered = String(headers['webhook-signature']).split(' ')
  if (!offered.some((signature) => equal(signature, standard))) throw new Error('webhook-signature is wrong.')
}
