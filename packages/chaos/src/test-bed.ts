import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '@subtext/db'
import { type OwnServer, startOwnPostgres, startOwnRedis } from '@subtext/db/testing'
import {
  type MessagesApi,
  startMessagesApi,
  startVideoPlatform,
  startWebhookReceiver,
  type VideoPlatform,
  type WebhookReceiver,
} from '@subtext/fakes'
import { Redis } from 'ioredis'
import { installLeaseLog } from './lease-log.ts'

/** Everything around the service: its databases, the services it calls, and the receiver of its webhooks. */
export interface TestBed {
  postgres: OwnServer
  redis: OwnServer
  /** A direct connection to the database, unaffected by the links between it and the service. */
  db: Db
  platform: VideoPlatform
  messagesApi: MessagesApi
  receiver: WebhookReceiver
  log: { path: string; fd: number }
  emptyRedis(): Promise<void>
  /** Registers a cleanup for the end of the run. Cleanups run in reverse order. */
  onClose(cleanUp: () => Promise<unknown>): void
  /** Closes everything. `keepLog` keeps the log of the apps. */
  close(options?: { keepLog?: boolean }): Promise<void>
}

/**
 * Response times of the platform and the model. A fault can interrupt work only while it is in flight. Calls that a killed
 * worker had in flight are always paid for and lost, and the longer calls take, the more of them there are.
 */
const CAPTIONS_MS = 250
const SUMMARY_MS = 150

export async function openTestBed(): Promise<TestBed> {
  const undo: (() => Promise<unknown>)[] = []
  let keepLog = false
  const close = async (): Promise<void> => {
    const errors: unknown[] = []
    while (undo.length > 0)
      await undo
        .pop()?.()
        .catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }
  const closeLater = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    undo.push(started.close)
    return started
  }
  try {
    const directory = await mkdtemp(join(tmpdir(), 'subtext-chaos-'))
    undo.push(async () => keepLog || (await rm(directory, { recursive: true, force: true })))
    const path = join(directory, 'apps.log')
    const file = await open(path, 'a')
    undo.push(() => file.close())
    const postgres = await closeLater(startOwnPostgres({ durable: true }))
    const redis = await closeLater(startOwnRedis({ durable: true }))
    const platform = await closeLater(startVideoPlatform())
    platform.delay({ kind: 'timedtext', ms: CAPTIONS_MS })
    const messagesApi = await closeLater(startMessagesApi())
    messagesApi.failNext({ kind: 'slow', delayMs: SUMMARY_MS }, { times: Number.POSITIVE_INFINITY })
    const receiver = await closeLater(startWebhookReceiver())
    const db = openDb({ url: postgres.url, maxConnections: 3, queryTimeoutMs: 20_000, onIdleError: () => {} })
    undo.push(db.close)
    await installLeaseLog(db)
    return {
      postgres,
      redis,
      db,
      platform,
      messagesApi,
      receiver,
      log: { path, fd: file.fd },
      emptyRedis: () => emptyRedis(redis.url),
      onClose: (cleanUp) => void undo.push(cleanUp),
      async close(options) {
        keepLog = options?.keepLog ?? false
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function emptyRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true })
  try {
    await client.connect()
    await client.flushall()
  } finally {
    client.disconnect()
  }
}
