import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { parseTime } from './parse-time.ts'
import { PoolClient } from './pool-client.ts'
import { type DbMonitor, watchPool } from './pool-monitor.ts'

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
export const withDeadline = (config: pg.QueryConfig, deadline: number): pg.QueryConfig & { query_timeout: number } => ({
  ...config,
  get query_timeout() {
    return Math.max(1, deadline - performance.now())
  },
})

/**
 * Prisma sends and reads times without a zone and means UTC. A session in another zone would shift them. It is set by a
 * statement, because a pooler such as PgBouncer refuses the startup parameter `options` but keeps the time zone of each client.
 */
const UTC_SESSION = "SET TIME ZONE 'UTC'"

/** How long running statements and the server have at the end before connections are cut. */
const CLOSE_TIMEOUT_MS = 1_000
const ignore = (): void => {}

export interface OpenPool {
  pool: pg.Pool
  /** Maximum time to wait for a connection. */
  connectTimeoutMs: number
  /**
   * Closes all connections, and waits for `also`, within seconds even if the server does not respond. Statements that still run are
   * rejected.
   */
  close(also?: Promise<void>): Promise<void>
}

export function openPool({
  url,
  maxConnections = 10,
  deadlineMs,
  connectTimeoutMs = deadlineMs ?? 10_000,
  queryTimeoutMs = deadlineMs,
  monitor,
  onIdleError,
}: DbOptions): OpenPool {
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
  return {
    pool,
    connectTimeoutMs,
    async close(also) {
      const closed = Promise.all([also, pool.end()]).then(() => true)
      if (await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])) return
      // Cuts the connections on which a statement runs.
      for (const client of connections) (client as pg.PoolClient & pg.Client).end().catch(ignore)
    },
  }
}
