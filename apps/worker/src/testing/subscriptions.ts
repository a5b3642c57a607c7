import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_QUOTAS, type NewSubscription, type Plan } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import type { Actor } from '@subtext/core/context'
import { createAcceptor } from '@subtext/core/jobs'
import { createSubscription, listItems } from '@subtext/core/subscriptions'
import { waitUntil } from '@subtext/embedded/testing'
import { type SampleListEntry, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { createYoutubeSource, type PlatformPages } from '@subtext/youtube'
import { startSourceLane } from '../sources/source-lane.ts'
import type { SourceLaneContext } from '../sources/work-on-source.ts'
import type { CheckContext } from '../subscriptions/check-source.ts'
import type { ItemContext } from '../subscriptions/item-context.ts'
import { startSubscriptions } from '../subscriptions/start-subscriptions.ts'
import { openTestWorker, type TestWorker } from './worker.ts'

let platform: VideoPlatform
export let worker: TestWorker
let pages: PlatformPages
const lanes: (() => Promise<void>)[] = []
const { signal } = new AbortController()
const SILENT = { info() {}, warn() {}, error() {} }

/** Opens a worker and the platform for the tests of a file. */
export function useSubscriptions(): void {
  beforeAll(async () => {
    platform = await startVideoPlatform()
    worker = await openTestWorker()
    pages = createYoutubeSource({
      origin: platform.origin,
      proxyUrls: [],
      requestTimeoutMs: 60_000,
      restMs: 1_000,
    }).pages
  })
  afterEach(async () => {
    await Promise.all(lanes.splice(0).map((stop) => stop()))
    platform.reset()
    worker.stubs.beforeVideo = async () => {}
  })
  afterAll(async () => {
    await worker.close()
    await platform.close()
  })
}

export const base = () => ({
  db: worker.ctx.db,
  clock: () => new Date(),
  notifier: worker.ctx.notifier,
  log: SILENT,
  pages,
  leaseSeconds: 15,
})
const policy = {
  proxiesConfigured: false,
  checkWebhookUrl: async () => null,
  spending: { model: 'free' as const, dailyLimitUsd: null },
}
const feeds = { origin: 'https://api.example.org', hasSamples: false, checkUrl: async () => null }
export const api = () => ({ ...base(), submitPolicy: policy, feeds })

/** Starts the lanes of sources and subscriptions, and what processes the jobs. Returns what stops it. */
export function start(
  changes: Partial<Omit<CheckContext, 'pages'> & ItemContext & Pick<SourceLaneContext, 'listFeed'>> = {},
) {
  const ctx: CheckContext & ItemContext & SourceLaneContext = {
    ...base(),
    retrySchedule: [0, 0],
    maxWaitSeconds: 60,
    listingEnded() {},
    listFeed: async () => {
      throw new Error('No podcast is listed here.')
    },
    accept: createAcceptor({ ...base(), producer: { wakeJobs: async () => {} } }),
    planQuotas: DEFAULT_QUOTAS,
    submitPolicy: policy,
    publicBaseUrl: 'https://api.example.org',
    checkIntervalMs: 3_600_000,
    itemRetrySchedule: [1_800, 3_600],
    checkEnded() {},
    itemWorked() {},
    ...changes,
  }
  const stopping = new AbortController()
  const processing = (async () => {
    while (!stopping.signal.aborted) {
      const { rows } = await ctx.db.query<{ id: string }>("SELECT id FROM jobs WHERE status = 'queued' LIMIT 5")
      for (const job of rows) await worker.run(job)
      await sleep(30)
    }
  })()
  const stops = [startSourceLane(ctx, 2), startSubscriptions(ctx)]
  const stop = async () => {
    stopping.abort()
    await Promise.all([processing, ...stops.map((end) => end())])
  }
  lanes.push(stop)
  return stop
}

export const newActor = async (plan: Plan = 'pro'): Promise<Actor & { email: string }> => {
  const email = `${randomUUID()}@example.org`
  await createApiKey(worker.ctx, { email, plan, scopes: ['read', 'write'] })
  const { id } = await worker.ctx.db.prisma.user.update({ where: { email }, data: { emailVerified: true } })
  return { userId: id, apiKeyId: null, plan, scopes: ['read', 'write'], email }
}

let published = 0
export const entry = (changes: Partial<SampleListEntry> = {}): SampleListEntry => {
  const nth = ++published
  const id = `s${String(nth).padStart(10, '0')}`
  return {
    id,
    title: `Video ${nth}`,
    seconds: 60,
    published: new Date(Date.now() - 86_400_000).toISOString(),
    ...changes,
  }
}
export const many = (count: number) => Array.from({ length: count }, () => entry()).reverse()
export const fresh = (changes: Partial<SampleListEntry> = {}) =>
  entry({ published: new Date().toISOString(), ...changes })

let channels = 0
export const addChannel = (entries: SampleListEntry[], more: object = {}) => {
  const id = `UCsubs${String(++channels).padStart(18, '0')}`
  const channel = { id, name: 'A channel', names: [], entries: [...entries], ...more }
  platform.addChannel(channel)
  return {
    id,
    publish(...added: SampleListEntry[]) {
      channel.entries.unshift(...added.reverse())
      platform.addChannel(channel)
    },
  }
}

const OPTIONS = {
  summary_modes: ['tldr' as const],
  max_transcript_length: 10_000_000,
  include_comments: false,
  generate_infographic: false,
}
export const follow = (actor: Actor, url: string, more: Partial<NewSubscription> = {}) =>
  createSubscription(
    api(),
    actor,
    { url, action: 'process', options: OPTIONS, priority: 'normal', catch_up: 0, ...more },
    { signal },
  )

const itemsOf = async (actor: Actor, id: string) =>
  (await listItems(api(), actor, id, { limit: 100 })).entries.map(({ videoId, state, reason }) => [
    videoId,
    reason === null ? state : `${state} ${reason}`,
  ])

/** Waits until the items are as expected, oldest first. */
export async function untilItems(actor: Actor, id: string, expected: string[], isSorted = false): Promise<string[]> {
  // Only what never comes takes as long: a busy machine fails no test.
  const deadline = Date.now() + 300_000
  for (;;) {
    const listed = (await itemsOf(actor, id)).map(([, state = '']) => state).reverse()
    const found = isSorted ? listed.sort() : listed
    if (found.join() === expected.join() || Date.now() > deadline) {
      expect(found).toEqual(expected)
      return found
    }
    await sleep(50)
  }
}

/** Has the source looked at as if its time had come, once the check that is under way has ended. */
export const look = (channelId: string) =>
  waitUntil('the source to be left alone', async () => {
    const { rowCount } = await worker.ctx.db.query(
      `UPDATE source_watches SET due_at = now() WHERE source_id = (SELECT id FROM sources WHERE platform_id = $1)
         AND lease_token IS NULL AND listing_since IS NULL`,
      [channelId],
    )
    return rowCount === 1
  })

export const eventsOf = async (id: string) => {
  const { rows } = await worker.ctx.db.query<{ body: Buffer; type: string }>(
    `SELECT type, body FROM webhook_events e WHERE e.user_id = (SELECT user_id FROM subscriptions WHERE id = $1) ORDER BY id`,
    [id],
  )
  return rows.map(({ type, body }) => ({ type, body: JSON.parse(body.toString()) }))
}
export const jobsOf = async (actor: Actor) =>
  (
    await worker.ctx.db.query<{ videoId: string }>(
      'SELECT video_id AS "videoId" FROM jobs WHERE user_id = $1 ORDER BY video_id',
      [actor.userId],
    )
  ).rows.map(({ videoId }) => videoId)
