import { randomUUID } from 'node:crypto'
import type { RotatedWebhookSecret, WebhookDelivery } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { type ReceivedWebhook, SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, findViolations, type TestSystem, useClient, watchUrl } from '@subtext/testbed'
import { Webhook } from 'standardwebhooks'
import { usePlainSystem } from './use-plain-system.ts'

interface DeliveryDetail extends WebhookDelivery {
  attempts: { attempt: number; status_code: number | null; error: string | null; response_body: string | null }[]
  request_body: string
}

const system = usePlainSystem()
const client = useClient(system)
afterEach(() => system.receiver.reply({}))

function createManager(system: TestSystem, client: Client) {
  async function post<T>(path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${system.baseUrl}/api/v1/webhooks${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${client.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    })
    const { data, error } = (await response.json()) as { data: T; error: unknown }
    return { status: response.status, data, error }
  }
  const detail = async (id: string): Promise<DeliveryDetail> =>
    (await client.get<DeliveryDetail>(`/webhooks/deliveries/${id}`)).data
  const list = async (query: string): Promise<WebhookDelivery[]> =>
    (await client.get<{ deliveries: WebhookDelivery[] }>(`/webhooks/deliveries?${query}`)).data.deliveries
  async function settled(id: string, attempts: number): Promise<DeliveryDetail> {
    let found = await detail(id)
    await waitUntil(`${attempts} attempts are over`, async () => {
      found = await detail(id)
      return found.status !== 'pending' && found.attempts.length >= attempts
    })
    return found
  }
  const arrivals = (eventId: string): ReceivedWebhook[] =>
    system.receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId)
  const attemptsOf = (webhooks: ReceivedWebhook[]): number[] =>
    webhooks.map(({ headers }) => Number(headers['x-webhook-attempt']))
  return { post, list, settled, arrivals, attemptsOf }
}

const { post, list, settled, arrivals, attemptsOf } = createManager(system, client)

test('webhook management shows a failed delivery with its attempts, and sends it again unchanged on request', async () => {
  system.receiver.reply({ status: 500, body: 'Try again later' })
  const jobId = await client.submit({
    url: watchUrl(SAMPLE_TALKS.english.id),
    webhook_url: `${system.receiver.origin}/hook?token=1`,
  })
  await client.follow(jobId)
  const [listed] = await list(`job_id=${jobId}`)
  const id = listed?.delivery_id ?? ''
  const failed = await settled(id, 3)
  expect(failed).toMatchObject({
    event: 'job.completed',
    job_id: jobId,
    url: `${system.receiver.origin}/hook?token=1`,
    status: 'failed',
    attempt_count: 3,
    last_attempt: { attempt: 3, status_code: 500, error: null },
  })
  expect(
    failed.attempts.map(({ attempt, status_code, response_body }) => [attempt, status_code, response_body]),
  ).toEqual([1, 2, 3].map((attempt) => [attempt, 500, 'Try again later']))
  expect(failed.request_body).toContain(jobId)
  expect((await list('status=failed')).map((one) => one.delivery_id)).toEqual([id])
  expect(await list('status=delivered')).toEqual([])

  system.receiver.reply({ status: 204 })
  const clicks = await Promise.all([1, 2, 3].map(() => post<WebhookDelivery>(`/deliveries/${id}/redeliver`)))
  expect(clicks.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await settled(id, 4)).toMatchObject({ status: 'delivered', attempt_count: 4, event_id: failed.event_id })
  const arrived = arrivals(failed.event_id)
  expect(attemptsOf(arrived)).toEqual([1, 2, 3, 4])
  expect(new Set(arrived.map(({ body }) => body.toString('base64'))).size).toBe(1)
  expect(JSON.parse(String(arrived[3]?.body))).toMatchObject({ id: failed.event_id, data: { job_id: jobId } })
})

test('webhook management starts the schedule of a delivery over when it is sent again, and keeps counting its attempts', async () => {
  const sent = await post<WebhookDelivery>('/test', { url: system.receiver.origin })
  const { delivery_id: id, event_id: eventId } = sent.data
  expect(await settled(id, 1)).toMatchObject({ status: 'delivered' })
  // What is left of the first schedule would allow one attempt.
  system.receiver.reply({ status: 503 })
  await post(`/deliveries/${id}/redeliver`)
  expect(await settled(id, 4)).toMatchObject({ status: 'failed', attempt_count: 4 })
  expect(attemptsOf(arrivals(eventId))).toEqual([1, 2, 3, 4])
})

test('webhook management sends a test event that verifies with the new secret and with the one before it', async () => {
  const rotations = [
    await post<RotatedWebhookSecret>('/secret/rotate', undefined, { 'Idempotency-Key': randomUUID() }),
    await post<RotatedWebhookSecret>('/secret/rotate', undefined, { 'Idempotency-Key': randomUUID() }),
  ]
  const { status, data } = await post<WebhookDelivery>('/test', { url: `${system.receiver.origin}/test` })
  expect(status).toBe(202)
  const { headers, body, url } = await system.receiver.waitFor(
    (webhook) => webhook.headers['webhook-id'] === data.event_id,
  )
  expect([url, headers['x-webhook-event']]).toEqual(['/test', 'webhook.test'])
  for (const { data: rotated } of rotations) {
    const event = new Webhook(rotated.secret).verify(body.toString(), headers as Record<string, string>)
    expect(event).toMatchObject({ id: data.event_id, event: 'webhook.test', data: { test: true } })
  }
  expect((await settled(data.delivery_id, 1)).attempts).toMatchObject([{ attempt: 1, status_code: 204, error: null }])
})

test('webhook management stores and logs no secret in plain text', async () => {
  const { data } = await post<RotatedWebhookSecret>('/secret/rotate', undefined, { 'Idempotency-Key': 'kept' })
  const bare = data.secret.slice(data.prefix.length)
  const stored = await system.rows<{ text: string }>(
    `SELECT t::text AS text FROM webhook_secrets t UNION ALL SELECT t::text FROM idempotency_keys t`,
  )
  expect(stored.length).toBeGreaterThan(3)
  expect(stored.filter(({ text }) => text.includes(bare))).toEqual([])
  expect(await system.readLogs()).not.toContain(bare)
})

test('webhook management leaves every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
