import { openPrismaDb, type PrismaDb } from '@subtext/db/prisma'
import type { OwnServer } from '@subtext/db/testing'
import type { MessagesApi, VideoPlatform, WebhookReceiver } from '@subtext/fakes'
import { type AppLog, given, openFolder, openLog, openParts, startWorld, type Undo } from '@subtext/testbed'
import { Redis } from 'ioredis'
import { installLeaseLog } from './lease-log.ts'

/** Everything around the service: its databases, the services it calls, and the receiver of its webhooks. */
export interface ChaosTestBed {
  postgres: OwnServer
  redis: OwnServer
  /** A direct connection to the database, unaffected by the links between it and the service. */
  db: PrismaDb
  platform: VideoPlatform
  messagesApi: MessagesApi
  receiver: WebhookReceiver
  /** Settings that lead the apps to all of this. */
  settings: Record<string, string>
  log: AppLog
  emptyRedis(): Promise<void>
  /** Registers a cleanup for the end of the run. Cleanups run in reverse order. */
  onClose: Undo['add']
  /** Closes everything. `keepLog` keeps the log of the apps. */
  close(options?: { keepLog?: boolean }): Promise<void>
}

/**
 * Response times of the platform and the model. A fault can interrupt work only while it is in flight. Calls that a killed
 * worker had in flight are always paid for and lost, and the longer calls take, the more of them there are.
 */
const CAPTIONS_MS = 250
const SUMMARY_MS = 150

export const openTestBed = (): Promise<ChaosTestBed> =>
  openParts(async (undo) => {
    let keepLog = false
    const log = await openLog(undo, await openFolder(undo, () => keepLog))
    const world = await startWorld({ ownPostgres: true, ownRedis: true, durable: true, messagesApi: true }, undo)
    const [postgres, redis] = [given(world.ownPostgres, 'Postgres'), given(world.ownRedis, 'Redis')]
    const messagesApi = given(world.messagesApi, 'Messages API')
    const { platform, receiver } = world.fakes
    platform.delay({ kind: 'timedtext', ms: CAPTIONS_MS })
    messagesApi.failNext({ kind: 'slow', delayMs: SUMMARY_MS }, { times: Number.POSITIVE_INFINITY })
    const db = openPrismaDb({ url: postgres.url, maxConnections: 3, queryTimeoutMs: 20_000, onIdleError: () => {} })
    undo.add(db.close)
    await installLeaseLog(db)
    return {
      postgres,
      redis,
      db,
      platform,
      messagesApi,
      receiver,
      settings: world.settings,
      log,
      emptyRedis: () => emptyRedis(redis.url),
      onClose: undo.add,
      async close(options) {
        keepLog = options?.keepLog ?? false
        await undo.run()
      },
    }
  })

async function emptyRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true })
  try {
    await client.connect()
    await client.flushall()
  } finally {
    client.disconnect()
  }
}
