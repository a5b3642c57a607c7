import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '@subtext/db'
import { untilBlocked, useTestDatabase } from '@subtext/db/testing'
import { recordKeyUses } from '../api-keys/keys-sql.ts'
import { completeJobs } from '../jobs/complete-sql.ts'
import type { Lease } from '../jobs/job-row.ts'
import { addJobSpending, addJobSummary } from '../summaries/summaries-sql.ts'
import { claimStoredJob, storeEvent } from '../testing/index.ts'
import { newStoredResult } from '../testing/stored-result.ts'
import { claimDueDeliveries } from '../webhooks/deliver.ts'
import { queueRedelivery, recordDelivered } from '../webhooks/events-sql.ts'
import { purgeDeletedAccounts } from './delete.ts'
import { deleteAccountContent, markAccountDeleted } from './delete-sql.ts'

const { db } = useTestDatabase({ maxConnections: 6 })

const addUser = async (deletedAt: Date | null = null): Promise<string> => {
  const id = randomUUID()
  await db.query(
    `INSERT INTO users (id, email, plan, deleted_at) VALUES ($1::uuid, $1::text || '@example.org', 'pro', $2)`,
    [id, deletedAt],
  )
  return id
}
const addDeletedUser = () => addUser(new Date(Date.now() - 3_600_000))

const purge = () => purgeDeletedAccounts({ db, clock: () => new Date() }, new AbortController().signal)

const countRows = async (table: string, column: string, value: string): Promise<number> =>
  (await db.query(`SELECT FROM ${table} WHERE ${column} = $1`, [value])).rowCount

/** Deletes the deleted accounts while a transaction that has done `work` is still open. Returns when both have ended. */
async function purgeDuring(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  let purged: Promise<unknown> = Promise.resolve()
  await db.transaction(async (sql) => {
    await work(sql)
    purged = purge()
    await untilBlocked(db)
  })
  await purged
}

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.5 }
const complete = (sql: Sql, lease: Lease) =>
  completeJobs(sql, [{ lease, result: newStoredResult(lease.jobId), warnings: [], event: null }])
const summarize = (sql: Sql, { jobId }: Lease) =>
  addJobSummary(sql, { jobId, mode: 'tldr', summaryId: randomUUID(), reused: false })
const spend = (sql: Sql, { jobId }: Lease) =>
  addJobSpending(sql, { id: randomUUID(), jobId, purpose: 'notes', mode: null, model: 'm', usage })

test.each([
  ['ends', complete],
  ['gets a summary', summarize],
  ['pays for something', spend],
])('nothing is left of a job that %s while its account is deleted', async (_, work) => {
  const userId = await addDeletedUser()
  const { lease } = await claimStoredJob(db, { userId })
  await purgeDuring((sql) => work(sql, lease))
  for (const table of ['results', 'job_summaries', 'job_spendings', 'usage_entries']) {
    expect([table, await countRows(table, 'job_id', lease.jobId)]).toEqual([table, 0])
  }
  expect(await countRows('usage_additions', 'user_id', userId)).toBe(0)
  expect(await countRows('users', 'id', userId)).toBe(0)
})

test.each([
  ['ends', complete],
  ['gets a summary', summarize],
  ['pays for something', spend],
])('nothing is written for a job that %s after it was deleted with its account', async (_, work) => {
  const { lease } = await claimStoredJob(db, { userId: await addDeletedUser() })
  await purge()
  await work(db, lease)
  for (const table of ['results', 'job_summaries', 'job_spendings', 'usage_entries']) {
    expect([table, await countRows(table, 'job_id', lease.jobId)]).toEqual([table, 0])
  }
})

test('finds rows that change while they are deleted', async () => {
  const userId = await addDeletedUser()
  await db.query(
    `INSERT INTO idempotency_keys (user_id, key, request_hash, resource_id, locked_until, created_at)
     VALUES ($1, 'once', '\\x00', $1, now(), now())`,
    [userId],
  )
  let deleted: Promise<unknown> = Promise.resolve()
  await db.transaction(async (sql) => {
    await sql.query(`UPDATE idempotency_keys SET response = '{}' WHERE user_id = $1`, [userId])
    deleted = deleteAccountContent(db, userId, 10)
    await untilBlocked(db)
  })
  expect([await deleted, await countRows('idempotency_keys', 'user_id', userId)]).toEqual([1, 0])
})

