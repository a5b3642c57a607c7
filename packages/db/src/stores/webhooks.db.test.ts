import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@subtext/testing'
import { type Db, openDb } from '../client.ts'
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  claimDeliveries,
  listSigningSecrets,
  type NewWebhookEvent,
  recordAttempt,
  recordWebhookEvent,
  replaceWebhookSecret,
} from './webhooks.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 10 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})
beforeEach(() => db.query('TRUNCATE webhook_events CASCADE'))

const newEvent = (terms: Partial<NewWebhookEvent> = {}): NewWebhookEvent => ({
  id: randomUUID(),
  deliveryId: randomUUID(),
  userId: randomUUID(),
  type: 'job.completed',
  subjectId: randomUUID(),
  url: 'https://example.org/hook',
  body: Buffer.from('{"a":"\u00e9"}\u0000'),
  createdAt: new Date(Date.now() - 1_000),
  ...terms,
})
const store = async (terms: Partial<NewWebhookEvent> = {}): Promise<NewWebhookEvent> => {
  const event = newEvent(terms)
  await recordWebhookEvent(db, event)
  return event
}
const claim = (limit = 10, leaseSeconds = 60) => claimDeliveries(db, { token: randomUUID(), limit, leaseSeconds })
const claimOne = async (): Promise<ClaimedDelivery> => (await claim(1))[0] as ClaimedDelivery
const passTime = () => db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s'`)
const outcome = (terms: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  startedAt: new Date('2026-11-21T12:00:00.000Z'),
  durationMs: 12,
  statusCode: 500,
  error: null,
  next: { retryInSeconds: 60 },
  ...terms,
})

