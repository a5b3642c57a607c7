import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { type Db, migrate, openDb } from '@subtext/db'
import { databaseUrl } from '@subtext/db/testing'
import { findFreePort, startPostgres, startRedis } from '@subtext/embedded'
import { inheritedEnv } from '@subtext/embedded/testing'
import { type CoreApp, spawnApp, untilReady } from '@subtext/standalone'
import { type Child, startChild } from './child-process.ts'
import { openWriteStatistics, storeStatisticsSettings, type WriteStatistics } from './write-statistics.ts'

/** The service as built, with servers of its own that count what they write. */
export interface WriteFleet {
  apiOrigin: string
  db: Db
  statistics: WriteStatistics
  platform: Child
  sink: Child
  close(): Promise<void>
}

const PROCESSES: CoreApp[] = ['api', 'worker', 'worker', 'webhooks']
const DATABASE = 'subtext'
const STOP_GRACE_MS = 8_000

const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  HTTPS_ONLY: 'false',
  LOG_LEVEL: 'info',
  SAMPLE_VIDEOS: 'false',
  RATE_LIMIT_PRO: '1000000',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
  // On a busy machine, a submission must not be refused: the API could not say whether it was stored nevertheless.
  DATABASE_TIMEOUT_SECONDS: '30',
}

/** Starts one API, two workers and one webhook sender against a platform and a receiver on this machine. */
export async function startWriteFleet(say: (text: string) => void): Promise<WriteFleet> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    while (undo.length > 0) await undo.pop()?.()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'subtext-bench-'))
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    const serverUrl = await startCountingPostgres(join(dataDir, 'postgres'), undo, say)
    const redis = await startRedis({ dataDir: join(dataDir, 'redis'), durable: true })
    undo.push(redis.stop)
    const statistics = await openWriteStatistics(serverUrl, DATABASE)
    undo.push(statistics.close)
    const db = openDb({ url: databaseUrl(serverUrl, DATABASE), maxConnections: 1 })
    undo.push(db.close)

    const start = (file: URL, name: string): Child => {
      const child = startChild(file, join(dataDir, `${name}.log`))
      undo.push(child.stop)
      return child
    }
    const platform = start(new URL('./platform-process.ts', import.meta.url), 'platform')
    const sink = start(new URL('./webhook-sink-process.ts', import.meta.url), 'sink')
    const port = String(await findFreePort())
    const settings = {
      ...inheritedEnv(),
      ...SETTINGS,
      DATABASE_URL: databaseUrl(serverUrl, DATABASE),
      REDIS_URL: redis.url,
      YOUTUBE_ORIGIN: await platform.call<string>('start', []),
      PORT: port,
    }
    const log = await open(join(dataDir, 'apps.log'), 'a')
    undo.push(() => log.close())
    for (const app of PROCESSES) {
      const started = spawnApp(app, settings, log.fd)
      undo.push(() => started.stop(STOP_GRACE_MS))
    }
    const apiOrigin = `http://127.0.0.1:${port}`
    await untilReady(apiOrigin)
    return { apiOrigin, db, statistics, platform, sink, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startCountingPostgres(
  dataDir: string,
  undo: (() => Promise<unknown>)[],
  say: (text: string) => void,
): Promise<string> {
  const options = { dataDir, durable: true, onProgress: say }
  const first = await startPostgres(options)
  try {
    await storeStatisticsSettings(first.url)
  } finally {
    await first.stop()
  }
  const server = await startPostgres(options)
  undo.push(server.stop)
  const client = openDb({ url: server.url, maxConnections: 1 })
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`)
  } finally {
    await client.close()
  }
  await migrate(databaseUrl(server.url, DATABASE))
  return server.url
}
