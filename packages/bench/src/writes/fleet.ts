import { join } from 'node:path'
import { type Db, openDb } from '@subtext/db'
import { databaseUrl } from '@subtext/db/testing'
import { startPostgres, startRedis } from '@subtext/embedded'
import { inheritedEnv } from '@subtext/embedded/testing'
import { type CoreApp, untilReady } from '@subtext/standalone'
import { choosePorts, LOCAL_SETTINGS, openFolder, openLog, startApp, type Undo } from '@subtext/testbed'
import { type Child, startChild } from '../child-process.ts'
import type { Bench } from '../part.ts'
import { createDatabase } from '../test-bed.ts'
import { openWriteStatistics, storeStatisticsSettings, type WriteStatistics } from './statistics.ts'

/** The service as built, with servers of its own that count what they write. */
export interface WriteFleet {
  apiOrigin: string
  db: Db
  statistics: WriteStatistics
  platform: Child
  sink: Child
}

const PROCESSES: CoreApp[] = ['api', 'worker', 'worker', 'webhooks']
const DATABASE = 'subtext'

const SETTINGS = {
  ...LOCAL_SETTINGS,
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  RATE_LIMIT_PRO: '1000000',
  // On a busy machine, a submission must not be refused: the API could not say whether it was stored nevertheless.
  DATABASE_TIMEOUT_SECONDS: '30',
}

/** Starts one API, two workers and one webhook sender against a platform and a receiver on this machine. */
export async function startWriteFleet({ say, undo }: Bench): Promise<WriteFleet> {
  const folder = await openFolder(undo)
  const serverUrl = await startCountingPostgres(undo, join(folder, 'postgres'), say)
  const redis = await startRedis({ dataDir: join(folder, 'redis'), durable: true })
  undo.add(redis.stop)
  const statistics = await undo.keep(openWriteStatistics(serverUrl, DATABASE))
  const db = openDb({ url: databaseUrl(serverUrl, DATABASE), maxConnections: 1 })
  undo.add(db.close)

  const start = (file: URL, name: string): Child => {
    const child = startChild(file, join(folder, `${name}.log`))
    undo.add(child.stop)
    return child
  }
  const platform = start(new URL('../platform-process.ts', import.meta.url), 'platform')
  const sink = start(new URL('../sink-process.ts', import.meta.url), 'sink')
  const { baseUrl: apiOrigin, settings: ports } = await choosePorts()
  const settings = {
    ...inheritedEnv(),
    ...SETTINGS,
    DATABASE_URL: databaseUrl(serverUrl, DATABASE),
    REDIS_URL: redis.url,
    YOUTUBE_ORIGIN: await platform.call<string>('start', []),
    ...ports,
  }
  const log = await openLog(undo, folder)
  for (const app of PROCESSES) startApp(undo, app, settings, log.fd)
  await untilReady(apiOrigin)
  return { apiOrigin, db, statistics, platform, sink }
}

async function startCountingPostgres(undo: Undo, dataDir: string, say: (text: string) => void): Promise<string> {
  const options = { dataDir, durable: true, onProgress: say }
  const first = await startPostgres(options)
  try {
    await storeStatisticsSettings(first.url)
  } finally {
    await first.stop()
  }
  const server = await startPostgres(options)
  undo.add(server.stop)
  await createDatabase(server.url, DATABASE)
  return server.url
}
