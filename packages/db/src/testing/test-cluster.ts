import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startPostgres } from '@subtext/embedded'
import pg from 'pg'
import { migrate } from '../migrate.ts'

/** The migrated, empty database of a test server, which the databases of tests are copied from. */
export const TEMPLATE = 'subtext_template'

/**
 * Creates a cluster with the template in a new folder, and leaves it stopped. Copying it takes a fraction of the CPU time of
 * creating another one.
 */
export async function createTestCluster(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir, durable: false })
  try {
    await prepareTemplate(server.url)
  } finally {
    await server.stop()
  }
}

/** Copies a stopped cluster into a folder. The account that runs Postgres may not be ours: owners are copied, too. */
export async function copyTestCluster(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', `${from}/.`, to])
}

/** Creates the template on a server. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`)
  await client.query(`CREATE DATABASE ${TEMPLATE}`)
  await client.end()
  await migrate(databaseUrl(serverUrl, TEMPLATE))
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
