import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import type { DbMonitor, PoolUse } from './pool-monitor.ts'
import { openPrismaDb, type PrismaDb } from './prisma.ts'
import { useTestDatabase } from './testing/use-test-database.ts'

const database = useTestDatabase()

interface Watched {
  db: PrismaDb
  use: () => PoolUse
  waits: number[]
  statements: boolean[]
}

let opened: Watched | undefined
afterEach(() => opened?.db.close())

function open(url = database.url): Watched {
  let use = (): PoolUse => ({ used: 0, idle: 0, waiting: 0 })
  const waits: number[] = []
  const statements: boolean[] = []
  const monitor: DbMonitor = {
    opened(read) {
      use = read
    },
    waited: (seconds) => waits.push(seconds),
    executed: (_, succeeded) => statements.push(succeeded),
  }
  const db = openPrismaDb({ url, maxConnections: 1, connectTimeoutMs: 60_000, monitor })
  opened = { db, use: () => use(), waits, statements }
  return opened
}

test('reports the use of the pool, and every wait for a connection', async () => {
  const { db, use, waits, statements } = open()
  expect(use()).toEqual({ used: 0, idle: 0, waiting: 0 })
  const finished = new AbortController()
  const held = db.transaction(async (sql) => {
    await sql.query('SELECT 1')
    if (!finished.signal.aborted) await once(finished.signal, 'abort')
  })
  await waitUntil('the transaction has its connection', () => waits.length === 1)
  const waiting = db.query('SELECT 2')
  await nextTurn()
  expect(use()).toEqual({ used: 1, idle: 0, waiting: 1 })
  await waitUntil('the transaction waits for the test', () => statements.length === 1)
  finished.abort()
  await Promise.all([held, waiting])
  expect(waits).toHaveLength(2)
  expect(use()).toEqual({ used: 0, idle: 1, waiting: 0 })
})

test('counts statements that succeed and that fail, in transactions too', async () => {
  const { db, statements } = open()
  await db.query('SELECT 1')
  await db.query('SELECT 1 / 0').catch(() => {})
  await db.transaction((sql) => sql.query('SELECT 1'))
  expect(statements).toEqual([true, false, true])
})

test('counts the statements of Prisma that succeed and that fail, in transactions too', async () => {
  const { db, statements } = open()
  await db.prisma.user.findMany({ include: { sessions: true } })
  await db.prisma.$queryRaw`SELECT 1 / 0`.catch(() => {})
  await db.prisma.$transaction((prisma) => prisma.user.count())
  // Prisma reads related rows with a statement of their own, and the last statement commits.
  expect(statements).toEqual([true, true, false, true, true])
})

test('counts the wait for a server that does not respond', async () => {
  const { db, waits, statements } = open('postgresql://subtext@127.0.0.1:1/subtext')
  await expect(db.query('SELECT 1')).rejects.toThrow('ECONNREFUSED')
  await expect(db.transaction((sql) => sql.query('SELECT 1'))).rejects.toThrow('ECONNREFUSED')
  expect(waits).toHaveLength(2)
  expect(statements).toEqual([false])
})