describe('recordWebhookEvent', () => {
  test('of a subject there is one event of a type', async () => {
    const { subjectId } = await store()
    await expect(store({ subjectId })).rejects.toThrow('webhook_events_subject_id_type_key')
    await store({ subjectId, type: 'job.failed' })
    expect(await db.prisma.webhookDelivery.count()).toBe(2)
  })

  test('belongs to its transaction', async () => {
    const work = db.transaction(async (sql) => {
      await recordWebhookEvent(sql, newEvent())
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await db.prisma.webhookEvent.count()).toBe(0)
    expect(await claim()).toEqual([])
  })
})

describe('claimDeliveries', () => {
  test('hands out the very bytes, with the number of the attempt', async () => {
    const event = await store()
    expect(await claim()).toEqual([
      {
        id: event.deliveryId,
        eventId: event.id,
        type: 'job.completed',
        userId: event.userId,
        url: event.url,
        attemptNo: 1,
        token: expect.any(String),
        body: event.body,
      },
    ])
    expect(await claim()).toEqual([])
  })

  test('takes at most its limit, those first that have waited longest', async () => {
    const late = await store()
    const later = await store({ createdAt: new Date(Date.now() - 60_000) })
    await store({ createdAt: new Date(Date.now() + 60_000) })
    expect((await claim(1)).map(({ id }) => id)).toEqual([later.deliveryId])
    expect((await claim(5)).map(({ id }) => id)).toEqual([late.deliveryId])
  })

  test('deliverers at once never get the same delivery, and nothing is left over', async () => {
    await Promise.all(Array.from({ length: 40 }, () => store()))
    const claims = (await Promise.all(Array.from({ length: 8 }, () => claim(10)))).flat()
    claims.push(...(await claim(40)))
    expect(claims).toHaveLength(40)
    expect(new Set(claims.map(({ id }) => id)).size).toBe(40)
  })

  test('what a deliverer that died had taken becomes due again, as the same attempt', async () => {
    const { deliveryId } = await store()
    const [lost] = await claim(1, -1)
    const [again] = await claim()
    expect([lost?.id, again?.id]).toEqual([deliveryId, deliveryId])
    expect([lost?.attemptNo, again?.attemptNo]).toEqual([1, 1])
  })
})

describe('recordAttempt', () => {
  test('keeps the history of all attempts, each under its number', async () => {
    const { deliveryId } = await store()
    expect(await recordAttempt(db, await claimOne(), outcome())).toBe(true)
    expect(await claim()).toEqual([])
    await passTime()
    const second = await claimOne()
    expect(second.attemptNo).toBe(2)
    await recordAttempt(db, second, outcome({ statusCode: null, error: 'timeout' }))
    await passTime()
    await recordAttempt(db, await claimOne(), outcome({ statusCode: 204, next: { status: 'delivered' } }))
    const attempts = await db.prisma.webhookAttempt.findMany({ where: { deliveryId }, orderBy: { attemptNo: 'asc' } })
    const { startedAt, durationMs } = outcome()
    expect(attempts).toEqual([
      { deliveryId, attemptNo: 1, startedAt, durationMs, statusCode: 500, error: null },
      { deliveryId, attemptNo: 2, startedAt, durationMs, statusCode: null, error: 'timeout' },
      { deliveryId, attemptNo: 3, startedAt, durationMs, statusCode: 204, error: null },
    ])
    expect(await db.prisma.webhookDelivery.findFirst()).toMatchObject({
      status: 'delivered',
      attempts: 3,
      leaseToken: null,
    })
  })

  test.each(['delivered', 'failed'] as const)('a delivery that has %s is never due again', async (status) => {
    await store()
    await recordAttempt(db, await claimOne(), outcome({ next: { status } }))
    await passTime()
    expect(await claim()).toEqual([])
  })

  test('of two that hold it one after the other only the second is heard', async () => {
    await store()
    const [lost] = (await claim(1, -1)) as [ClaimedDelivery]
    const held = await claimOne()
    expect(await recordAttempt(db, lost, outcome({ next: { status: 'failed' } }))).toBe(false)
    expect(await db.prisma.webhookAttempt.count()).toBe(0)
    expect(await recordAttempt(db, held, outcome({ next: { status: 'delivered' } }))).toBe(true)
    expect(await recordAttempt(db, held, outcome())).toBe(false)
    expect(await db.prisma.webhookAttempt.count()).toBe(1)
  })
})

describe('signing secrets', () => {
  const newUser = async (): Promise<string> => {
    const { id } = await db.prisma.user.create({
      data: { id: randomUUID(), email: `${randomUUID()}@example.org`, plan: 'pro' },
    })
    return id
  }
  let made = 0
  const replace = (userId: string, secret: string, overlapHours = 24) => {
    // Ids sort by creation, as those of the application do: secrets of one millisecond keep their order.
    const id = `0190b0c4-0000-7000-8000-${String(++made).padStart(12, '0')}`
    return replaceWebhookSecret(db, { id, userId, secret, overlapHours })
  }

  test('the former signs beside the current one until its time is over', async () => {
    const userId = await newUser()
    expect(await listSigningSecrets(db, userId)).toEqual([])
    await replace(userId, 'first')
    await replace(userId, 'second')
    expect(await listSigningSecrets(db, userId)).toEqual(['second', 'first'])
    const former = await db.prisma.webhookSecret.findFirstOrThrow({ where: { userId, secret: 'first' } })
    const hours = ((former.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThanOrEqual(24.1)
    await db.query('UPDATE webhook_secrets SET expires_at = now() WHERE secret = $1', ['first'])
    expect(await listSigningSecrets(db, userId)).toEqual(['second'])
  })

  test('a further change does not prolong a secret that is on its way out', async () => {
    const userId = await newUser()
    await replace(userId, 'first')
    await replace(userId, 'second', 1)
    const before = await db.prisma.webhookSecret.findFirstOrThrow({ where: { userId, secret: 'first' } })
    await replace(userId, 'third', 24)
    const after = await db.prisma.webhookSecret.findFirstOrThrow({ where: { userId, secret: 'first' } })
    expect(after.expiresAt).toEqual(before.expiresAt)
    expect(await listSigningSecrets(db, userId)).toEqual(['third', 'second', 'first'])
  })

  test('belong to their account alone', async () => {
    const [one, other] = [await newUser(), await newUser()]
    await replace(one, 'mine')
    expect(await listSigningSecrets(db, other)).toEqual([])
  })
})
