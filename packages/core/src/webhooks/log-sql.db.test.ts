import { randomUUID } from 'node:crypto'
import type { WebhookEventType } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { queueRedelivery, recordWebhookEvent } from './events-sql.ts'
import { type DeliveryFilter, findWebhookDelivery, listWebhookDeliveries } from './log-sql.ts'
import { listAttempts } from './manage.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let userId: string
let made = 0
beforeEach(async () => {
  await db.query('TRUNCATE webhook_events CASCADE')
  userId = randomUUID()
})

/** Returns IDs that sort by creation, as those of the application do. */
const nextId = (): string => `0190b0c4-0000-7000-8000-${String(++made).padStart(12, '0')}`

async function store(
  type: WebhookEventType = 'job.completed',
  owner = userId,
): Promise<{ id: string; subjectId: string }> {
  const [id, subjectId] = [nextId(), randomUUID()]
  await recordWebhookEvent(db, {
    id: randomUUID(),
    deliveryId: id,
    userId: owner,
    type,
    subjectId,
    url: 'https://hooks.example.org/a?token=1',
    body: Buffer.from('{}'),
    createdAt: new Date(),
  })
  return { id, subjectId }
}
const change = (id: string, assignments: string) =>
  db.query(`UPDATE webhook_deliveries SET ready = false, ${assignments} WHERE id = $1`, [id])
const attempt = (id: string, attemptNo: number, statusCode: number | null, error: string | null) =>
  db.query(
    `INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms, status_code, error)
     VALUES ($1, $2, now(), 12, $3, $4)`,
    [id, attemptNo, statusCode, error],
  )
const list = async (
  filter: Partial<DeliveryFilter> = {},
  place: { before?: string; skip?: number; limit?: number } = {},
) => {
  const { deliveries, total } = await listWebhookDeliveries(
    db,
    userId,
    { status: null, type: null, subjectId: null, ...filter },
    { before: null, skip: 0, limit: 100, ...place },
  )
  return { ids: deliveries.map(({ id }) => id), total }
}

describe('listWebhookDeliveries', () => {
  test('lists the deliveries of its account, newest first, for every combination of filters', async () => {
    const types = ['job.completed', 'job.failed', 'webhook.test'] as const
    const statuses = ['pending', 'delivered', 'failed', 'skipped'] as const
    const all: { id: string; subjectId: string; type: WebhookEventType; status: string }[] = []
    for (let nth = 0; nth < 24; nth++) {
      const type = types[nth % 3] ?? 'job.failed'
      const status = statuses[nth % 4] ?? 'pending'
      const stored = await store(type)
      await change(stored.id, `status = '${status}'`)
      await store(type, randomUUID())
      all.unshift({ ...stored, type, status })
    }
    const subject = all[5]?.subjectId ?? ''
    for (const status of [null, ...statuses]) {
      for (const type of [null, ...types]) {
        for (const subjectId of [null, subject, randomUUID()]) {
          const expected = all.filter(
            (one) =>
              (status ?? one.status) === one.status &&
              (type ?? one.type) === one.type &&
              (subjectId ?? one.subjectId) === one.subjectId,
          )
          const found = await list({ status, type, subjectId })
          expect([status, type, found]).toEqual([
            status,
            type,
            { ids: expected.map(({ id }) => id), total: expected.length },
          ])
        }
      }
    }
  })

  test('splits the list into pages and returns the total of the whole list', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 7; nth++) ids.unshift((await store()).id)
    expect(await list({}, { limit: 3 })).toEqual({ ids: ids.slice(0, 3), total: 7 })
    expect(await list({}, { before: ids[2], limit: 3 })).toEqual({ ids: ids.slice(3, 6), total: 7 })
    expect(await list({ status: 'pending' }, { before: ids[5], limit: 3 })).toEqual({ ids: ids.slice(6), total: 7 })
    expect(await list({}, { skip: 5, limit: 3 })).toEqual({ ids: ids.slice(5), total: 7 })
    expect(await list({}, { skip: 50 })).toEqual({ ids: [], total: 7 })
    expect(await list({ status: 'failed' })).toEqual({ ids: [], total: 0 })
  })
})

