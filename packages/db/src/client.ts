import { isNativeError } from 'node:util/types'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client.ts'

export interface SqlResult<Row> {
  rows: Row[]
  rowCount: number
}

/** Runs one statement. Texts are constants of the stores; values always travel as parameters. */
export interface Sql {
  query<Row = never>(text: string, values?: unknown[]): Promise<SqlResult<Row>>
}

/**
 * The store. Reads and writes of accounts go through Prisma; a job's life (guarded updates, several rows at once) and the
 * hot reads are SQL. Both share one pool.
 */
export interface Db extends Sql {
  prisma: PrismaClient
  /** All or nothing; rolls back when `work` throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DbOptions {
  url: string
  maxConnections?: number
  /** Longest wait for a connection, a free one or a new one; default: 10 seconds. */
  connectTimeoutMs?: number
  /** Longest time a statement may take; default: no limit. */
  queryTimeoutMs?: number
  /** Told of connections lost while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void
}

const DATE_OID = 1082

// Node reads a DATE as local midnight; the store means a UTC day, and text says just that.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID ? (text: string) => text : pg.types.getTypeParser(oid, format as 'text'),
}

// A statement is planned once a connection instead of once a call.
const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const known = statementNames.get(text)
  if (known) return known
  const name = `subtext_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

const ignore = (): void => {}

/** A process that vanishes within a transaction must not hold its rows until the system gives up the connection. */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'"

const onConnection = (client: pg.Pool | pg.PoolClient): Sql => ({
  async query<Row>(text: string, values: unknown[] = []) {
    const { rows, rowCount } = await client.query({ name: nameOf(text), text, values })
    return { rows: rows as Row[], rowCount: rowCount ?? 0 }
  },
})

/** Prisma sends and reads times without their zone and means UTC: a session in any other zone would shift them. */
function withUtcSession(url: string): string {
  const target = new URL(url)
  const options = [target.searchParams.get('options'), '-c TimeZone=UTC'].filter(Boolean).join(' ')
  target.searchParams.set('options', options)
  return target.href
}

export function openDb({
  url,
  maxConnections = 10,
  connectTimeoutMs = 10_000,
  queryTimeoutMs,
  onIdleError,
}: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: withUtcSession(url),
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types,
  })
  pool.on('error', (error) => onIdleError?.(error))
  let prisma: PrismaClient | undefined

  return {
    ...onConnection(pool),
    // Most processes never touch an account.
    get prisma() {
      prisma ??= new PrismaClient({ adapter: new PrismaPg(pool) })
      return prisma
    },
    async transaction(work) {
      const client = await pool.connect()
      // A cut connection fails the statement that meets it; told to nobody, it would end the process.
      client.on('error', ignore)
      let broken: Error | undefined
      try {
        await client.query(BEGIN)
        const result = await work(onConnection(client))
        await client.query('COMMIT')
        return result
      } catch (error) {
        // Who does not answer would not answer this either, and rolls back without the connection.
        if (isDatabaseUnavailable(error)) broken = error as Error
        else {
          await client.query('ROLLBACK').catch((rollbackError: Error) => {
            broken = rollbackError
          })
        }
        throw error
      } finally {
        client.off('error', ignore)
        client.release(broken)
      }
    },
    async close() {
      await prisma?.$disconnect()
      await pool.end()
    },
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, insufficient resources,
// operator intervention; beside them the operating system's words for a peer that is not there.
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'])
// https://www.prisma.io/docs/orm/reference/error-reference: cannot reach, timed out, closed, no free connection.
const UNAVAILABLE_PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024'])
// Ours was ended because the process had been held up in the middle: what it began may be tried again.
const HELD_UP_CODES = new Set(['25P03', '25P04'])
// The driver throws these without a code.
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client .* is not queryable$)/

/** The database did not refuse the statement: it is away, and the same call may succeed when it is back. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_PRISMA_CODES.has(code)) return true
  if (HELD_UP_CODES.has(code)) return true
  if (code.length === 5 && UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return true
  return UNAVAILABLE_MESSAGES.test(error.message) || isDatabaseUnavailable(error.cause)
}
