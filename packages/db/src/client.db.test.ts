import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { openTcpLink, waitUntil } from '@subtext/embedded/testing'
import pg from 'pg'
import { isDatabaseUnavailable, type Sql } from './client.ts'
import type { PoolUse } from './pool-monitor.ts'
import { openPrismaDb, type PrismaDb } from './prisma.ts'
import { useTestDatabase } from './testing/use-test-database.ts'

const database = useTestDatabase({ maxConnections: 2 })
const { db } = database

beforeAll(async () => {
  await db.query('CREATE TABLE notes (id int PRIMARY KEY, day date)')
})
afterEach(() => db.query('DELETE FROM notes'))

const ids = async (): Promise<number[]> =>
  (await db.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).rows.map(({ id }) => id)
const TERMINATE_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** Repeats work that fails because its connection was terminated. */
async function retry(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const error = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error === null) return
    if (attempt === 100) throw error
  }
}
const insert = (sql: Sql, id: number) => sql.query('INSERT INTO notes (id) VALUES ($1)', [id])

/**
 * Returns whether `ms` milliseconds are over by the timers of this event loop. A busy machine delays the timers of the
 * driver as much, so their order tells how many timeouts have passed.
 */
function startTimer(ms: number): () => boolean {
  let isOver = false
  setTimeout(() => {
    isOver = true
  }, ms).unref()
  return () => isOver
}

describe('transaction', () => {
  test('commits when its work ends, and returns the result of the work', async () => {
    const result = await db.transaction(async (sql) => {
      await insert(sql, 1)
      await insert(sql, 2)
      expect(await ids()).toEqual([])
      return 'done'
    })
    expect(result).toBe('done')
    expect(await ids()).toEqual([1, 2])
  })

  test.each([
    ['its work throws', () => Promise.reject(new Error('no'))],
    ['a statement is refused', (sql: Sql) => insert(sql, 1)],
  ])('rolls back when %s, and keeps the connection usable', async (_, fail: (sql: Sql) => Promise<unknown>) => {
    for (let round = 0; round < 5; round++) {
      const work = db.transaction(async (sql) => {
        await insert(sql, 1)
        await fail(sql)
      })
      await expect(work).rejects.toThrow()
    }
    expect(await ids()).toEqual([])
  })

  test('throws when the commit is refused', async () => {
    await db.query('CREATE TABLE parents (id int PRIMARY KEY)')
    await db.query('CREATE TABLE children (id int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)')
    await expect(db.transaction((sql) => sql.query('INSERT INTO children VALUES (1)'))).rejects.toThrow('foreign key')
  })
})

test.each<[string, (db: PrismaDb) => Promise<unknown>]>([
  ['a statement', (db) => db.query('SELECT 1')],
  ['a statement of Prisma', (db) => db.prisma.$queryRaw`SELECT 1`],
])('counts the wait for a connection against the deadline of %s', async (_, run) => {
  const deadlineMs = 600_000
  let countWaiting = (): number => 0
  const monitor = { opened: (read: () => PoolUse) => (countWaiting = () => read().waiting), waited() {}, executed() {} }
  const own = openPrismaDb({ url: database.url, maxConnections: 1, deadlineMs, monitor })
  let waiting: Promise<unknown> | undefined
  let waitedMs = 0
  const sent = jest.spyOn(pg.Client.prototype, 'query')
  await own.transaction(async () => {
    // Prisma begins when someone waits for the result.
    waiting = run(own).then(() => {})
    await waitUntil('the statement waits for the connection', () => countWaiting() === 1)
    const started = performance.now()
    await sleep(50)
    waitedMs = performance.now() - started
  })
  await waiting
  const [statement] = (sent.mock.calls.at(-1) ?? []) as [{ query_timeout?: number }?]
  sent.mockRestore()
  await own.close()
  expect(statement?.query_timeout).toBeGreaterThan(0)
  expect(statement?.query_timeout).toBeLessThanOrEqual(deadlineMs - waitedMs)
})

test('ends a transaction after one timeout when its connection is lost silently, and the next one works', async () => {
  const wire = await openTcpLink(database.url)
  const timeoutMs = 400
  const wired = openPrismaDb({ url: wire.url, maxConnections: 1, queryTimeoutMs: timeoutMs })
  let isTooLate: (() => boolean) | undefined
  const work = () =>
    wired.transaction(async (sql) => {
      await insert(sql, 1)
      wire.lose()
      isTooLate = startTimer(2 * timeoutMs)
      await insert(sql, 2)
    })
  // On a busy machine, a statement before the loss may take longer than the timeout.
  let error: unknown
  while (!isTooLate) error = await work().catch((thrown: unknown) => thrown)
  expect([isDatabaseUnavailable(error), isTooLate()]).toEqual([true, false])
  await retry(() => wired.transaction((sql) => insert(sql, 3)))
  expect(await ids()).toEqual([3])
  await wired.close()
  await wire.close()
})

