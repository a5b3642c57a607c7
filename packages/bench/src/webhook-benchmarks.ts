import { setTimeout as sleep } from 'node:timers/promises'
import { buildSpeech } from '@subtext/contracts/testing'
import { recordWebhookEvent } from '@subtext/db'
import { createNotifier } from '@subtext/queue'
import { at } from '@subtext/runtime'
import { v7 as newId } from 'uuid'
import { createAccounts } from './accounts.ts'
import type { Benchmark } from './benchmark.ts'
import { compare, type Round, type Side } from './compare.ts'
import type { TestBed } from './test-bed.ts'

/** What the baseline process posts. */
export interface PostOptions {
  urls: string[]
  body: string
  count: number
  concurrency: number
}

const BODY_BYTES = 20_000
const CONCURRENCY = 20
const RECEIVERS = 8
const ROUNDS = 5
const COUNT = 500
/** Time until the stored deliveries are due; storing them takes less. */
const DUE_AFTER_MS = 3_000
const PREFIX = 'bench-webhooks'

/** Benchmarks deliveries of 20 kB to receivers on this machine that acknowledge immediately. */
export function webhookBenchmarks(testBed: TestBed): Benchmark[] {
  return [{ name: 'deliver a webhook of 20 kB, 20 concurrent', run: () => runBenchmark(testBed) }]
}

async function runBenchmark(testBed: TestBed) {
  const body = JSON.stringify(buildSpeech(1_000)).slice(0, BODY_BYTES)
  const [account] = await createAccounts(testBed.db, 1, [])
  const userId = account?.userId ?? ''
  const notifier = createNotifier({ url: testBed.servers.redisUrl, prefix: PREFIX })
  testBed.onClose(notifier.close)
  const sink = testBed.start(new URL('./webhook-sink-process.ts', import.meta.url))
  const ours = testBed.start(new URL('./our-webhook-process.ts', import.meta.url))
  const baseline = testBed.start(new URL('./baseline-webhook-process.ts', import.meta.url))
  const urls = await sink.call<string[]>('listen', RECEIVERS)
  await ours.call('start', {
    DATABASE_URL: testBed.url,
    REDIS_URL: testBed.servers.redisUrl,
    QUEUE_PREFIX: PREFIX,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
    WEBHOOK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })

  let dueAt = new Date()
  const measure = async (deliver: () => Promise<unknown>): Promise<Round> => {
    const startedAt = performance.now()
    await Promise.all([deliver(), sink.call('waitForCount', COUNT)])
    return { count: COUNT, seconds: (performance.now() - startedAt) / 1_000 }
  }
  const oursSide: Side = {
    process: ours,
    async prepare() {
      await sink.call('reset')
      dueAt = new Date(Date.now() + DUE_AFTER_MS)
      for (let nth = 0; nth < COUNT; nth++) {
        const event = { id: newId(), deliveryId: newId(), userId, type: 'job.completed' as const, subjectId: newId() }
        const url = at(urls, nth % urls.length)
        await recordWebhookEvent(testBed.db, { ...event, url, body: Buffer.from(body), createdAt: dueAt })
      }
    },
    async run() {
      await sleep(dueAt.getTime() - Date.now())
      return measure(() => notifier.publish('delivery', userId))
    },
  }
  const options: PostOptions = { urls, body, count: COUNT, concurrency: CONCURRENCY }
  const baselineSide: Side = {
    process: baseline,
    prepare: () => sink.call('reset'),
    run: () => measure(() => baseline.call('post', options)),
  }
  return compare(testBed, oursSide, baselineSide, ROUNDS)
}
