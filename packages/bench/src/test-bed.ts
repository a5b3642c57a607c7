import { join } from 'node:path'
import { type Db, migrate, openDb } from '@subtext/db'
import { databaseUrl } from '@subtext/db/testing'
import { type Embedded, startEmbedded } from '@subtext/embedded'
import { inheritedEnv } from '@subtext/embedded/testing'
import { type CoreApp, untilReady } from '@subtext/standalone'
import { choosePorts, LOCAL_SETTINGS, openFolder, openLog, startApp, type Undo } from '@subtext/testbed'
import pg from 'pg'
import { type Child, startChild } from './child-process.ts'
import type { Bench } from './part.ts'

export const QUEUE_PREFIX = 'bench'
export const BASELINE_PREFIX = 'baseline'

/** The servers, databases and processes of one part. */
export interface TestBed {
  servers: Embedded
  /** The service's database. */
  url: string
  db: Db
  /** The same tables; that of the jobs has no foreign keys, checks and indexes but the two that the baselines need. */
  baselineUrl: string
  baseline: pg.Pool
  start(file: URL, settings?: Record<string, string>): Child
  /** Starts built apps as in a deployment, the API among them. */
  startApps(apps: readonly CoreApp[], settings?: Record<string, string>): Promise<MeasuredService>
  /** Closes something before the servers stop. */
  onClose: Undo['add']
}

export interface MeasuredService {
  processes: readonly { readonly pid: number }[]
  origin: string
}

/** Limits so high that nothing is refused, although everything is counted, and no request fails on a busy machine. */
const APP_SETTINGS = {
  ...LOCAL_SETTINGS,
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  RATE_LIMIT_PRO: '1000000',
  RATE_LIMIT_ADMIN: '1000000',
  CONNECTION_LIMIT_ADDRESS: '10000',
  DATABASE_TIMEOUT_SECONDS: '30',
}

export async function openTestBed({ say, undo }: Pick<Bench, 'say' | 'undo'>): Promise<TestBed> {
  const folder = await openFolder(undo)
  const servers = await startEmbedded({ dataDir: folder, durable: true, onProgress: say })
  undo.add(servers.stop)
  const url = await createDatabase(servers.databaseUrl, 'subtext')
  const baselineUrl = await createDatabase(servers.databaseUrl, 'baseline')
  await runSql(baselineUrl, CHANGE_BASELINE)
  const db = openDb({ url, maxConnections: 2 })
  undo.add(db.close)
  const baseline = new pg.Pool({ connectionString: baselineUrl, max: 2 })
  // The server may stop before a connection that is being closed has ended. That must not crash the process.
  baseline.on('connect', (client) => void client.on('error', () => {}))
  undo.add(() => baseline.end())
  const log = await openLog(undo, folder)

  let started = 0
  const start = (file: URL, settings?: Record<string, string>): Child => {
    const child = startChild(file, join(folder, `process-${started++}.log`), settings)
    undo.add(child.stop)
    return child
  }
  const startApps: TestBed['startApps'] = async (apps, settings = {}) => {
    const { baseUrl: origin, settings: ports } = await choosePorts()
    const addresses = { DATABASE_URL: url, REDIS_URL: servers.redisUrl, QUEUE_PREFIX, ...ports }
    const env = { ...inheritedEnv(), ...APP_SETTINGS, ...settings, ...addresses }
    const processes = apps.map((app) => startApp(undo, app, env, log.fd))
    await untilReady(origin)
    return { processes, origin }
  }
  return { servers, url, db, baselineUrl, baseline, start, startApps, onClose: undo.add }
}

/** Creates a migrated database. Returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runSql(serverUrl, `CREATE DATABASE ${name}`)
  const url = databaseUrl(serverUrl, name)
  await migrate(url)
  return url
}

/** `documents` and `scripts` are what the baselines store in place of results. */
const CHANGE_BASELINE = `DO $$
DECLARE index_name regclass;
BEGIN
  FOR index_name IN
    SELECT indexrelid FROM pg_index WHERE indrelid = 'jobs'::regclass AND NOT indisprimary
  LOOP
    EXECUTE format('DROP INDEX %s', index_name);
  END LOOP;
END $$;
ALTER TABLE jobs RESET (fillfactor), DROP CONSTRAINT jobs_progress_check, DROP CONSTRAINT jobs_end_check;
CREATE INDEX ON jobs (user_id, id);
CREATE TABLE documents (job_id uuid PRIMARY KEY, data jsonb NOT NULL);
CREATE TABLE scripts (video_id text PRIMARY KEY, transcript text NOT NULL, summary text NOT NULL)`

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
