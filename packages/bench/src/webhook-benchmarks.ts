import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { recordWebhookEvent } from '@subtext/db'
import { createNotifier } from '@subtext/queue'
import { v7 as newId } from 'uuid'
import { createAccounts } from './accounts.ts'
import { compare, type Round, type Side } from './compare.ts'
import type { Laboratory } from './laboratory.ts'
import { buildCues } from './sample-results.ts'
import type { Trial } from './trial.ts'

/** What the bare process is asked to post. */
export interface PostOrder {
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
/** Storing what is to be delivered takes less. */
const HEAD_START_MS = 3_000
const PREFIX = 'bench-webhooks'

const processFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Deliveries of a body of 20 kB to receivers on this machine that acknowledge at once. */
export function webhookTrials(lab: Laboratory): Trial[] {
  return [{ name: 'deliver a webhook of 20 kB, 20 at once', run: () => runTrial(lab) }]
}

async function runTrial(lab: Laboratory) {
  const body = JSON.stringify(buildCues(1_000)).slice(0, BODY_BYTES)
  const [account] = await createAccounts(lab.db, 1, [])
  const userId = account?.userId ?? ''
  const notifier = createNotifier({ url: lab.servers.redisUrl, prefix: PREFIX })
  lab.onClose(notifier.close)
  const sink = lab.start(processFile('./webhook-sink-process.ts'))
  const ours = lab.start(processFile('./our-webhook-process.ts'))
  const bare = lab.start(processFile('./bare-webhook-process.ts'))
  const urls = await sink.ask<string[]>('listen', RECEIVERS)
  await ours.ask('start', {
    DATABASE_URL: lab.url,
    REDIS_URL: lab.servers.redisUrl,
    QUEUE_PREFIX: PREFIX,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
    WEBHOOK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })

  let dueAt = new Date()
  const measure = async (deliver: () => Promise<unknown>): Promise<Round> => {
    const began = performance.now()
    await Promise.all([deliver(), sink.ask('reach', COUNT)])
    return { count: COUNT, seconds: (performance.now() - began) / 1_000 }
  }
  const oursSide: Side = {
    child: ours,
    async prepare() {
      await sink.ask('forget')
      dueAt = new Date(Date.now() + HEAD_START_MS)
      for (let nth = 0; nth < COUNT; nth++) {
        const event = { id: newId(), deliveryId: newId(), userId, type: 'job.completed' as const, subjectId: newId() }
        const url = urls[nth % urls.length] as string
        await recordWebhookEvent(lab.db, { ...event, url, body: Buffer.from(body), createdAt: dueAt })
      }
    },
    async run() {
      await sleep(dueAt.getTime() - Date.now())
      return measure(() => notifier.publish('delivery', userId))
    },
  }
  const order: PostOrder = { urls, body, count: COUNT, concurrency: CONCURRENCY }
  const bareSide: Side = {
    child: bare,
    prepare: () => sink.ask('forget'),
    run: () => measure(() => bare.ask('post', order)),
  }
  return compare(lab, oursSide, bareSide, ROUNDS)
}
