import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '@subtext/db'
import { DirectoryInUseError, startPostgres } from '@subtext/embedded'
import { DATA_DIR, type Settings } from './env.ts'
import { assertEmbeddedInstalled } from './kept-servers.ts'
import { assertReachable } from './reachable-servers.ts'
import { readAddresses } from './running-service.ts'

const MAX_ATTEMPTS = 20
const PAUSE_MS = 500

/**
 * Runs `work` on the database of the service: the one in `DATABASE_URL`, otherwise that of the service running in this
 * checkout, otherwise the embedded one, which is started for the duration of `work`. `origin`: that of the service running in
 * this checkout, if its database is used.
 */
export async function withDatabase<T>(
  { DATABASE_URL }: Settings,
  work: (url: string, origin?: string) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL) {
    await assertReachable({ DATABASE_URL })
    return work(DATABASE_URL)
  }
  assertEmbeddedInstalled('DATABASE_URL')
  for (let attempt = 1; ; attempt++) {
    const published = await readAddresses()
    if (published && (await acceptsQueries(published.databaseUrl))) return work(published.databaseUrl, published.origin)
    try {
      return await withEmbeddedPostgres(work)
    } catch (error) {
      // A service that is starting holds the directory before it publishes its addresses.
      if (!(error instanceof DirectoryInUseError) || attempt === MAX_ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function withEmbeddedPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres({
    dataDir: join(DATA_DIR, 'postgres'),
    durable: true,
    onProgress: (text) => console.error(text),
  })
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}

async function acceptsQueries(url: string): Promise<boolean> {
  const db = openDb({ url, maxConnections: 1 })
  try {
    await db.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await db.close()
  }
}
