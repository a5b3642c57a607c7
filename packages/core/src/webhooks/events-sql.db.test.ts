import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimDeliveries, claimOne, newOutcome, passTime, settle, storeEvent } from '../testing/index.ts'
import { queueDueDeliveries, skipDeliveries } from './claim-sql.ts'
import { queueRedelivery, recordDelivered, recordFailedAttempt, recordWebhookEvent } from './events-sql.ts'

const { db } = useTestDatabase()
beforeEach(async () => {
  await db.query('TRUNCATE webhook_events, webhook_receivers, webhook_endpoints CASCADE')
})

const USER = randomUUID()

describe('recordWebhookEvent', () => {
  test('records one event of a type per subject', async () => {
    const { subjectId } = await storeEvent(db)
    await expect(storeEvent(db, { subjectId })).rejects.toThrow('webhook_events_subject_id_type_key')
    await storeEvent(db, { subjectId, type: 'job.failed' })
    expect(await db.prisma.webhookDelivery.count()).toBe(2)
  })

  test.each([
    ['at once, even if the clock of the process is ahead', 120_000, 0],
    ['in the order of the events', -120_000, -120_000],
  ])('makes the first attempt due %s', async (_, aheadMs, dueMs) => {
    const before = Date.now()
    const createdAt = new Date(before + aheadMs)
    const { id } = await storeEvent(db, { createdAt })
    const delivery = await db.prisma.webhookDelivery.findFirstOrThrow({ include: { event: true } })
    expect([delivery.createdAt, delivery.event.createdAt]).toEqual([createdAt, createdAt])
    const dueAt = delivery.nextAttemptAt.getTime()
    expect([dueAt >= before + dueMs, dueAt <= Date.now() + dueMs]).toEqual([true, true])
    expect((await claimDeliveries(db)).map(({ eventId }) => eventId)).toEqual([id])
  })

  test('is rolled back with its transaction', async () => {
    const event = await storeEvent(db)
    await db.query('TRUNCATE webhook_events CASCADE')
    const work = db.transaction(async (sql) => {
      await recordWebhookEvent(sql, event)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await db.prisma.webhookEvent.count()).toBe(0)
    expect(await claimDeliveries(db)).toEqual([])
  })
})

describe('recording an attempt', () => {
  test('keeps the history of all attempts by their number', async () => {
    const { deliveryId } = await storeEvent(db)
    const startedAt = new Date('2026-11-21T12:00:00.000Z')
    expect(await settle(db, await claimOne(db), { startedAt, responseBody: '<h1>no' })).toEqual({
      endpointDisabled: false,
    })
    expect(await claimDeliveries(db)).toEqual([])
    await passTime(db)
    const second = await claimOne(db)
    expect(second.attemptNo).toBe(2)
    await settle(db, second, { startedAt, statusCode: null, error: 'timeout' })
    await passTime(db)
    const delivered = { startedAt, statusCode: 204, responseBody: 'ok', next: { status: 'delivered' } } as const
    await settle(db, await claimOne(db), delivered)
    const attempts = await db.prisma.webhookAttempt.findMany({ where: { deliveryId }, orderBy: { attemptNo: 'asc' } })
    const durationMs = 12
    expect(attempts).toEqual([
      { deliveryId, attemptNo: 1, startedAt, durationMs, statusCode: 500, error: null, responseBody: '<h1>no' },
      { deliveryId, attemptNo: 2, startedAt, durationMs, statusCode: null, error: 'timeout', responseBody: null },
      { deliveryId, attemptNo: 3, startedAt, durationMs, statusCode: 204, error: null, responseBody: 'ok' },
    ])
    const delivery = await db.prisma.webhookDelivery.findFirst()
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 3, leaseToken: null, ready: false })
  })

  test.each(['delivered', 'failed'] as const)('never makes a delivery due again that has %s', async (status) => {
    await storeEvent(db)
    await settle(db, await claimOne(db), { next: { status } })
    await db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s'`)
    expect(await claimDeliveries(db)).toEqual([])
  })

  test('accepts an outcome only from the current holder of the lease', async () => {
    await storeEvent(db)
    const lost = await claimOne(db)
    await passTime(db)
    const held = await claimOne(db)
    expect(await settle(db, lost, { next: { status: 'failed' } })).toBeNull()
    expect(await db.prisma.webhookAttempt.count()).toBe(0)
    expect(await settle(db, held, { next: { status: 'delivered' } })).not.toBeNull()
    expect(await settle(db, held)).toBeNull()
    expect(await db.prisma.webhookAttempt.count()).toBe(1)
    expect(await db.prisma.webhookEndpoint.count()).toBe(0)
  })

  test('accepts an outcome after the lease has expired, until another deliverer has claimed the delivery', async () => {
    const { deliveryId } = await storeEvent(db)
    const late = await claimOne(db)
    await passTime(db)
    await queueDueDeliveries(db, true)
    expect(await settle(db, late, { next: { status: 'delivered' } })).not.toBeNull()
    const delivery = await db.prisma.webhookDelivery.findUnique({ where: { id: deliveryId } })
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, ready: false })
    expect(await claimDeliveries(db)).toEqual([])
  })

  test('records an attempt and its number once, even concurrently', async () => {
    const { deliveryId } = await storeEvent(db)
    const held = await claimOne(db)
    const written = await Promise.all(Array.from({ length: 8 }, () => settle(db, held)))
    expect(written.filter((outcome) => outcome !== null)).toHaveLength(1)
    const again = db.prisma.webhookAttempt.create({
      data: { deliveryId, attemptNo: 1, startedAt: new Date(), durationMs: 1 },
    })
    await expect(again).rejects.toThrow('Unique constraint')
  })
})

