import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimDeliveries, settle } from '@subtext/core/testing'
import { queueRedelivery } from '@subtext/core/webhooks'
import type { WebhookReply } from '@subtext/fakes'
import { Webhook } from 'standardwebhooks'
import { TestDeliverers, until } from './testing/deliverer.ts'

let deliverers: TestDeliverers

/** On a busy machine, a test may take long between the stop of a deliverer and the end of its attempts. */
const ONE_SLOT = { WEBHOOK_CONCURRENCY: '1', SHUTDOWN_GRACE_SECONDS: '300' }

/** Returns the function that resolves the promise, and the promise. */
function createPromise(): [() => void, Promise<void>] {
  let resolve = (): void => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return [resolve, promise]
}

beforeAll(async () => {
  deliverers = await TestDeliverers.open()
})
afterEach(() => deliverers.reset())
afterAll(() => deliverers.close())

test('repeats a failed attempt with the same ID and bytes and a new signature until it is acknowledged', async () => {
  deliverers.receiver.reply((_, nth) => ({ status: nth < 3 ? 500 : 204 }))
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

test('ends a delivery at once after 410', async () => {
  deliverers.receiver.reply({ status: 410 })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'failed', attempts: 1 })
})

test('fails a delivery when the schedule is used up, and records the outcome of each attempt', async () => {
  deliverers.receiver.reply({ instead: 'reset' })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  const { status, attemptHistory } = await deliverers.settled(deliveryId)
  expect(status).toBe('failed')
  expect(attemptHistory.map(({ statusCode, error }) => [statusCode, error])).toEqual(Array(3).fill([null, 'reset']))
})

test('takes over the delivery of a deliverer that died during the attempt when the lease expires', async () => {
  const { deliveryId } = await deliverers.store()
  const [lost] = await claimDeliveries(deliverers.db, { leaseSeconds: 2 })
  deliverers.start()
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(deliverers.receiver.received).toHaveLength(1)
  // Should the dead deliverer come back, its outcome no longer counts.
  if (lost) expect(await settle(deliverers.db, lost, { next: { status: 'failed' } })).toBeNull()
  expect(await deliverers.find(deliveryId)).toMatchObject({ id: lost?.id, status: 'delivered', attempts: 1 })
})

test('sends nothing to private addresses unless they are allowed, and records the reason', async () => {
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
  const silent = await deliverers.store()
  await deliverers.settled(silent.deliveryId)
  const notified = await deliverers.store()
  await deliverers.notify(notified.id)
  await deliverers.settled(notified.deliveryId)
  expect(deliverers.receiver.received).toHaveLength(2)
})

