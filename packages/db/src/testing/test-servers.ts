import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@subtext/db'
import { startEmbedded } from '@subtext/embedded'
import pg from 'pg'
import { announceServers, givenServers } from './env.ts'

export const TEMPLATE = 'subtext_template'

/** Starts what is not given, prepares the template that test databases are copied from; returns how to end it all. */
export async function startTestServers(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'subtext-test-'))
  const servers = await startEmbedded({ ...givenServers(), dataDir, durable: false })
  await prepareTemplate(servers.databaseUrl)
  announceServers(servers.databaseUrl, servers.redisUrl)
  // An interrupted run skips its teardown; the servers end with a process that exits, not with one that a signal ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  return async () => {
    await servers.stop()
    await rm(dataDir, { recursive: true, force: true })
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

/** The same server, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
