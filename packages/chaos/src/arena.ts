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

/** Everything around the service: what it stores in, what it asks, and whom it tells. */
export interface Arena {
  postgres: OwnServer
  redis: OwnServer
  /** Straight to the database, whatever lies between it and the service. */
  db: Db
  platform: VideoPlatform
  messagesApi: MessagesApi
  receiver: WebhookReceiver
  log: { path: string; fd: number }
  emptyRedis(): Promise<void>
  /** Something to end with the run, before what was there already. */
  onClose(end: () => Promise<unknown>): void
  /** `keepLog`: for who wants to know why. */
  close(options?: { keepLog?: boolean }): Promise<void>
}

/**
 * How long the platform and the model take: work has to be in flight for a fault to hit it. The calls that a killed worker
 * had under way are paid for in vain, whatever is done: as many as it kept going at once, so the longer they take the more.
 */
const CAPTIONS_MS = 250
const SUMMARY_MS = 150

export async function openArena(): Promise<Arena> {
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
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
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
    const postgres = await kept(startOwnPostgres({ durable: true }))
    const redis = await kept(startOwnRedis({ durable: true }))
    const platform = await kept(startVideoPlatform())
    platform.delay({ kind: 'timedtext', ms: CAPTIONS_MS })
    const messagesApi = await kept(startMessagesApi())
    messagesApi.failNext({ kind: 'slow', delayMs: SUMMARY_MS }, { times: Number.POSITIVE_INFINITY })
    const receiver = await kept(startWebhookReceiver())
    const db = openDb({ url: postgres.url, maxConnections: 3, queryTimeoutMs: 20_000, onIdleError: () => {} })
    undo.push(db.close)
    await installLeaseLog(db)
    return {
      ...{ postgres, redis, db, platform, messagesApi, receiver, log: { path, fd: file.fd } },
      emptyRedis: () => emptyRedis(redis.url),
      onClose: (end) => void undo.push(end),
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
