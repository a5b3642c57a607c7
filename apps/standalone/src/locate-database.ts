import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '@subtext/db'
import { DirectoryInUseError, isDirectoryInUse, startPostgres } from '@subtext/embedded'
import { DATA_DIR, type Settings } from './env.ts'
import { assertEmbeddedInstalled } from './kept-servers.ts'
import { assertReachable } from './reachable-servers.ts'
import { readAddresses } from './running-service.ts'

const MAX_ATTEMPTS = 20
const PAUSE_MS = 500
const POSTGRES_DIR = join(DATA_DIR, 'postgres')

/** A database, and how to tell a person which one it is. */
export interface LocatedDatabase {
  url: string
  /** Completes "Written to ...". */
  place: string
  /** The public origin of the service running in this checkout, if its database is used. */
  origin?: string
}

/**
 * Runs `work` on the database of the service: the one in `DATABASE_URL`, otherwise that of the service running on the data folder,
 * otherwise the embedded one there, which is started for the duration of `work`. Before that, calls `confirm` with the reason not to:
 * the service may use another database, and what is written to this one would be of no effect.
 */
export async function withDatabase<T>(
  { DATABASE_URL }: Settings,
  confirm: (reason: string) => Promise<void>,
  work: (database: LocatedDatabase) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL) {
    await assertReachable({ DATABASE_URL })
    return work({ url: DATABASE_URL, place: describeServer(DATABASE_URL) })
  }
  assertEmbeddedInstalled('DATABASE_URL')
  let isConfirmed = false
  for (let attempt = 1; ; attempt++) {
    const published = await readAddresses()
    if (published && (await acceptsQueries(published.databaseUrl))) {
      const { databaseUrl: url, origin } = published
      return work({ url, origin, place: `the database of the service at ${origin}` })
    }
    // A service that is starting holds the directory before it publishes its addresses.
    const isInUse = isDirectoryInUse(POSTGRES_DIR)
    if (isInUse && attempt < MAX_ATTEMPTS) {
      await sleep(PAUSE_MS)
      continue
    }
    if (!isInUse && !isConfirmed) await confirm(describeUnused())
    isConfirmed = true
    try {
      return await withEmbeddedPostgres((url) => work({ url, place: `the database in ${POSTGRES_DIR}` }))
    } catch (error) {
      if (!(error instanceof DirectoryInUseError) || attempt === MAX_ATTEMPTS) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Says that no service uses the database in the data folder, and what may be the reason. */
function describeUnused(): string {
  const isNew = !existsSync(POSTGRES_DIR)
  return [
    `No service is running on the data folder of this command, ${DATA_DIR}${isNew ? ', which has no database yet' : ''}.`,
    'If the service runs with SUBTEXT_DATA_DIR or DATABASE_URL, run the command with the same setting.',
  ].join('\n')
}

/** Returns the address of a server without credentials. */
function describeServer(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname}${port && `:${port}`}, database ${decodeURIComponent(pathname.slice(1))}`
}

async function withEmbeddedPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres({
    dataDir: POSTGRES_DIR,
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
