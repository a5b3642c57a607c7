import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { type Db, migrate, openDb } from '@subtext/db'
import { databaseUrl } from '@subtext/db/testing'
import { type Embedded, findFreePort, startEmbedded } from '@subtext/embedded'
import { untilReady } from '@subtext/server'
import pg from 'pg'
import { type Child, startChild } from './child-process.ts'

export const QUEUE_PREFIX = 'bench'
export const BARE_PREFIX = 'bare'

/** Servers, databases and processes of one run; `close` leaves nothing behind. */
export interface Laboratory {
  servers: Embedded
  /** The service's database. */
  url: string
  db: Db
  /** The same tables without a key, index or check but their primary keys. */
  bareUrl: string
  bare: pg.Pool
  start(file: string, settings?: Record<string, string>): Child
  /** The API as a deployment runs it; with its origin. */
  startApi(): Promise<{ child: Child; origin: string }>
  /** Something to end with the run, before what was there already. */
  onClose(end: () => Promise<unknown>): void
  close(): Promise<void>
}

const API = fileURLToPath(new URL('../../../apps/api/src/main.ts', import.meta.url))

/** Nothing is refused, yet everything is counted. */
const API_SETTINGS = {
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
  LOG_LEVEL: 'info',
  HTTPS_ONLY: 'false',
  RATE_LIMIT_PRO: '1000000',
  RATE_LIMIT_ADMIN: '1000000',
}

export async function openLaboratory(say: (text: string) => void): Promise<Laboratory> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    while (undo.length > 0) await undo.pop()?.()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'subtext-bench-'))
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    const servers = await startEmbedded({ dataDir, durable: true, onProgress: say })
    undo.push(servers.stop)
    const url = await createDatabase(servers.databaseUrl, 'subtext')
    const bareUrl = await createDatabase(servers.databaseUrl, 'bare')
    await stripTables(bareUrl)
    const db = openDb({ url, maxConnections: 2 })
    undo.push(db.close)
    const bare = new pg.Pool({ connectionString: bareUrl, max: 2 })
    undo.push(() => bare.end())

    let started = 0
    const start = (file: string, settings?: Record<string, string>): Child => {
      const child = startChild(file, join(dataDir, `process-${started++}.log`), settings)
      undo.push(child.stop)
      return child
    }
    const startApi = async (): Promise<{ child: Child; origin: string }> => {
      const port = await findFreePort()
      const origin = `http://127.0.0.1:${port}`
      const addresses = { DATABASE_URL: url, REDIS_URL: servers.redisUrl, QUEUE_PREFIX, PORT: String(port) }
      const child = start(API, { ...API_SETTINGS, ...addresses })
      await untilReady(origin)
      return { child, origin }
    }
    const onClose = (end: () => Promise<unknown>): void => void undo.push(end)
    return { servers, url, db, bareUrl, bare, start, startApi, onClose, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runSql(serverUrl, `CREATE DATABASE ${name}`)
  const url = databaseUrl(serverUrl, name)
  await migrate(url)
  return url
}

const STRIP = `DO $$
DECLARE index_name regclass;
BEGIN
  FOR index_name IN
    SELECT indexrelid FROM pg_index WHERE indrelid = 'jobs'::regclass AND NOT indisprimary
  LOOP
    EXECUTE format('DROP INDEX %s', index_name);
  END LOOP;
END $$;
ALTER TABLE jobs RESET (fillfactor), DROP CONSTRAINT jobs_progress_check, DROP CONSTRAINT jobs_end_check;
CREATE TABLE texts (id text PRIMARY KEY, body text NOT NULL)`

const stripTables = (url: string): Promise<void> => runSql(url, STRIP)

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
