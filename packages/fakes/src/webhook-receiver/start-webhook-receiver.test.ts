import { startWebhookReceiver, type WebhookReceiver } from './start-webhook-receiver.ts'

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

function post(body: string | Uint8Array<ArrayBuffer>, path = '/hook'): Promise<Response> {
  return fetch(receiver.origin + path, { method: 'POST', body, headers: { 'X-Webhook-Event': 'job.completed' } })
}

test('keeps the bytes and headers of a request', async () => {
  const bytes = new Uint8Array([0, 255, 10, 13, 10])
  expect((await post(bytes, '/hook?a=1')).status).toBe(204)
  const [webhook] = receiver.received
  expect(webhook?.body.equals(Buffer.from(bytes))).toBe(true)
  expect(webhook?.headers['x-webhook-event']).toBe('job.completed')
  expect([webhook?.method, webhook?.url]).toEqual(['POST', '/hook?a=1'])
})

test('answers all requests in the same way, or each by a script', async () => {
  receiver.reply({ status: 410, body: 'gone', headers: { 'retry-after': '9' } })
  const gone = await post('a')
  expect([gone.status, await gone.text(), gone.headers.get('retry-after')]).toEqual([410, 'gone', '9'])
  receiver.reply((webhook, nth) => (nth < 3 ? { status: 500 } : { status: 200, body: webhook.body.toString() }))
  expect((await post('b')).status).toBe(500)
  expect(await (await post('c')).text()).toBe('c')
})

test('can reset the connection, hang, or delay the reply', async () => {
  receiver.reply({ instead: 'reset' })
  await expect(post('a')).rejects.toThrow('fetch failed')
  receiver.reply({ instead: 'hang' })
  const pending = expect(post('b')).rejects.toThrow()
  await receiver.waitFor((webhook) => webhook.body.toString() === 'b', 120_000)
  receiver.reply({ delayMs: 200 })
  const begun = performance.now()
  await post('c')
  expect(performance.now() - begun).toBeGreaterThan(150)
  await receiver.close()
  await pending
  receiver = await startWebhookReceiver()
})

test('waits for past and future webhooks', async () => {
  await post('past')
  const is = (text: string) => (webhook: { body: Buffer }) => webhook.body.toString() === text
  expect((await receiver.waitFor(is('past'), 1000)).body.toString()).toBe('past')
  const coming = receiver.waitFor(is('coming'), 120_000)
  await post('coming')
  expect((await coming).body.toString()).toBe('coming')
  await expect(receiver.waitFor(is('never'), 20)).rejects.toThrow('2 others did')
})
