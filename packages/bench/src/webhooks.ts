import { setTimeout as sleep } from 'node:timers/promises'
import { buildSpeech } from '@subtext/contracts/testing'
import { recordWebhookEvent } from '@subtext/core/webhooks'
import { type Db, openDb } from '@subtext/db'
import { createNotifier } from '@subtext/queue'
import { at } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import { createAccounts } from './accounts.ts'
import type { Child } from './child-process.ts'
import { compare, type Side } from './compare.ts'
import type { Part } from './part.ts'
import { formatComparison } from './table.ts'
import { openTestBed, type TestBed } from './test-bed.ts'

/** Where `same` finds what to deliver. */
export interface BaselineDelivery {
  databaseUrl: string
  concurrency: number
}

const BODY_BYTES = 20_000
const CONCURRENCY = 20
const RECEIVERS = 8
const ROUNDS = 7
/** Enough that a round does not measure the compiler. */
const COUNT = 3_000
const POLL_MS = 20
const QUIET_MS = 200
const PREFIX = 'bench-webhooks'

/** Compares deliveries of 20 kB to receivers on this machine that acknowledge immediately. */
export const measureWebhooks: Part = async (bench) => {
  const testBed = await openTestBed(bench)
  const body = buildBody()
  const { userId } = at(await createAccounts([testBed.db, testBed.baseline], 1, []), 0)
  const notifier = createNotifier({ url: testBed.servers.redisUrl, prefix: PREFIX })
  testBed.onClose(notifier.close)
  const baselineDb = openDb({ url: testBed.baselineUrl, maxConnections: 2 })
  testBed.onClose(baselineDb.close)
  const sink = testBed.start(new URL('./sink-process.ts', import.meta.url))
  const ours = testBed.start(new URL('./our-webhook-process.ts', import.meta.url))
  const same = testBed.start(new URL('./same-webhook-process.ts', import.meta.url))
  const urls = await sink.call<string[]>('listen', RECEIVERS)
  await ours.call('start', selectSettings(testBed))

  const side = (process: Child, db: Db, deliver: () => Promise<unknown>): Side => ({
    processes: [process],
    async prepare() {
      await sink.call('reset')
      await storeDeliveries(db, { userId, urls, body })
      await sleep(QUIET_MS)
      await makeDue(db)
    },
    async run() {
      const early = await sink.call<number>('count')
      if (early > 0) throw new Error(`${early} webhooks were sent before the round began.`)
      const startedAt = performance.now()
      await deliver()
      await sink.call('waitForCount', COUNT)
      await waitUntilRecorded(db)
      return { count: COUNT, seconds: (performance.now() - startedAt) / 1_000 }
    },
    async verify() {
      const received = await sink.call<number>('count')
      const { delivered, attempts } = await countDelivered(db)
      if (received !== COUNT || delivered !== COUNT || attempts !== COUNT)
        throw new Error(`${received} were received, ${delivered} deliveries and ${attempts} attempts recorded.`)
    },
  })
  const options: BaselineDelivery = { databaseUrl: testBed.baselineUrl, concurrency: CONCURRENCY }
  const comparison = await compare(
    testBed.servers,
    side(ours, testBed.db, () => notifier.publish('delivery', userId)),
    side(same, baselineDb, () => same.call('deliver', options)),
    ROUNDS,
  )
  return formatComparison(`deliver a webhook of 20 kB, ${CONCURRENCY} concurrent`, 'same', comparison)
}

async function makeDue(db: Db): Promise<void> {
  await db.query('ANALYZE')
  await db.query('UPDATE webhook_deliveries SET next_attempt_at = now()')
}

/** Throws unless the body has the size that the benchmark is named after. */
function buildBody(): string {
  const body = JSON.stringify(buildSpeech(BODY_BYTES)).slice(0, BODY_BYTES)
  if (Buffer.byteLength(body) !== BODY_BYTES)
    throw new Error(`The body has ${Buffer.byteLength(body)} bytes instead of ${BODY_BYTES}.`)
  return body
}

const selectSettings = ({ url, servers }: TestBed): Record<string, string> => ({
  DATABASE_URL: url,
  REDIS_URL: servers.redisUrl,
  QUEUE_PREFIX: PREFIX,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_CONCURRENCY: String(CONCURRENCY),
  WEBHOOK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
})

interface Deliveries {
  userId: string
  urls: string[]
  body: string
}

/** Stores `COUNT` deliveries in place of those of the round before. */
async function storeDeliveries(db: Db, { userId, urls, body }: Deliveries): Promise<void> {
  await db.query('DELETE FROM webhook_deliveries')
  await vacuum(db)
  await db.transaction(async (sql) => {
    for (let nth = 0; nth < COUNT; nth++) {
      const event = { id: newId(), deliveryId: newId(), userId, type: 'job.completed' as const, subjectId: newId() }
      const url = at(urls, nth % urls.length)
      await recordWebhookEvent(sql, { ...event, url, body: Buffer.from(body), createdAt: new Date() })
    }
    // Not due while the last attempts of the round before may still make the deliverer look for more.
    await sql.query("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'")
  })
  await vacuum(db)
}

/** Removes dead rows, as autovacuum would. Otherwise each round finds those of all before. */
const vacuum = (db: Db) => db.query('VACUUM webhook_deliveries, webhook_attempts, webhook_events')

/** Counting costs CPU time of Postgres, so it begins when little is left to record, and does not count attempts. */
async function waitUntilRecorded(db: Db): Promise<void> {
  const FIND_PENDING = "SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT 1"
  while ((await db.query(FIND_PENDING)).rowCount > 0) await sleep(POLL_MS)
}

async function countDelivered(db: Db): Promise<{ delivered: number; attempts: number }> {
  const { rows } = await db.query<{ delivered: number; attempts: number }>(
    `SELECT count(*)::int AS delivered, coalesce(sum((SELECT count(*) FROM webhook_attempts a WHERE a.delivery_id = d.id)), 0)::int
       AS attempts FROM webhook_deliveries d WHERE status = 'delivered'`,
  )
  return rows[0] ?? { delivered: 0, attempts: 0 }
}
