import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@subtext/db'
import { startEmbedded } from '@subtext/embedded'
import pg from 'pg'
import { announceServers, givenServers } from './env.ts'
import { guardDirectory } from './guard-directory.ts'

export const TEMPLATE = 'subtext_template'

/**
 * Starts the servers whose addresses are not in the environment, and prepares the template that test databases are
 * copied from. Returns a function that stops the servers.
 */
export async function startTestServers(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-test-'))
  const guard = guardDirectory(dataDir)
  const servers = await startEmbedded({ ...givenServers(), dataDir, durable: false })
  await prepareTemplate(servers.databaseUrl)
  announceServers(servers.databaseUrl, servers.redisUrl)
  // An interrupted run skips its teardown. The servers end when this process exits, but not when a signal ends it.
  // Jest replaces `process.exit` while a test file runs in this process.
  const exit = process.exit.bind(process)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => exit(1))
  return async () => {
    await servers.stop()
    await guard.close()
  }
}

async function prepareTemplate(serverUrl: string): Promise<void> {
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
