import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '@subtext/db'
import { DirectoryInUseError, startPostgres } from '@subtext/embedded'
import { DATA_DIR, readSettings } from './env.ts'
import { readAnnounced } from './running-service.ts'

const TRIES = 20
const PAUSE_MS = 500

/**
 * Runs `work` on the service's database: the one of `DATABASE_URL`, else that of the service running in this checkout,
 * else the embedded one, started for as long as it takes.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = readSettings()
  if (DATABASE_URL) return work(DATABASE_URL)
  for (let attempt = 1; ; attempt++) {
    const announced = await readAnnounced()
    if (announced && (await answers(announced.databaseUrl))) return work(announced.databaseUrl)
    try {
      return await withEmbedded(work)
    } catch (error) {
      // A service that is just starting holds the directory and has not announced itself yet.
      if (!(error instanceof DirectoryInUseError) || attempt === TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function withEmbedded<T>(work: (url: string) => Promise<T>): Promise<T> {
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

async function answers(url: string): Promise<boolean> {
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
