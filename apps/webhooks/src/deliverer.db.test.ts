import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, listSigningSecrets, openDb, recordWebhookEvent } from '@subtext/db'
import { createSignals } from '@subtext/queue'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/standins'
import { createTestDatabase, type TestDatabase, testQueue } from '@subtext/testing'
import { Webhook } from 'standardwebhooks'
import { type RunningDeliverer, startDeliverer } from './deliverer.ts'
import { WebhooksEnv } from './env.ts'

const PATIENCE_MS = 15_000
const queue = testQueue()
let database: TestDatabase
let db: Db
let receiver: WebhookReceiver
let userId: string
let running: RunningDeliverer[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 4 })
  userId = randomUUID()
  await db.prisma.user.create({ data: { id: userId, email: 'owner@example.org', plan: 'pro' } })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((deliverer) => deliverer.stop()))
  await receiver.close()
  await db.query('TRUNCATE webhook_events CASCADE')
})

function start(settings: Record<string, string> = {}): RunningDeliverer {
  const env = WebhooksEnv.parse({
    DATABASE_URL: database.url,
    REDIS_URL: queue.url,
    QUEUE_PREFIX: queue.prefix,
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,0s',
    ...settings,
  })
  const deliverer = startDeliverer(env)
  running.push(deliverer)
  return deliverer
}
async function store(url = receiver.origin, body = Buffer.from(`{"id":"${randomUUID()}","text":"\u00e9 \u2028"}`)) {
  const event = {
    id: randomUUID(),
    deliveryId: randomUUID(),
    userId,
    type: 'job.completed' as const,
    subjectId: randomUUID(),
    url,
    body,
    createdAt: new Date(Date.now() - 1),
  }
  await recordWebhookEvent(db, event)
  return event
}
const delivery = (id: string) =>
  db.prisma.webhookDelivery.findUniqueOrThrow({
    where: { id },
    include: { attemptHistory: { orderBy: { attemptNo: 'asc' } } },
  })
async function settled(id: string) {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await delivery(id)
    if (found.status !== 'pending') return found
    if (performance.now() > deadline) throw new Error(`Still pending after ${found.attempts} attempts.`)
    await sleep(20)
  }
}

test('an attempt that failed is repeated with the same id and bytes, signed anew, until it is acknowledged', async () => {
  receiver.answer((_, nth) => ({ status: nth < 3 ? 500 : 204 }))
  const event = await store()
  start()
  const { status, attempts, attemptHistory } = await settled(event.deliveryId)
  expect({ status, attempts }).toEqual({ status: 'delivered', attempts: 3 })
  expect(attemptHistory.map(({ attemptNo, statusCode }) => [attemptNo, statusCode])).toEqual([
    [1, 500],
    [2, 500],
    [3, 204],
  ])
  expect(receiver.received).toHaveLength(3)
  const [secret = ''] = await listSigningSecrets(db, userId)
  for (const [index, { headers, body }] of receiver.received.entries()) {
    expect(body.equals(event.body)).toBe(true)
    expect(headers).toMatchObject({
      'x-webhook-id': event.id,
      'webhook-id': event.id,
      'x-webhook-event': 'job.completed',
      'x-webhook-attempt': String(index + 1),
    })
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  }
})

test('410 ends a delivery at once', async () => {
  receiver.answer({ status: 410 })
  const { deliveryId } = await store()
  start()
  expect(await settled(deliveryId)).toMatchObject({ status: 'failed', attempts: 1 })
})

test('when the schedule is used up the delivery has failed, with what was met each time', async () => {
  receiver.answer({ instead: 'reset' })
  const { deliveryId } = await store()
  start()
  const { status, attemptHistory } = await settled(deliveryId)
  expect(status).toBe('failed')
  expect(attemptHistory.map(({ statusCode, error }) => [statusCode, error])).toEqual(
    Array(3).fill([null, 'connection']),
  )
})

test('where private addresses are not allowed nothing reaches one, and the history says why', async () => {
  const { deliveryId } = await store()
  start({ WEBHOOK_ALLOW_PRIVATE: 'false' })
  const { status, attemptHistory } = await settled(deliveryId)
  expect(status).toBe('failed')
  expect(attemptHistory[0]?.error).toBe('address_refused')
  expect(receiver.received).toEqual([])
})

test('what becomes due while nobody signals is found all the same; with a signal as well', async () => {
  start()
  await sleep(100)
  const unheard = await store()
  await settled(unheard.deliveryId)
  const heard = await store()
  const signals = createSignals(queue)
  await signals.publish('delivery', heard.id).catch(() => {})
  await settled(heard.deliveryId)
  await signals.close()
  expect(receiver.received).toHaveLength(2)
})

test('deliverers at once deliver every event once', async () => {
  receiver.answer({ delayMs: 10 })
  const events = await Promise.all(Array.from({ length: 60 }, () => store()))
  for (let count = 0; count < 3; count++) start({ WEBHOOK_CONCURRENCY: '5' })
  await Promise.all(events.map(({ deliveryId }) => settled(deliveryId)))
  expect(receiver.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual(
    events.map(({ id }) => id).sort(),
  )
  const attempts = await db.prisma.webhookAttempt.count()
  expect(attempts).toBe(60)
})

test('a deliverer runs no more attempts at once than it may', async () => {
  let atOnce = 0
  let most = 0
  receiver.answer(() => {
    most = Math.max(most, ++atOnce)
    setTimeout(() => atOnce--, 30)
    return { delayMs: 40 }
  })
  const events = await Promise.all(Array.from({ length: 12 }, () => store()))
  start({ WEBHOOK_CONCURRENCY: '3' })
  await Promise.all(events.map(({ deliveryId }) => settled(deliveryId)))
  expect(most).toBe(3)
})

test('stopping waits for the attempts under way and starts no other', async () => {
  receiver.answer({ delayMs: 400 })
  const events = await Promise.all(Array.from({ length: 3 }, () => store()))
  const deliverer = start({ WEBHOOK_CONCURRENCY: '1' })
  await receiver.waitFor(() => true, PATIENCE_MS)
  await deliverer.stop()
  running = []
  const states = await Promise.all(events.map(({ deliveryId }) => delivery(deliveryId)))
  expect(states.map(({ status }) => status).sort()).toEqual(['delivered', 'pending', 'pending'])
  expect(receiver.received).toHaveLength(1)
})

test('accounts without a secret get one with their first delivery, and later ones keep it', async () => {
  await db.query('DELETE FROM webhook_secrets')
  const first = await store()
  start()
  await settled(first.deliveryId)
  const secrets = await listSigningSecrets(db, userId)
  expect(secrets).toEqual([expect.stringMatching(/^whsec_[\w+/]{43}=$/)])
  await settled((await store()).deliveryId)
  expect(await listSigningSecrets(db, userId)).toEqual(secrets)
})
