import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { redeliver } from '@subtext/db'
import { Webhook } from 'standardwebhooks'
import { TestDeliverers, until } from './testing/deliverer.ts'

const PATIENCE_MS = 15_000
let deliverers: TestDeliverers

beforeAll(async () => {
  deliverers = await TestDeliverers.open()
})
afterEach(() => deliverers.reset())
afterAll(() => deliverers.close())

test('an attempt that failed is repeated with the same id and bytes, signed anew, until it is acknowledged', async () => {
  deliverers.receiver.answer((_, nth) => ({ status: nth < 3 ? 500 : 204 }))
  const event = await deliverers.store()
  deliverers.start()
  const { status, attempts, attemptHistory } = await deliverers.settled(event.deliveryId)
  expect({ status, attempts }).toEqual({ status: 'delivered', attempts: 3 })
  expect(attemptHistory.map(({ attemptNo, statusCode }) => [attemptNo, statusCode])).toEqual([
    [1, 500],
    [2, 500],
    [3, 204],
  ])
  expect(deliverers.receiver.received).toHaveLength(3)
  const [secret] = await deliverers.secrets()
  for (const [index, { headers, body }] of deliverers.receiver.received.entries()) {
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
  deliverers.receiver.answer({ status: 410 })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'failed', attempts: 1 })
})

test('when the schedule is used up the delivery has failed, with what was met each time', async () => {
  deliverers.receiver.answer({ instead: 'reset' })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  const { status, attemptHistory } = await deliverers.settled(deliveryId)
  expect(status).toBe('failed')
  expect(attemptHistory.map(({ statusCode, error }) => [statusCode, error])).toEqual(
    Array(3).fill([null, 'connection']),
  )
})

test('where private addresses are not allowed nothing reaches one, and the history says why', async () => {
  const { deliveryId } = await deliverers.store()
  deliverers.start({ WEBHOOK_ALLOW_PRIVATE: 'false' })
  const { status, attemptHistory } = await deliverers.settled(deliveryId)
  expect(status).toBe('failed')
  expect(attemptHistory[0]?.error).toBe('address_refused')
  expect(deliverers.receiver.received).toEqual([])
})

test('finds deliveries that become due without a notification, and those with one', async () => {
  deliverers.start()
  await sleep(100)
  const unheard = await deliverers.store()
  await deliverers.settled(unheard.deliveryId)
  const heard = await deliverers.store()
  await deliverers.tell(heard.id)
  await deliverers.settled(heard.deliveryId)
  expect(deliverers.receiver.received).toHaveLength(2)
})

test('deliverers at once deliver every event once', async () => {
  deliverers.receiver.answer({ delayMs: 10 })
  const events = await Promise.all(Array.from({ length: 60 }, () => deliverers.store()))
  for (let count = 0; count < 3; count++) deliverers.start({ WEBHOOK_CONCURRENCY: '5' })
  await Promise.all(events.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  expect(deliverers.receiver.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual(
    events.map(({ id }) => id).sort(),
  )
  const attempts = await deliverers.db.prisma.webhookAttempt.count()
  expect(attempts).toBe(60)
})

test('a deliverer runs no more attempts at once than it may', async () => {
  let atOnce = 0
  let most = 0
  deliverers.receiver.answer(() => {
    most = Math.max(most, ++atOnce)
    setTimeout(() => atOnce--, 290)
    return { delayMs: 300 }
  })
  const events = await Promise.all(Array.from({ length: 12 }, () => deliverers.store()))
  deliverers.start({ WEBHOOK_CONCURRENCY: '3' }, { detachAfterMs: 60_000 })
  await Promise.all(events.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  expect(most).toBe(3)
})

test('stopping waits for the attempts under way and starts no other', async () => {
  deliverers.receiver.answer({ delayMs: 400 })
  const events = await Promise.all(Array.from({ length: 3 }, () => deliverers.store()))
  const deliverer = deliverers.start({ WEBHOOK_CONCURRENCY: '1' }, { detachAfterMs: 60_000 })
  await deliverers.receiver.waitFor(() => true, PATIENCE_MS)
  await deliverer.stop()
  const states = await Promise.all(events.map(({ deliveryId }) => deliverers.find(deliveryId)))
  expect(states.map(({ status }) => status).sort()).toEqual(['delivered', 'pending', 'pending'])
  expect(deliverers.receiver.received).toHaveLength(1)
})

test('accounts without a secret get one with their first delivery, and later ones keep it', async () => {
  await deliverers.db.query('DELETE FROM webhook_secrets')
  const first = await deliverers.store()
  deliverers.start()
  await deliverers.settled(first.deliveryId)
  const secrets = await deliverers.secrets()
  expect(secrets).toEqual([expect.stringMatching(/^whsec_[\w+/]{43}=$/)])
  await deliverers.settled((await deliverers.store()).deliveryId)
  expect(await deliverers.secrets()).toEqual(secrets)
})

test('the next attempt is made at its time, not at the next look around', async () => {
  deliverers.receiver.answer((_, nth) => ({ status: nth === 1 ? 500 : 204 }))
  const { deliveryId } = await deliverers.store()
  deliverers.start({ WEBHOOK_RETRY_SCHEDULE: '1s' }, { pollIntervalMs: 600_000 })
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('Retry-After puts the next attempt off', async () => {
  deliverers.receiver.answer({ status: 503, headers: { 'Retry-After': '600' } })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  await deliverers.receiver.waitFor(() => true, PATIENCE_MS)
  await deliverers.stopAll()
  const { status, nextAttemptAt } = await deliverers.find(deliveryId)
  expect(status).toBe('pending')
  expect(nextAttemptAt.getTime() - Date.now()).toBeGreaterThan(500_000)
})

test('a disabled endpoint gets nothing but what is asked for; a success opens it again', async () => {
  deliverers.receiver.answer({ status: 500 })
  const settings = { WEBHOOK_DISABLE_AFTER: '0s', WEBHOOK_RETRY_SCHEDULE: '24h' }
  const failing = await Promise.all(Array.from({ length: 10 }, () => deliverers.store()))
  deliverers.start(settings)
  await until(
    async () => (await deliverers.db.prisma.webhookEndpoint.count({ where: { disabledAt: { not: null } } })) === 1,
  )
  expect(deliverers.receiver.received).toHaveLength(10)

  const missed = await deliverers.store(`${deliverers.receiver.origin}/?job=${randomUUID()}`)
  expect(await deliverers.settled(missed.deliveryId)).toMatchObject({ status: 'skipped', attempts: 0 })
  const elsewhere = await deliverers.store(`${deliverers.receiver.origin}/elsewhere`)
  await until(async () => (await deliverers.find(elsewhere.deliveryId)).attempts === 1)
  expect(deliverers.receiver.received).toHaveLength(11)

  deliverers.receiver.answer({})
  const [first] = failing
  expect(await redeliver(deliverers.db, deliverers.userId, missed.deliveryId)).toBe(true)
  expect(await deliverers.settled(missed.deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 })
  const later = await deliverers.store()
  expect(await deliverers.settled(later.deliveryId)).toMatchObject({ status: 'delivered' })
  expect(await deliverers.find(first?.deliveryId ?? '')).toMatchObject({ status: 'pending', attempts: 1 })
})