test('records attempts that were acknowledged together, each only for the current holder of its lease', async () => {
  const sent = [
    { url: 'https://one.example.org/a', quick: true },
    { url: 'https://one.example.org/b', quick: false },
    { url: 'https://two.example.org/a', quick: true },
    { url: 'https://two.example.org/b', quick: true },
  ]
  for (const { url } of sent) await storeEvent(db, { userId: USER, url })
  await settle(db, await claimOne(db))
  await passTime(db)
  const lost = await claimOne(db)
  await passTime(db)
  const held = await claimDeliveries(db)
  expect(held).toHaveLength(sent.length)
  const attempts = [lost, ...held].map((delivery) => ({
    delivery,
    outcome: newOutcome({ statusCode: 204, quick: sent.find(({ url }) => url === delivery.url)?.quick ?? true }),
  }))
  expect(await recordDelivered(db, attempts)).toEqual([false, true, true, true, true])
  expect(await recordDelivered(db, attempts)).toEqual(Array(5).fill(false))
  const deliveries = await db.prisma.webhookDelivery.findMany({ include: { attemptHistory: true } })
  expect(deliveries.map(({ status, leaseToken }) => [status, leaseToken])).toEqual(Array(4).fill(['delivered', null]))
  expect(deliveries.map(({ attempts, attemptHistory }) => attemptHistory.length - attempts)).toEqual([0, 0, 0, 0])
  expect(await db.prisma.webhookEndpoint.count()).toBe(0)
  const receivers = await db.prisma.webhookReceiver.findMany()
  expect(receivers.map(({ quick }) => quick).sort()).toEqual([false, true])
})

test('records the use of a receiver that stays quick about once a day', async () => {
  const use = async () => {
    await storeEvent(db, { userId: USER })
    await settle(db, await claimOne(db), { quick: true, next: { status: 'delivered' } })
    return (await db.prisma.webhookReceiver.findFirstOrThrow()).updatedAt
  }
  const first = await use()
  expect(await use()).toEqual(first)
  await db.query("UPDATE webhook_receivers SET updated_at = now() - interval '25 hours'")
  expect((await use()).getTime()).toBeGreaterThanOrEqual(first.getTime())
})

