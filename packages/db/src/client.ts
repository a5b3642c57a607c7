import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client.ts'
import type { Plan } from './generated/enums.ts'
import { parseTime } from './parse-time.ts'
import { PoolClient } from './pool-client.ts'
import { type DbMonitor, watchPool } from './pool-monitor.ts'

/** The plans that the database knows. */
export type StoredPlan = Plan

export interface SqlResult<Row> {
  rows: Row[]
  rowCount: number
}

/** Runs one statement. Its text is a constant of a store; values are always passed as parameters. */
export interface Sql {
  query<Row = never>(text: string, values?: unknown[]): Promise<SqlResult<Row>>
}

/** Runs statements alone or in a transaction. */
export interface Transactional extends Sql {
  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/**
 * The store. Statements that decide under concurrency, concern many rows, or run for every job or request are SQL. Everything
 * else reads and writes rows through Prisma. Both share one pool.
 */
export interface Db extends Transactional {
  prisma: PrismaClient
  /** Closes all connections, within seconds even if the server does not respond. Statements that still run are rejected. */
  close(): Promise<void>
}

export interface DbOptions {
  url: string
  maxConnections?: number
  /** Maximum time to wait for a connection, pooled or new; 10 seconds by default. */
  connectTimeoutMs?: number
  /** Maximum time for a statement; unlimited by default. */
  queryTimeoutMs?: number
  /** Maximum time for a statement including the wait for its connection; replaces both timeouts. */
  deadlineMs?: number
  monitor?: DbMonitor
  /** Called for each connection lost while idle. The pool replaces them on its own. */
  onIdleError?: (error: Error) => void
}

const { DATE, TIMESTAMPTZ } = pg.types.builtins
const parseAnyTime = pg.types.getTypeParser(TIMESTAMPTZ)

const PARSERS = new Map<number, (text: string) => unknown>([
  // The driver would parse a DATE as midnight in local time. The store means a UTC day, which text expresses exactly.
  [DATE, (text) => text],
  [TIMESTAMPTZ, (text) => parseTime(text) ?? parseAnyTime(text)],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
}

// Named statements are planned once per connection instead of once per call.
const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const known = statementNames.get(text)
  if (known) return known
  const name = `subtext_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

const ignore = (): void => {}

/** How long running statements and the server have at the end before connections are cut. */
const CLOSE_TIMEOUT_MS = 1_000
/** A transaction of several statements may take this long, even if a single one may not. */
const MIN_TRANSACTION_MS = 5_000

/**
 * A process that vanishes within a transaction must not lock its rows until the operating system drops the connection.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'"

/** Counts the time that a statement has waited for its connection against `deadlineMs`. */
function limitWaiting(pool: pg.Pool, deadlineMs: number): void {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig, ...rest: unknown[]) => unknown
  const queryInTime = (statement: string | pg.QueryConfig, ...rest: unknown[]): unknown => {
    const config = typeof statement === 'string' ? { text: statement } : statement
    return query(withDeadline(config, performance.now() + deadlineMs), ...rest)
  }
  pool.query = queryInTime as pg.Pool['query']
}

/** The driver reads the timeout when it has a connection and sends the statement. */
const withDeadline = (config: pg.QueryConfig, deadline: number): pg.QueryConfig & { query_timeout: number } => ({
  ...config,
  get query_timeout() {
    return Math.max(1, deadline - performance.now())
  },
})

const onConnection = (client: pg.Pool | pg.PoolClient, monitor?: DbMonitor): Sql => ({
  async query<Row>(text: string, values: unknown[] = []) {
    const started = performance.now()
    let succeeded = false
    try {
      const { rows, rowCount } = await client.query({ name: nameOf(text), text, values })
      succeeded = true
      return { rows: rows as Row[], rowCount: rowCount ?? 0 }
    } finally {
      monitor?.executed((performance.now() - started) / 1_000, succeeded)
    }
  },
})

/**
 * Prisma sends and reads times without a zone and means UTC. A session in another zone would shift them. It is set by a
 * statement, because a pooler such as PgBouncer refuses the startup parameter `options` but keeps the time zone of each client.
 */
const UTC_SESSION = "SET TIME ZONE 'UTC'"

export function openDb({
  url,
  maxConnections = 10,
  deadlineMs,
  connectTimeoutMs = deadlineMs ?? 10_000,
  queryTimeoutMs = deadlineMs,
  monitor,
  onIdleError,
}: DbOptions): Db {
  const pool = new pg.Pool({
    Client: PoolClient,
    connectionString: url,
    onConnect: (client) => client.query(UTC_SESSION),
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types,
  })
  if (deadlineMs !== undefined) limitWaiting(pool, deadlineMs)
  if (monitor) watchPool(pool, monitor)
  pool.on('error', (error) => onIdleError?.(error))
  // Each connection has a listener for as long as it exists. The pool has none while it passes a connection to a caller
  // that waits, and an error without a listener ends the process. The next statement on the connection is rejected.
  const connections = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.on('error', ignore)
    connections.add(client)
  })
  pool.on('remove', (client) => connections.delete(client))
  let prisma: PrismaClient | undefined

  return {
    ...onConnection(pool, monitor),
    // Created on first use, because many processes never use it, and loading it costs a third of a second of CPU.
    get prisma() {
      // By default, Prisma gives up after two seconds without a connection, whatever the deadline.
      const transactionOptions = { maxWait: connectTimeoutMs, timeout: Math.max(connectTimeoutMs, MIN_TRANSACTION_MS) }
      prisma ??= new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions })
      return prisma
    },
    async transaction(work) {
      const deadline = performance.now() + (deadlineMs ?? Number.POSITIVE_INFINITY)
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query(deadlineMs === undefined ? BEGIN : withDeadline({ text: BEGIN }, deadline))
        const result = await work(onConnection(client, monitor))
        await client.query('COMMIT')
        return result
      } catch (error) {
        // A server that does not respond would not respond to a rollback either; losing the connection rolls back.
        if (isDatabaseUnavailable(error)) broken = error as Error
        else {
          await client.query('ROLLBACK').catch((rollbackError: Error) => {
            broken = rollbackError
          })
        }
        throw error
      } finally {
        client.release(broken)
      }
    },
    async close() {
      const closed = Promise.all([prisma?.$disconnect(), pool.end()]).then(() => true)
      if (await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])) return
      // Cuts the connections on which a statement runs.
      for (const client of connections) (client as pg.PoolClient & pg.Client).end().catch(ignore)
    },
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, insufficient resources (such as
// a full disk), operator intervention.
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
const UNAVAILABLE_CODES = new Set([
  // Read-only: a standby, or a primary that was demoted.
  '25006',
  // The server ended a transaction in which the process stalled. It may be retried.
  ...['25P03', '25P04'],
  // The server's own files cannot be read or written.
  ...['58000', '58030'],
  // The operating system's codes for an unreachable peer.
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  // https://www.prisma.io/docs/orm/reference/error-reference: unreachable, timed out, closed, no free connection, a
  // transaction that could not begin or end in time.
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'],
])
// The driver throws these without a code.
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client .* is not queryable$)/

/**
 * Returns whether the error means that the database is unavailable or accepts no writes. The statement itself was not at fault,
 * and the same call may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, originalCode = code, message, cause, meta } = error as ThrownError
  if (typeof originalCode === 'string' && isUnavailableCode(originalCode)) return true
  if (typeof message === 'string' && UNAVAILABLE_MESSAGES.test(message)) return true
  return isDatabaseUnavailable(cause) || isDatabaseUnavailable(meta?.driverAdapterError)
}

/** The fields with which the driver and Prisma describe an error. Prisma wraps the driver's error. */
interface ThrownError {
  code?: unknown
  originalCode?: unknown
  message?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown } | null
}

const SQL_STATE = /^[\dA-Z]{5}$/

const isUnavailableCode = (code: string): boolean =>
  UNAVAILABLE_CODES.has(code) || (SQL_STATE.test(code) && UNAVAILABLE_CLASSES.has(code.slice(0, 2)))
