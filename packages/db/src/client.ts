import type pg from 'pg'
import type { Plan } from './generated/enums.ts'
import { type DbOptions, type OpenPool, openPool, withDeadline } from './pool.ts'
import { type DbMonitor, measure } from './pool-monitor.ts'

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

/** The store, as every process opens it. */
export interface Db extends Transactional {
  /** Closes all connections, within seconds even if the server does not respond. Statements that still run are rejected. */
  close(): Promise<void>
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

/**
 * A process that vanishes within a transaction must not lock its rows until the operating system drops the connection.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'"

const onConnection = (client: pg.Pool | pg.PoolClient, monitor?: DbMonitor): Sql => ({
  async query<Row>(text: string, values: unknown[] = []) {
    const { rows, rowCount } = await measure(monitor, () => client.query({ name: nameOf(text), text, values }))
    return { rows: rows as Row[], rowCount: rowCount ?? 0 }
  },
})

/** Opens the store without Prisma, whose modules take 14 MB of memory and a fifth of a second of CPU time. */
export const openDb = (options: DbOptions): Db => createDb(openPool(options), options)

export function createDb({ pool, close }: OpenPool, { deadlineMs, monitor }: DbOptions): Db {
  return {
    ...onConnection(pool, monitor),
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
    close: () => close(),
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