test('reports a transaction that the server ended because the process stalled as an unavailable database', async () => {
  const limit = await db.transaction((sql) => sql.query('SHOW idle_in_transaction_session_timeout'))
  expect(limit.rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }])
  const work = db.transaction(async (sql) => {
    const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await sql.query("SET LOCAL idle_in_transaction_session_timeout = '50ms'")
    await waitUntil('the server has ended the session', async () => {
      const { rowCount } = await db.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid])
      return rowCount === 0
    })
    await insert(sql, 1)
  })
  const error = await work.catch((thrown: unknown) => thrown)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test('reports a read-only database as unavailable, through SQL and through Prisma', async () => {
  const own = openPrismaDb({
    url: `${database.url}?options=-c%20default_transaction_read_only%3Don`,
    maxConnections: 1,
  })
  const user = { id: randomUUID(), email: 'someone@example.org', plan: 'free' as const }
  const failures = await Promise.allSettled([
    insert(own, 1),
    own.transaction((sql) => insert(sql, 1)),
    own.prisma.user.create({ data: user }),
    own.prisma.user.upsert({ where: { email: user.email }, create: user, update: {} }),
  ])
  expect(failures.map((failure) => failure.status === 'rejected' && isDatabaseUnavailable(failure.reason))).toEqual(
    Array(4).fill(true),
  )
  expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('returns a date as its day in any local time zone', async () => {
  await db.query('INSERT INTO notes VALUES (1, $1)', ['2026-03-29'])
  expect((await db.query('SELECT day FROM notes')).rows).toEqual([{ day: '2026-03-29' }])
})

test('reports and replaces a connection that was lost while idle', async () => {
  const reported: Error[] = []
  const own = openPrismaDb({ url: database.url, maxConnections: 1, onIdleError: (error) => reported.push(error) })
  const { rows } = await own.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await db.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await waitUntil('the loss is reported', () => reported.length > 0)
  expect(isDatabaseUnavailable(reported[0])).toBe(true)
  expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('throws when the connection of a transaction is lost, and does not reuse that connection', async () => {
  const own = openPrismaDb({ url: database.url, maxConnections: 1 })
  const work = own.transaction(async (sql) => {
    const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await db.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await insert(sql, 9)
  })
  const error = await work.catch((thrown: unknown) => thrown)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  expect(await ids()).toEqual([])
  await own.close()
})

test('survives a connection that is lost at the moment it is passed to a waiting transaction', async () => {
  const loseWhilePassed = async (id: number): Promise<boolean> => {
    const own = openPrismaDb({ url: database.url, maxConnections: 1 })
    await own.query('SELECT 1')
    const first = own.query("SET idle_session_timeout = '1ms'")
    const waiting = own.transaction((sql) => insert(sql, id)).catch((thrown: unknown) => thrown)
    // Blocks the process, so that it reads the response and the end of the session in one go.
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    await first
    const isLost = isDatabaseUnavailable(await waiting)
    if (isLost) expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await own.close()
    return isLost
  }
  // A busy server may end the session too late.
  let isLost = false
  for (let round = 1; round <= 20 && !isLost; round++) isLost = await loseWhilePassed(round)
  expect(isLost).toBe(true)
})

test('survives 200 terminations of all its connections under load', async () => {
  const own = openPrismaDb({ url: database.url, maxConnections: 2 })
  const failures: unknown[] = []
  const stopping = new AbortController()
  const works = [() => own.query('SELECT 1'), () => own.transaction((sql) => sql.query('SELECT 1'))]
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) await work().catch((error: unknown) => failures.push(error))
  }
  const load = Array.from({ length: 2 }, () => works.map(repeat)).flat()
  // On a busy machine, a termination may find no statement of the load.
  for (let round = 0; round < 200 || failures.length < 200; round++) {
    for (const work of works) await retry(work)
    await db.query(TERMINATE_OTHERS)
  }
  stopping.abort()
  await Promise.all(load)
  expect(failures.filter((failure) => !isDatabaseUnavailable(failure))).toEqual([])
  expect(failures.length).toBeGreaterThanOrEqual(200)
  expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('ends a transaction after one timeout when the server does not respond, and does not reuse its connection', async () => {
  const timeoutMs = 1_000
  const own = openPrismaDb({ url: database.url, maxConnections: 1, queryTimeoutMs: timeoutMs })
  let isTooLate: (() => boolean) | undefined
  const work = () =>
    own.transaction((sql) => {
      isTooLate = startTimer(2 * timeoutMs)
      return sql.query('SELECT pg_sleep(600)')
    })
  // On a busy machine, the transaction may take longer than the timeout to begin.
  let error: unknown
  while (!isTooLate) error = await work().catch((thrown: unknown) => thrown)
  expect([isDatabaseUnavailable(error), isTooLate()]).toEqual([true, false])
  await retry(async () => expect((await own.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]))
  await own.close()
})

test('closes although the server does not respond, and rejects what still runs', async () => {
  const wire = await openTcpLink(database.url)
  const wired = openPrismaDb({ url: wire.url, maxConnections: 3 })
  await Promise.all([wired.query('SELECT 1'), wired.query('SELECT 1')])
  let failure: unknown
  wire.silence()
  const running = wired.query('SELECT 1').catch((error: unknown) => {
    failure = error
  })
  await wired.close()
  await running
  expect(isDatabaseUnavailable(failure)).toBe(true)
  await wire.close()
})

test('keeps times exact in a database of another time zone, along with the connection options of the operator', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await db.query(`ALTER DATABASE ${name} SET timezone TO 'America/New_York'`)
  const own = openPrismaDb({ url: `${database.url}?options=-c%20statement_timeout%3D54321`, maxConnections: 1 })
  const end = new Date('2030-06-01T12:00:00.000Z')
  const id = randomUUID()
  await own.prisma.idempotencyKey.create({
    data: { userId: id, key: 'a', requestHash: new Uint8Array(1), resourceId: id, lockedUntil: end, createdAt: end },
  })
  const { rows } = await own.query<{ at: Date }>('SELECT locked_until AS at FROM idempotency_keys WHERE user_id = $1', [
    id,
  ])
  expect(rows).toEqual([{ at: end }])
  expect((await own.prisma.idempotencyKey.findFirstOrThrow({ where: { userId: id } })).lockedUntil).toEqual(end)
  expect((await own.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '54321ms' }])
  await own.close()
  await db.query(`ALTER DATABASE ${name} RESET timezone`)
})
