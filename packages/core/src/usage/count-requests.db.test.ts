import { randomUUID } from 'node:crypto'
import { listKeyUsage, type Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import type { Actor } from '../context.ts'
import { createRequestCounter } from './count-requests.ts'

const { db } = useTestDatabase({ maxConnections: 8 })
let statements = 0
let away: Error | null = null
let warnings: string[] = []
let now = new Date('2026-11-21T23:59:59.999Z')
beforeEach(() => {
  statements = 0
  away = null
  warnings = []
  now = new Date('2026-11-21T23:59:59.999Z')
})

const ignore = (): void => {}
const counter = () =>
  createRequestCounter({
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(async (sql: Sql) => {
          statements++
          const done = await work(sql)
          // As if the answer had not come in time: the statement was carried out.
          if (away) throw away
          return done
        }),
    },
    clock: () => now,
    log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  })

const newActor = (): Actor => ({ userId: randomUUID(), apiKeyId: randomUUID(), plan: 'pro', scopes: ['read'] })
async function countsOf(actor: Actor): Promise<[string, number, number, number][]> {
  const range = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-12-01T00:00:00Z') }
  const rows = await listKeyUsage(db, actor, { ...range, granularity: 'hourly' })
  return rows
    .map((row): [string, number, number, number] => [
      row.startsAt.toISOString().slice(0, 13),
      ...([row.requests, row.succeeded, row.failed] as const),
    ])
    .sort()
}

test('thousands of requests of several keys are one statement', async () => {
  const requests = counter()
  const actors = [newActor(), newActor(), newActor()]
  for (let n = 0; n < 1_000; n++) for (const actor of actors) requests.count(actor, n % 10 !== 0)
  await requests.flush()
  expect(statements).toBe(1)
  for (const actor of actors) expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1_000, 900, 100]])
  await requests.flush()
  expect(statements).toBe(1)
})

test('each request belongs to the hour in which it was answered', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, true)
  now = new Date('2026-11-22T00:00:00.000Z')
  requests.count(actor, true)
  requests.count(actor, false)
  await requests.flush()
  expect(await countsOf(actor)).toEqual([
    ['2026-11-21T23', 1, 1, 0],
    ['2026-11-22T00', 2, 1, 1],
  ])
})

test('they are written within seconds without being asked for', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, true)
  while ((await countsOf(actor)).length === 0);
  expect(statements).toBe(1)
})

test('what cannot be written is kept, goes on growing, and is written once', async () => {
  const requests = counter()
  const actor = newActor()
  away = new Error('Query read timeout')
  for (let time = 0; time < 3; time++) {
    requests.count(actor, true)
    await expect(requests.flush()).rejects.toThrow('Query read timeout')
  }
  expect(await countsOf(actor)).toEqual([])
  away = null
  requests.count(actor, false)
  await requests.flush()
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 4, 3, 1]])
})

test('who asks while others are being written finds their own; all who ask share a turn', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, true)
  const first = requests.flush()
  requests.count(actor, true)
  await Promise.all(Array.from({ length: 50 }, () => requests.flush()))
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 2, 2, 0]])
  await first
  expect(statements).toBe(2)
})

test('a failed turn of others does not fail the next', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, true)
  away = new Error('away')
  const first = requests.flush()
  const second = requests.flush()
  await expect(first).rejects.toThrow('away')
  away = null
  await second
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1, 1, 0]])
})

test('closing writes what is left, and says so when it cannot', async () => {
  const actor = newActor()
  const requests = counter()
  requests.count(actor, true)
  await requests.close()
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1, 1, 0]])
  const lost = counter()
  lost.count(actor, true)
  away = new Error('away')
  await lost.close()
  expect(warnings).toEqual(['request counts lost'])
})
