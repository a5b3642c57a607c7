import { randomUUID } from 'node:crypto'
import { createSecretBox, listSigningSecrets, recordWebhookEvent } from '@subtext/core/webhooks'
import { openPrismaDb, type PrismaDb } from '@subtext/db/prisma'
import { createTestDatabase, setReadOnly, type TestDatabase, writeAnyway } from '@subtext/db/testing'
import { openTcpLink, type TcpLink, waitUntil } from '@subtext/embedded/testing'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/fakes'
import { createNotifier, type Notifier } from '@subtext/queue'
import { testQueue } from '@subtext/queue/testing'
import { type DelivererOptions, type RunningDeliverer, startDeliverer } from '../deliverer.ts'
import { WebhooksEnv } from '../env.ts'

const ignore = (): void => {}

/**
 * Longer than any test: on a busy machine, an attempt that takes half a minute must neither time out nor be made by another
 * deliverer as well. See `expireLeases`.
 */
const PATIENT: DelivererOptions = { attemptTimeoutMs: 600_000, leaseSeconds: 3_600 }

/** Runs deliverers on a database with one account and a receiver. */
export class TestDeliverers {
  private readonly queue = testQueue()
  private readonly notifier: Notifier = createNotifier(this.queue)
  readonly userId = randomUUID()
  private running: RunningDeliverer[] = []

  private constructor(
    private readonly database: TestDatabase,
    readonly db: PrismaDb,
    /** Replaced by a new one at every reset. */
    public receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<TestDeliverers> {
    const database = await createTestDatabase()
    // On a busy machine, many callers of a small pool wait for a while.
    const db = openPrismaDb({ url: database.url, maxConnections: 4, connectTimeoutMs: 240_000 })
    const opened = new TestDeliverers(database, db, await startWebhookReceiver())
    await db.prisma.user.create({ data: { id: opened.userId, email: 'owner@example.org', plan: 'pro' } })
    return opened
  }

  private env(settings: Record<string, string> = {}): WebhooksEnv {
    return WebhooksEnv.parse({
      DATABASE_URL: this.database.url,
      REDIS_URL: this.queue.url,
      QUEUE_PREFIX: this.queue.prefix,
      LOG_LEVEL: 'silent',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SCHEDULE: '0s,0s',
      WEBHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...settings,
    })
  }

  start(settings: Record<string, string> = {}, options: DelivererOptions = {}): RunningDeliverer {
    const deliverer = startDeliverer(this.env(settings), { ...PATIENT, ...options })
    this.running.push(deliverer)
    return deliverer
  }

  /** Stores an event without notifying the deliverers. */
  async store(url = this.receiver.origin, body = Buffer.from(`{"id":"${randomUUID()}","text":"\u00e9 \u2028"}`)) {
    const event = {
      id: randomUUID(),
      deliveryId: randomUUID(),
      userId: this.userId,
      type: 'job.completed' as const,
      subjectId: randomUUID(),
      url,
      body,
      createdAt: new Date(Date.now() - 1),
    }
    await recordWebhookEvent(this.db, event)
    return event
  }

  /** Notifies the deliverers of a delivery. */
  async notify(id: string): Promise<void> {
    await this.notifier.publish('delivery', id).catch(ignore)
  }

  secrets(): Promise<[string, ...string[]]> {
    const secretBox = createSecretBox(this.env().WEBHOOK_SECRET_KEY)
    const log = { info: ignore, warn: ignore, error: ignore }
    return listSigningSecrets({ db: this.db, clock: () => new Date(), log, secretBox }, this.userId)
  }

  find(id: string) {
    return this.db.prisma.webhookDelivery.findUniqueOrThrow({
      where: { id },
      include: { attemptHistory: { orderBy: { attemptNo: 'asc' } } },
    })
  }

  /** Waits until the delivery has ended and returns it. */
  async settled(id: string) {
    await until(async () => (await this.find(id)).status !== 'pending')
    return this.find(id)
  }

  /** Opens a link to the database, whose URL can be the DATABASE_URL of a deliverer. */
  openLink(): Promise<TcpLink> {
    return openTcpLink(this.database.url)
  }

  setReadOnly(readOnly: boolean): Promise<void> {
    return setReadOnly(this.database.url, readOnly)
  }

  /** Lets the leases of all claimed deliveries expire, even while the database is read-only. */
  expireLeases(): Promise<void> {
    const past = `date_trunc('milliseconds', now()) - interval '1 s'`
    return writeAnyway(
      this.database.url,
      `UPDATE webhook_deliveries SET next_attempt_at = ${past} WHERE lease_token IS NOT NULL`,
    )
  }

  /** Counts the transactions of the test's database that have failed. */
  async countRollbacks(): Promise<number> {
    const { rows } = await this.db.query<{ count: string }>(
      'SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]?.count)
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.running.map((deliverer) => deliverer.stop()))
    this.running = []
  }

  /** Stops all deliverers, deletes all events and replaces the receiver, between two tests. */
  async reset(): Promise<void> {
    // Closed first: a deliverer waits for its attempts, and those at a receiver that hangs end only with it.
    await this.receiver.close()
    await this.stopAll()
    await this.db.query('TRUNCATE webhook_events, webhook_receivers, webhook_endpoints CASCADE')
    this.receiver = await startWebhookReceiver()
  }

  async close(): Promise<void> {
    await this.stopAll()
    await Promise.all([this.receiver.close(), this.notifier.close(), this.db.close()])
    await this.database.drop()
  }
}

/** Waits until the condition is true. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  await waitUntil('the condition is true', condition)
}