test('an account is deleted while uses of its keys are recorded', async () => {
  const [userId, other] = [await addUser(), await addUser()]
  const [first = '', second = '', third = ''] = [randomUUID(), randomUUID(), randomUUID()].sort()
  const addKey = (id: string, owner: string) =>
    db.query(
      `INSERT INTO api_keys (id, user_id, hash, prefix, last_four, scopes) VALUES ($1, $2, $3, 'p', '0000', '{}')`,
      [...[id, owner, randomBytes(32)]],
    )
  // Stored in another order than that of their IDs.
  for (const [id, owner] of [
    [third, userId],
    [second, other],
    [first, userId],
  ] as const)
    await addKey(id, owner)
  const usedAt = new Date()
  let recorded: Promise<unknown> = Promise.resolve()
  let deleted: Promise<unknown> = Promise.resolve()
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [second])
    recorded = recordKeyUses(
      db,
      [first, second, third].map((apiKeyId) => ({ apiKeyId, usedAt })),
    )
    await untilBlocked(db)
    deleted = markAccountDeleted(db, { userId, email: `${userId}@example.org` }, new Date())
    await sleep(300)
  })
  expect(await Promise.allSettled([recorded, deleted])).toMatchObject([{ status: 'fulfilled' }, { value: true }])
  const keys = await db.prisma.apiKey.findMany({ where: { userId } })
  expect(keys).toMatchObject([first, third].map(() => ({ lastUsedAt: usedAt, revokedAt: expect.any(Date) })))
})

test('an account is deleted while its deliveries are recorded together with others', async () => {
  const [userId, other] = [await addDeletedUser(), await addUser()]
  const [first = '', last = ''] = [randomUUID(), randomUUID()].sort()
  const events = [
    await storeEvent(db, { userId, id: first }),
    await storeEvent(db, { userId: other }),
    await storeEvent(db, { userId, id: last }),
  ]
  // In another order than that in which they are deleted.
  const attempts = events.toReversed().map(({ deliveryId }) => ({
    delivery: { id: deliveryId, token: randomUUID(), attemptNo: 1 },
    outcome: { startedAt: new Date(), durationMs: 1, statusCode: 200, responseBody: 'ok', quick: true },
  }))
  let recorded: Promise<unknown> = Promise.resolve()
  let deleted: Promise<unknown> = Promise.resolve()
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [events[1]?.deliveryId])
    recorded = recordDelivered(db, attempts)
    await untilBlocked(db)
    deleted = purge()
    await sleep(300)
  })
  expect(await Promise.allSettled([recorded, deleted])).toMatchObject([
    { value: [expect.any(Boolean), true, expect.any(Boolean)] },
    { status: 'fulfilled' },
  ])
  expect(await countRows('webhook_deliveries', 'user_id', userId)).toBe(0)
  expect(await countRows('users', 'id', userId)).toBe(0)
})

test('an account is deleted while a later attempt at one of its deliveries is claimed', async () => {
  const userId = await addDeletedUser()
  const { deliveryId } = await storeEvent(db, { userId })
  await db.query('UPDATE webhook_deliveries SET ready = false, attempts = 1 WHERE id = $1', [deliveryId])
  let deleted: Promise<PromiseSettledResult<number>[]> | undefined
  const interrupt = (sql: Sql): Sql => ({
    async query<Row>(text: string, values?: unknown[]) {
      const result = await sql.query<Row>(text, values)
      // From now on, the delivery is locked.
      if (!deleted && text.includes('SET ready = true')) {
        deleted = Promise.allSettled([purge()])
        await untilBlocked(db)
      }
      return result
    },
  })
  const transaction: typeof db.transaction = (work) => db.transaction((sql) => work(interrupt(sql)))
  const free = { slots: 10, bytes: 1_000_000, calm: true }
  const capacity = { all: free, slow: free, new: free, unproven: free }
  const options = { capacity, receiverCap: 10, leaseSeconds: 60, queueDue: true, takeOver: true }
  await claimDueDeliveries({ db: { ...db, transaction } }, options)
  expect(await deleted).toMatchObject([{ status: 'fulfilled' }])
  expect(await countRows('webhook_events', 'user_id', userId)).toBe(0)
  expect(await countRows('users', 'id', userId)).toBe(0)
})

test('an account is deleted while one of its deliveries is requested again', async () => {
  const userId = await addDeletedUser()
  const { deliveryId } = await storeEvent(db, { userId })
  let deleted: Promise<unknown> = Promise.resolve()
  let redelivered: Promise<unknown> = Promise.resolve()
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [deliveryId])
    deleted = purge()
    await untilBlocked(db)
    redelivered = queueRedelivery(db, userId, deliveryId)
    await sleep(300)
  })
  expect(await Promise.allSettled([deleted, redelivered])).toMatchObject([{ status: 'fulfilled' }, { value: false }])
  expect(await countRows('webhook_events', 'user_id', userId)).toBe(0)
})