test('shows a delivery with its last attempt and whether one is being made, only to its owner', async () => {
  const { id, subjectId } = await store()
  expect(await findWebhookDelivery(db, userId, id)).toMatchObject({
    id,
    subjectId,
    type: 'job.completed',
    status: 'pending',
    attempts: 0,
    lastAttempt: null,
    underWay: false,
    url: 'https://hooks.example.org/a?token=1',
  })
  await attempt(id, 1, 500, null)
  await attempt(id, 2, null, 'timeout')
  await change(id, `attempts = 2, lease_token = gen_random_uuid(), next_attempt_at = now() + interval '20 s'`)
  const found = await findWebhookDelivery(db, userId, id)
  expect(found).toMatchObject({
    attempts: 2,
    underWay: true,
    lastAttempt: { attemptNo: 2, durationMs: 12, statusCode: null, error: 'timeout' },
  })
  await change(id, `next_attempt_at = now() - interval '1 s'`)
  expect((await findWebhookDelivery(db, userId, id))?.underWay).toBe(false)
  expect(await findWebhookDelivery(db, randomUUID(), id)).toBeNull()
})

test('lists the latest attempts of a delivery in order, for its owner', async () => {
  const { id } = await store()
  for (let attemptNo = 1; attemptNo <= 101; attemptNo++) await attempt(id, attemptNo, 500, null)
  const listFor = (owner: string) =>
    listAttempts({ db }, { userId: owner, apiKeyId: null, plan: 'pro', scopes: [] }, { id })
  expect((await listFor(userId)).map(({ attemptNo }) => attemptNo)).toEqual(
    Array.from({ length: 100 }, (_, nth) => nth + 2),
  )
  expect((await listFor(userId))[0]).toEqual({
    attemptNo: 2,
    startedAt: expect.any(Date),
    durationMs: 12,
    statusCode: 500,
    error: null,
    responseBody: null,
  })
  expect(await listFor(randomUUID())).toEqual([])
})

describe('queueRedelivery', () => {
  const stateOf = (id: string) => db.prisma.webhookDelivery.findUniqueOrThrow({ where: { id } })
  const isDue = async (id: string) => {
    const { status, ready, forced, leaseToken, nextAttemptAt } = await stateOf(id)
    return status === 'pending' && ready && forced && leaseToken === null && nextAttemptAt.getTime() <= Date.now() + 50
  }

  test.each(['delivered', 'failed', 'skipped'])('starts a new schedule for a delivery that is %s', async (status) => {
    const { id } = await store()
    await change(id, `status = '${status}', attempts = 10, schedule_base = 3`)
    expect(await queueRedelivery(db, userId, id, 2)).toBe(true)
    expect(await isDue(id)).toBe(true)
    expect(await stateOf(id)).toMatchObject({ attempts: 10, scheduleBase: 10 })
  })

  test('continues the schedule of a delivery that waits for its next attempt', async () => {
    const { id } = await store()
    await change(id, `attempts = 4, schedule_base = 1, next_attempt_at = now() + interval '2 h'`)
    expect(await queueRedelivery(db, userId, id, 2)).toBe(true)
    expect(await isDue(id)).toBe(true)
    expect(await stateOf(id)).toMatchObject({ attempts: 4, scheduleBase: 1 })
  })

  test('does not disturb a running attempt, and takes over from a dead deliverer', async () => {
    const { id } = await store()
    await change(id, `lease_token = gen_random_uuid(), next_attempt_at = now() + interval '20 s'`)
    const before = await stateOf(id)
    expect(await queueRedelivery(db, userId, id, 2)).toBe(false)
    expect(await stateOf(id)).toEqual(before)
    await change(id, `next_attempt_at = now() - interval '1 s'`)
    expect(await queueRedelivery(db, userId, id, 2)).toBe(true)
    expect(await isDue(id)).toBe(true)
  })

  test('makes one redelivery from concurrent requests, and another one later', async () => {
    const { id } = await store()
    await change(id, `status = 'failed', attempts = 2`)
    const asked = await Promise.all(Array.from({ length: 8 }, () => queueRedelivery(db, userId, id, 600)))
    expect(asked.filter(Boolean)).toHaveLength(1)
    await change(id, `status = 'delivered', attempts = 3`)
    expect(await queueRedelivery(db, userId, id, 600)).toBe(false)
    await change(id, `redelivered_at = now() - interval '601 s'`)
    expect(await queueRedelivery(db, userId, id, 600)).toBe(true)
    expect(await stateOf(id)).toMatchObject({ scheduleBase: 3 })
  })

  test('refuses a delivery of another account', async () => {
    const { id } = await store()
    await change(id, `status = 'failed'`)
    expect(await queueRedelivery(db, randomUUID(), id)).toBe(false)
    expect(await queueRedelivery(db, userId, randomUUID())).toBe(false)
    expect((await stateOf(id)).status).toBe('failed')
  })
})
