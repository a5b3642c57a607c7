import { setTimeout as sleep } from 'node:timers/promises'
import { PLANS } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { longVideo, type SampleListEntry } from '@subtext/fakes'
import { type Subscription, Subtext } from '@subtext/sdk'
import type { AccountPool, ChaosAccount } from './accounts.ts'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'
import type { ChaosTestBed } from './test-bed.ts'

/** A channel that publishes throughout the run, and two accounts that follow it: one processes its videos, one is only told. */
export interface Following {
  /** IDs of the videos that the channel has published since it is followed. */
  published: readonly string[]
  /** Stops publishing. */
  stop(): Promise<void>
}

const CHANNEL_ID = 'UCsbtx-chaos-harbour-000'
const OLD_VIDEOS = 3
/** All of them can be processed in a day. */
const MAX_PUBLISHED = PLANS.pro.quota.daily
const PAUSE_MS = [1_000, 8_000] as const
const VIDEO_HOURS = 0.03
/** Every video of the channel says it. */
const WORD = 'harbour'

/** Adds the channel to the platform, has two accounts follow it, and begins to publish. */
export async function startFollowing({
  testBed,
  fleet,
  accounts,
  random,
}: {
  testBed: ChaosTestBed
  fleet: Fleet
  accounts: AccountPool
  random: Random
}): Promise<Following> {
  const { db, receiver } = testBed
  const channel = openChannel(testBed)
  for (let nth = 0; nth < OLD_VIDEOS; nth++) channel.publish()
  const published: string[] = []
  for (const action of ['process', 'notify'] as const) {
    const account = await accounts.open(`follower-${action}`)
    await subscribe(fleet.of('api')[0]?.baseUrl ?? '', account, {
      url: CHANNEL_ID,
      action,
      ...(action === 'process' && { match: { any: [WORD] } }),
      deliver: { webhook_url: `${receiver.origin}/${account.name}` },
    })
  }
  // What is published before that counts as old.
  await waitUntil('the old videos are known', async () => {
    const { rows } = await db.query<{ items: number }>('SELECT count(*)::int AS items FROM subscription_items')
    return rows[0]?.items === 2 * OLD_VIDEOS
  })
  const stopping = new AbortController()
  const publishing = (async () => {
    while (!stopping.signal.aborted && published.length < MAX_PUBLISHED) {
      published.push(channel.publish())
      await sleep(random.between(...PAUSE_MS), undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    published,
    async stop() {
      stopping.abort()
      await publishing
    },
  }
}

function openChannel({ platform }: Pick<ChaosTestBed, 'platform'>): { publish(): string } {
  const entries: SampleListEntry[] = []
  return {
    publish() {
      const id = `sbtx-f-${String(entries.length).padStart(4, '0')}`
      const title = `Harbour news ${entries.length + 1}`
      platform.addVideo(longVideo({ id, hours: VIDEO_HOURS, title }))
      entries.unshift({ id, title, seconds: VIDEO_HOURS * 3_600, published: new Date().toISOString() })
      platform.addChannel({ id: CHANNEL_ID, name: 'Harbour news', names: [], entries })
      return id
    },
  }
}

const subscribe = (
  baseUrl: string,
  { key }: ChaosAccount,
  request: Parameters<Subtext['subscriptions']['create']>[0],
): Promise<Subscription> => new Subtext({ apiKey: key, baseUrl }).subscriptions.create(request)