describe('an endpoint with only failures', () => {
  const userId = randomUUID()
  const fail = async (url = 'https://example.org/hook?job=1') => {
    const event = await storeEvent(db, { userId, url })
    const held = await claimOne(db)
    return { event, disabled: (await settle(db, held))?.endpointDisabled }
  }
  const daysAgo = (days: number) =>
    db.query(`UPDATE webhook_endpoints SET failing_since = now() - make_interval(days => $1)`, [days])

  test('disables an endpoint after five days and ten events, regardless of their queries', async () => {
    for (let n = 0; n < 8; n++)
      expect(await fail(`https://example.org/hook?job=${n}`)).toMatchObject({ disabled: false })
    await daysAgo(6)
    expect((await fail()).disabled).toBe(false)
    expect((await fail()).disabled).toBe(true)
    const endpoint = await db.prisma.webhookEndpoint.findFirst()
    expect(endpoint).toMatchObject({ userId, url: 'https://example.org/hook', failedEvents: 10 })
    expect(endpoint?.disabledAt).not.toBeNull()
  })

  test('tells the owner once that an endpoint was disabled, whatever fails there afterwards', async () => {
    await db.query('INSERT INTO users (id, email, email_verified) VALUES ($1, $2, true)', [userId, 'owner@example.org'])
    const emails = async () =>
      (await db.query('SELECT recipient, kind, data FROM emails WHERE user_id = $1', [userId])).rows
    const url = 'https://example.org/told?token=secret'
    for (let n = 0; n < 9; n++) await fail(url)
    await daysAgo(6)
    expect(await emails()).toEqual([])
    const { event } = await fail(url)
    const notice = {
      recipient: 'owner@example.org',
      kind: 'endpoint_disabled',
      data: { url: 'https://example.org/told' },
    }
    expect(await emails()).toEqual([notice])
    await queueRedelivery(db, userId, event.deliveryId)
    await settle(db, await claimOne(db))
    expect(await emails()).toEqual([notice])
  })

  test('does not disable an endpoint within five days', async () => {
    for (let n = 0; n < 10; n++) await fail()
    await daysAgo(4)
    expect((await fail()).disabled).toBe(false)
  })

  test('counts an event once, however many attempts it takes', async () => {
    const { event } = await fail()
    await daysAgo(6)
    for (let n = 0; n < 12; n++) {
      await passTime(db)
      expect(await settle(db, await claimOne(db))).toEqual({ endpointDisabled: false })
    }
    expect(await db.prisma.webhookDelivery.findUnique({ where: { id: event.deliveryId } })).toMatchObject({
      attempts: 13,
    })
    expect(await db.prisma.webhookEndpoint.findFirst()).toMatchObject({ failedEvents: 1 })
  })

  test('forgets all failures of an endpoint after one success', async () => {
    await fail()
    await fail('https://example.org/other')
    await storeEvent(db, { userId, url: 'https://example.org/hook?job=9' })
    await settle(db, await claimOne(db), { statusCode: 204, next: { status: 'delivered' } })
    expect(await db.prisma.webhookEndpoint.findMany()).toMatchObject([{ url: 'https://example.org/other' }])
  })

  test('does not count failures from before the success', async () => {
    const { event } = await fail()
    await storeEvent(db, { userId })
    await settle(db, await claimOne(db), { next: { status: 'delivered' } })
    await fail()
    await passTime(db)
    for (const delivery of await claimDeliveries(db)) await settle(db, delivery)
    expect(event.userId).toBe(userId)
    expect(await db.prisma.webhookEndpoint.findFirst()).toMatchObject({ failedEvents: 2 })
  })

  test('keeps the endpoints of accounts apart', async () => {
    await fail()
    await storeEvent(db)
    await settle(db, await claimOne(db))
    expect(await db.prisma.webhookEndpoint.count()).toBe(2)
  })
})

describe('queueRedelivery', () => {
  test.each(['delivered', 'failed', 'skipped'])('attempts a %s delivery again, once', async (status) => {
    const { deliveryId, userId } = await storeEvent(db)
    if (status === 'skipped') await skipDeliveries(db, [deliveryId])
    else await settle(db, await claimOne(db), { next: { status: status as 'failed' } })
    expect(await claimDeliveries(db)).toEqual([])
    expect(await queueRedelivery(db, userId, deliveryId)).toBe(true)
    const again = await claimOne(db)
    expect(again).toMatchObject({ id: deliveryId, attemptNo: status === 'skipped' ? 1 : 2 })
    await settle(db, again, { next: { status: 'delivered' } })
    expect(await db.prisma.webhookDelivery.findFirst()).toMatchObject({ status: 'delivered', forced: false })
  })

  test('replaces the attempt that is scheduled for later', async () => {
    const { deliveryId, userId } = await storeEvent(db)
    await settle(db, await claimOne(db))
    expect(await queueRedelivery(db, userId, deliveryId)).toBe(true)
    expect(await claimOne(db)).toMatchObject({ attemptNo: 2 })
    await passTime(db)
    expect(await claimDeliveries(db)).toHaveLength(1)
    expect(await claimDeliveries(db)).toEqual([])
  })

  test('does not disturb a running attempt or the deliveries of other accounts', async () => {
    const { deliveryId, userId } = await storeEvent(db)
    expect(await queueRedelivery(db, randomUUID(), deliveryId)).toBe(false)
    const held = await claimOne(db)
    expect(await queueRedelivery(db, userId, deliveryId)).toBe(false)
    expect(await recordFailedAttempt(db, held, newOutcome(), { afterSeconds: 1, failedEvents: 1 })).not.toBeNull()
  })
})