test('concurrent deliverers deliver every event once', async () => {
  deliverers.receiver.reply({ delayMs: 10 })
  const events = await Promise.all(Array.from({ length: 60 }, () => deliverers.store()))
  for (let count = 0; count < 3; count++) deliverers.start({ WEBHOOK_CONCURRENCY: '5' })
  await Promise.all(events.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  expect(deliverers.receiver.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual(
    events.map(({ id }) => id).sort(),
  )
  const attempts = await deliverers.db.prisma.webhookAttempt.count()
  expect(attempts).toBe(60)
})

test('runs at most as many attempts at the same time as its concurrency allows', async () => {
  deliverers.receiver.reply((_, nth) => (nth > 3 ? {} : { instead: 'hang' }))
  const paths = Array.from({ length: 12 }, (_, index) => `${deliverers.receiver.origin}/${index}`)
  await Promise.all(paths.map((url) => deliverers.store(url)))
  deliverers.start({ WEBHOOK_CONCURRENCY: '3' }, { attemptTimeoutMs: 1_800_000, detachAfterMs: 3_600_000 })
  await deliverers.receiver.waitFor(() => deliverers.receiver.received.length >= 3)
  // No attempt ends, so none of the others may begin.
  await sleep(500)
  expect(deliverers.receiver.received).toHaveLength(3)
})

test('waits for the attempts in progress when it stops, and claims no others', async () => {
  const [respond, responding] = createPromise()
  deliverers.receiver.reply({ until: responding })
  const events = await Promise.all(Array.from({ length: 3 }, () => deliverers.store()))
  const deliverer = deliverers.start(ONE_SLOT, { detachAfterMs: 3_600_000 })
  await deliverers.receiver.waitFor(() => true)
  const stopping = deliverer.stop()
  respond()
  await stopping
  const states = await Promise.all(events.map(({ deliveryId }) => deliverers.find(deliveryId)))
  expect(states.map(({ status }) => status).sort()).toEqual(['delivered', 'pending', 'pending'])
  expect(deliverers.receiver.received).toHaveLength(1)
})

test('claims more than it has slots while receivers are quick, and delivers all of it when it stops', async () => {
  const { db, receiver } = deliverers
  const isClaimed = { leaseToken: { not: null } }
  const [respond, responding] = createPromise()
  const open = { now: 0, max: 0 }
  let isHolding = false
  receiver.reply(async () => {
    open.max = Math.max(open.max, ++open.now)
    if ((await db.prisma.webhookDelivery.count({ where: isClaimed })) > 1) {
      isHolding = true
      await responding
    }
    open.now--
    return {}
  })
  await Promise.all(Array.from({ length: 50 }, () => deliverers.store()))
  const deliverer = deliverers.start(ONE_SLOT, { detachAfterMs: 3_600_000, promptMs: 3_600_000 })
  await until(async () => isHolding)
  const stopping = deliverer.stop()
  const claimed = await db.prisma.webhookDelivery.findMany({ where: isClaimed })
  expect(claimed.length).toBeGreaterThan(1)
  respond()
  await stopping
  for (const { id } of claimed) expect(await deliverers.find(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(await db.prisma.webhookDelivery.count({ where: isClaimed })).toBe(0)
  expect(await db.prisma.webhookDelivery.count({ where: { status: 'delivered' } })).toBe(receiver.received.length)
  expect(open.max).toBe(1)
})

test('does not begin an attempt that its lease may not outlast', async () => {
  const { deliveryId } = await deliverers.store()
  deliverers.start({}, { attemptTimeoutMs: 600_000, leaseSeconds: 605 })
  await until(async () => (await deliverers.find(deliveryId)).leaseToken !== null)
  await deliverers.stopAll()
  expect(await deliverers.find(deliveryId)).toMatchObject({ status: 'pending', attempts: 0 })
  expect(deliverers.receiver.received).toEqual([])
})

test('creates a secret for the first delivery of an account and keeps it for later ones', async () => {
  await deliverers.db.query('DELETE FROM webhook_secrets')
  const first = await deliverers.store()
  deliverers.start()
  await deliverers.settled(first.deliveryId)
  const secrets = await deliverers.secrets()
  expect(secrets).toEqual([expect.stringMatching(/^whsec_[\w+/]{43}=$/)])
  await deliverers.settled((await deliverers.store()).deliveryId)
  expect(await deliverers.secrets()).toEqual(secrets)
})

test('makes the next attempt when it is due rather than at the next poll', async () => {
  deliverers.receiver.reply((_, nth) => ({ status: nth === 1 ? 500 : 204 }))
  const { deliveryId } = await deliverers.store()
  deliverers.start({ WEBHOOK_RETRY_SCHEDULE: '1s' }, { pollIntervalMs: 3_600_000 })
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('delays the next attempt as Retry-After requests', async () => {
  deliverers.receiver.reply({ status: 503, headers: { 'Retry-After': '600' } })
  const { deliveryId } = await deliverers.store()
  deliverers.start()
  await deliverers.receiver.waitFor(() => true)
  await deliverers.stopAll()
  const { status, nextAttemptAt } = await deliverers.find(deliveryId)
  expect(status).toBe('pending')
  expect(nextAttemptAt.getTime() - Date.now()).toBeGreaterThan(300_000)
})

test('sends a disabled endpoint only redeliveries, and enables it again after a success', async () => {
  deliverers.receiver.reply({ status: 500 })
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

  deliverers.receiver.reply({})
  const [first] = failing
  expect(await queueRedelivery(deliverers.db, deliverers.userId, missed.deliveryId)).toBe(true)
  expect(await deliverers.settled(missed.deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 })
  const later = await deliverers.store()
  expect(await deliverers.settled(later.deliveryId)).toMatchObject({ status: 'delivered' })
  expect(await deliverers.find(first?.deliveryId ?? '')).toMatchObject({ status: 'pending', attempts: 1 })
})

test('a deliverer that cannot reach Redis is ready and names it, one that cannot reach PostgreSQL is not ready', async () => {
  const { health } = deliverers.start({ REDIS_URL: 'redis://127.0.0.1:1' })
  await until(async () => (await health.ready()).body.status === 'degraded')
  expect(await health.ready()).toEqual({ ok: true, body: { status: 'degraded', away: ['redis'] } })

  const cut = deliverers.start({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  await until(async () => !(await cut.health.ready()).ok)
  expect((await cut.health.ready()).body).toEqual({ status: 'unavailable', away: ['postgres'] })
  expect(cut.health.live().ok).toBe(true)
})

test('keeps an acknowledgement while the database is read-only, and does not send the event again', async () => {
  let acknowledge = (): void => {}
  const acknowledged = new Promise<WebhookReply>((resolve) => {
    acknowledge = () => resolve({})
  })
  deliverers.receiver.reply(() => acknowledged)
  const { deliveryId } = await deliverers.store()
  deliverers.start({}, { pollIntervalMs: 20 })
  await deliverers.receiver.waitFor(() => true)
  await deliverers.setReadOnly(true)
  const before = await deliverers.countRollbacks()
  acknowledge()
  await deliverers.expireLeases()
  await until(async () => (await deliverers.countRollbacks()) > before + 5)
  await deliverers.setReadOnly(false)
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(deliverers.receiver.received).toHaveLength(1)
})

test('stops although the database does not respond, neither to a claim nor to an outcome', async () => {
  const link = await deliverers.openLink()
  const untilSilent = new Promise<WebhookReply>((resolve) => {
    deliverers.receiver.reply(() => {
      link.silence()
      resolve({})
      return untilSilent
    })
  })
  await deliverers.store()
  const settings = { DATABASE_URL: link.url, SHUTDOWN_GRACE_SECONDS: '1' }
  const deliverer = deliverers.start(settings, { queryTimeoutMs: 3_600_000, pollIntervalMs: 20 })
  await deliverers.receiver.waitFor(() => true)
  await deliverer.stop()
  await link.close()
})
