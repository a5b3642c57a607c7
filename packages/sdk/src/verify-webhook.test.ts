import { createHmac, randomBytes } from 'node:crypto'
import { verifyWebhook } from './verify-webhook.ts'

const key = randomBytes(32)
const SECRET = `whsec_${key.toString('base64')}`
const BODY = JSON.stringify({ id: 'event-1', event: 'job.failed', data: { title: 'Über 日本' } })

function sign(body: string, { id = 'event-1', timestamp = Math.floor(Date.now() / 1_000), secret = key } = {}) {
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'Webhook-Id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}

test('returns the event of a genuine delivery, whatever form body and headers have', async () => {
  const headers = sign(BODY)
  const bytes = new TextEncoder().encode(BODY)
  for (const body of [BODY, bytes, bytes.buffer]) {
    expect(await verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(BODY))
  }
  expect(await verifyWebhook(BODY, new Headers(headers), SECRET)).toEqual(JSON.parse(BODY))
})

test('reads headers of a class that is not the global one', async () => {
  const own = new Headers(sign(BODY))
  const foreign = { get: (name: string) => own.get(name) }
  expect(await verifyWebhook(BODY, foreign as Headers, SECRET)).toMatchObject({ id: 'event-1' })
})

test('accepts any of several signatures, as during a rotation', async () => {
  const headers = sign(BODY)
  const other = sign(BODY, { secret: randomBytes(32) })['webhook-signature']
  const both = { ...headers, 'webhook-signature': `v2,x v1,%% ${other} ${headers['webhook-signature']}` }
  expect(await verifyWebhook(BODY, both, SECRET)).toMatchObject({ id: 'event-1' })
})

test.each([
  ['a changed body', `${BODY} `, sign(BODY), SECRET],
  ['a changed ID', BODY, { ...sign(BODY), 'Webhook-Id': 'event-2' }, SECRET],
  ['another secret', BODY, sign(BODY), `whsec_${randomBytes(32).toString('base64')}`],
  ['a secret without its prefix', BODY, sign(BODY), key.toString('base64')],
  ['an empty secret', BODY, sign(BODY), 'whsec_'],
  ['no headers', BODY, {}, SECRET],
  ['an attempt of an hour ago', BODY, sign(BODY, { timestamp: Math.floor(Date.now() / 1_000) - 3_600 }), SECRET],
  ['an attempt in an hour', BODY, sign(BODY, { timestamp: Math.floor(Date.now() / 1_000) + 3_600 }), SECRET],
  ['a timestamp that is no number', BODY, sign(BODY, { timestamp: 'now' as never }), SECRET],
])('refuses %s', async (_, body, headers, secret) => {
  await expect(verifyWebhook(body, headers, secret)).rejects.toMatchObject({
    name: 'WebhookVerificationError',
    code: 'INVALID_SIGNATURE',
  })
})

test.each([
  ['secret', sign(BODY), undefined, 'The secret is missing.'],
  ['secret', sign(BODY), '', 'The secret is missing.'],
  ['headers', undefined, SECRET, 'The headers are missing.'],
])('names what is missing: the %s', async (_, headers, secret, message) => {
  await expect(verifyWebhook(BODY, headers as never, secret as never)).rejects.toMatchObject({
    name: 'WebhookVerificationError',
    code: 'INVALID_SIGNATURE',
    message: expect.stringContaining(message),
  })
})

test('accepts an older attempt with a longer tolerance', async () => {
  const headers = sign(BODY, { timestamp: Math.floor(Date.now() / 1_000) - 3_600 })
  expect(await verifyWebhook(BODY, headers, SECRET, { toleranceMs: 7_200_000 })).toMatchObject({ id: 'event-1' })
})
