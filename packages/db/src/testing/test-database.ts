import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { givenServers } from './env.ts'
import { databaseUrl, TEMPLATE } from './test-cluster.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Creates a migrated, empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl: serverUrl } = givenServers()
  if (!serverUrl) throw new Error('No test servers. Name the file *.db.test.ts, so that Jest starts them.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    try {
      // Postgres refuses to copy a template twice at the same time: the lock makes test processes take turns.
      await client.query('SELECT pg_advisory_lock(1)')
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  // Copying files takes a fifth of the CPU time of writing every page to the log, which is the default.
  await run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`)
  return { url: databaseUrl(serverUrl, name), drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
