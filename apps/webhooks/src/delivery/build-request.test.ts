import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { buildHeaders } from './build-request.ts'

const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const delivery = {
  eventId: '0190b0c4-0000-7000-8000-000000000001',
  type: 'job.completed' as const,
  attemptNo: 2,
  body: Buffer.from('{"title":"naïve ☕","n":1}'),
}
const now = new Date()

describe('buildHeaders', () => {
  test('signs the bytes of the body with the text of the current secret', () => {
    const headers = buildHeaders(delivery, [secretOf(1), secretOf(2)], now)
    const expected = createHmac('sha256', secretOf(1)).update(delivery.body).digest('hex')
    expect(headers['X-Webhook-Signature']).toBe(`sha256=${expected}`)
    expect(headers['X-Webhook-Attempt']).toBe('2')
  })

  test('creates the same signature as openssl', () => {
    const { 'X-Webhook-Signature': signature } = buildHeaders(delivery, [secretOf(1)], now)
    const arguments_ = ['dgst', '-sha256', '-hmac', secretOf(1), '-hex']
    const { stdout, error } = spawnSync('openssl', arguments_, { input: delivery.body, encoding: 'utf8' })
    if (error)
      throw new Error('This test compares signatures with openssl, which must be on the PATH.', { cause: error })
    expect(`sha256=${stdout.trim().split(' ').at(-1)}`).toBe(signature)
  })

  test.each([1, 2])(
    'creates a signature that the Standard Webhooks library accepts with secret %i of a rotation',
    (fill) => {
      const headers = buildHeaders(delivery, [secretOf(1), secretOf(2)], now)
      expect(new Webhook(secretOf(fill)).verify(delivery.body.toString(), headers)).toEqual({ title: 'naïve ☕', n: 1 })
    },
  )

  test('creates a signature that is not valid for another secret or another body', () => {
    const headers = buildHeaders(delivery, [secretOf(1)], now)
    expect(() => new Webhook(secretOf(3)).verify(delivery.body.toString(), headers)).toThrow()
    expect(() => new Webhook(secretOf(1)).verify('{}', headers)).toThrow()
  })
})
