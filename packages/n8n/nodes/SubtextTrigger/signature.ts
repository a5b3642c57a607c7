import { createHmac, timingSafeEqual } from 'node:crypto'

const MAX_AGE_SECONDS = 300

type Headers = Record<string, string | string[] | undefined>

/** Returns whether a delivery is signed with the secret (Standard Webhooks 1.0.0), and not older than five minutes. */
export function isGenuine(body: Buffer, headers: Headers, secret: string, now = Date.now()): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`])
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64')
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string' || key.length === 0) {
    return false
  }
  // The negation also refuses what is not a number.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= MAX_AGE_SECONDS)) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
