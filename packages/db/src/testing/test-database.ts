import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { givenServers } from './env.ts'
import { databaseUrl, TEMPLATE } from './test-cluster.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A connection to each server, which is kept: the databases of a test file cost less than opening it. */
const pools = new Map<string, pg.Pool>()

/** Does not keep the process from exiting. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The server ends the connection when it stops.
  pool.on('error', () => {})
  pools.set(connectionString, pool)
  return pool
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = await (pools.get(serverUrl) ?? openPool(serverUrl)).connect()
  try {
    // Postgres refuses to copy a template twice at the same time: the lock makes test processes take turns.
    await client.query('SELECT pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    const unlocked = client.query('SELECT pg_advisory_unlock(1)')
    await unlocked.then(
      () => client.release(),
      () => client.release(true),
    )
  }
}

/** Creates a migrated, empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl: serverUrl } = givenServers()
  if (!serverUrl) throw new Error('No test servers. Name the file *.db.test.ts, so that Jest starts them.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files takes a fifth of the CPU time of writing every page to the log, which is the default.
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`)
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}
