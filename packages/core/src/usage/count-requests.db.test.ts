import { randomUUID } from 'node:crypto'
import type { Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import type { Actor } from '../context.ts'
import { createRequestCounter } from './count-requests.ts'
import { listUsage } from './usage-sql.ts'

const { db } = useTestDatabase({ maxConnections: 8 })
let statements = 0
let outage: Error | null = null
let warnings: string[] = []
let now = new Date('2026-11-21T23:59:59.999Z')
beforeEach(() => {
  statements = 0
  outage = null
  warnings = []
  now = new Date('2026-11-21T23:59:59.999Z')
})

const ENDPOINT = 'GET /usage/current'
const ignore = (): void => {}
const counter = () =>
  createRequestCounter({
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(async (sql: Sql) => {
          statements++
          const done = await work(sql)
          // As if the answer came too late: the statement itself was executed.
          if (outage) throw outage
          return done
        }),
    },
    clock: () => now,
    log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  })

const newActor = (): Actor => ({ userId: randomUUID(), apiKeyId: randomUUID(), plan: 'pro', scopes: ['read'] })
async function countsOf(actor: Actor): Promise<[string, number, number, number][]> {
  const range = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-12-01T00:00:00Z') }
  const rows = await listUsage(db, actor, { ...range, granularity: 'hourly' })
  return rows
    .map(({ startsAt, requests, succeeded, failed }): [string, number, number, number] => [
      startsAt.toISOString().slice(0, 13),
      requests,
      succeeded,
      failed,
    ])
    .sort()
}

test('writes thousands of requests of several keys in one statement', async () => {
  const requests = counter()
  const actors = [newActor(), newActor(), newActor()]
  for (let n = 0; n < 1_000; n++) for (const actor of actors) requests.count(actor, ENDPOINT, n % 10 !== 0)
  await requests.flush()
  expect(statements).toBe(1)
  for (const actor of actors) expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1_000, 900, 100]])
  await requests.flush()
  expect(statements).toBe(1)
})

test('counts a request in the hour in which it was answered', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, ENDPOINT, true)
  now = new Date('2026-11-22T00:00:00.000Z')
  requests.count(actor, ENDPOINT, true)
  requests.count(actor, ENDPOINT, false)
  await requests.flush()
  expect(await countsOf(actor)).toEqual([
    ['2026-11-21T23', 1, 1, 0],
    ['2026-11-22T00', 2, 1, 1],
  ])
})

test('writes counts on its own within seconds', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, ENDPOINT, true)
  await waitUntil('the counts are written', async () => (await countsOf(actor)).length > 0)
  expect(statements).toBe(1)
})

test('keeps counts that cannot be written, adds to them, and writes them once', async () => {
  const requests = counter()
  const actor = newActor()
  outage = new Error('Query read timeout')
  for (let time = 0; time < 3; time++) {
    requests.count(actor, ENDPOINT, true)
    await expect(requests.flush()).rejects.toThrow('Query read timeout')
  }
  expect(await countsOf(actor)).toEqual([])
  outage = null
  requests.count(actor, ENDPOINT, false)
  await requests.flush()
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 4, 3, 1]])
})

test('a flush during a write covers everything counted before it; concurrent flushes share the next write', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, ENDPOINT, true)
  const first = requests.flush()
  requests.count(actor, ENDPOINT, true)
  await Promise.all(Array.from({ length: 50 }, () => requests.flush()))
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 2, 2, 0]])
  await first
  expect(statements).toBe(2)
})

test('a failed write does not fail the flushes that wait for the next one', async () => {
  const requests = counter()
  const actor = newActor()
  requests.count(actor, ENDPOINT, true)
  outage = new Error('outage')
  const first = requests.flush()
  const second = requests.flush()
  await expect(first).rejects.toThrow('outage')
  outage = null
  await second
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1, 1, 0]])
})

test('close writes the remaining counts, and logs a warning if it cannot', async () => {
  const actor = newActor()
  const requests = counter()
  requests.count(actor, ENDPOINT, true)
  await requests.close()
  expect(await countsOf(actor)).toEqual([['2026-11-21T23', 1, 1, 0]])
  const lost = counter()
  lost.count(actor, ENDPOINT, true)
  outage = new Error('outage')
  await lost.close()
  expect(warnings).toEqual(['request counts lost'])
})
