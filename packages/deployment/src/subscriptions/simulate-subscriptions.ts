import { randomUUID } from 'node:crypto'
import { DEFAULT_QUOTAS } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import { askForSource, claimSource, completeListing } from '@subtext/core/sources'
import { claimItem, claimWatch, createSubscription, wakeWatch } from '@subtext/core/subscriptions'
import type { Db } from '@subtext/db'
import { type CheckContext, checkSource, type ItemContext, workOnItem } from '@subtext/worker/subscriptions'
import { Killed, mortalDb } from './mortal-db.ts'
import { type Findings, readFindings } from './read-findings.ts'
import {
  createDraw,
  DAY_MS,
  drawChannel,
  feedAt,
  HOUR_MS,
  listAt,
  type SimulatedChannel,
  type SimulatedVideo,
} from './simulated-channel.ts'

export interface SimulationOptions {
  days: number
  channels: number
  /** At most 50. */
  subscriptionsPerChannel: number
  /** Days on which the feeds do not answer. */
  feedsAway: { from: number; to: number }
}

interface Requests {
  checks: number
  requests: number
}

export interface SubscriptionOutcome extends Findings {
  /** While feeds answer, and while they do not. */
  usual: Requests
  away: Requests
  kills: number
}

const PAGE = 100
const LEASE_SECONDS = 15
/** A step has this many statements or more. */
const MAX_LIFE = 12
const SIGNAL = new AbortController().signal
const SILENT = { info() {}, warn() {}, error() {} }
const OPTIONS = {
  summary_modes: [],
  include_comments: false,
  generate_infographic: false,
  max_transcript_length: 10_000_000,
}

/**
 * Follows channels for days within minutes: the code of the workers on a real database, with a clock of its own. It lies in the
 * past, so that the database takes everything that is due by it for due. Once in every hour, the process is killed between two statements.
 */
export async function simulateSubscriptions(db: Db, options: SimulationOptions): Promise<SubscriptionOutcome> {
  const { days, feedsAway } = options
  const start = Math.floor(Date.now() / DAY_MS - days - 2) * DAY_MS
  const channels = Array.from({ length: options.channels }, (_, nth) => drawChannel(nth, { start, days }))
  const counts = { usual: { checks: 0, requests: 0 }, away: { checks: 0, requests: 0 } }
  let kills = 0
  let now = start
  const clock = (): Date => new Date(now)
  const isAway = (): boolean => {
    const day = (now - start) / DAY_MS
    return day >= feedsAway.from && day < feedsAway.to
  }
  const count = (what: keyof Requests, by = 1): void => {
    counts[isAway() ? 'away' : 'usual'][what] += by
  }
  const channelOf = (id: string): SimulatedChannel => {
    const found = channels.find((channel) => channel.id === id)
    if (!found) throw new Error(`There is no channel ${id}.`)
    return found
  }
  const base = { clock, notifier: { publish: async () => {}, subscribe: () => () => {} }, log: SILENT }
  const contextOf = (mortal: Db): CheckContext & ItemContext => ({
    ...base,
    db: mortal,
    leaseSeconds: LEASE_SECONDS,
    checkIntervalMs: HOUR_MS,
    itemRetrySchedule: [1_800, 3_600],
    checkEnded: () => count('checks'),
    itemWorked() {},
    pages: {
      async fetchFeed(id) {
        count('requests')
        if (isAway()) throw new Error('The feed does not answer.')
        return feedAt(channelOf(id), now)
      },
    },
    accept: () => Promise.reject(new Error('Nothing is processed here.')),
    submitPolicy: { spending: { model: 'free', dailyLimitUsd: null } },
    planQuotas: DEFAULT_QUOTAS,
    publicBaseUrl: 'https://api.example.com',
  })

  const subscriptions = await subscribe(contextOf(db), channels, options.subscriptionsPerChannel)
  const draw = createDraw(1)
  let killAt = start
  for (;;) {
    const next = await findNext(db, now)
    if (next.at > start + days * DAY_MS) break
    now = Math.max(now, next.at)
    const dies = now >= killAt
    const ctx = contextOf(dies ? mortalDb(db, 1 + draw(MAX_LIFE)) : db)
    try {
      await step(ctx, next.table, { now, channelOf, countRequests: (pages) => count('requests', pages) })
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      kills++
      killAt = now + HOUR_MS
    }
  }
  const expected = channels.map(({ id, videos }) => ({
    channelId: id,
    videoIds: videos.filter((video) => mustBeSeen(video, start, now)).map((video) => video.id),
  }))
  return { ...counts, kills, ...(await readFindings(db, subscriptions, expected)) }
}

/** A video that was deleted before, or that only the list of the next day shows, need not be. */
const mustBeSeen = ({ visibleFrom, goneFrom }: SimulatedVideo, start: number, now: number): boolean =>
  goneFrom > start && visibleFrom < now - DAY_MS - HOUR_MS

interface FollowedChannel {
  subscriptionId: string
  channelId: string
}

/** Subscribes accounts to every channel: every other subscription has rules that only a listing can answer. */
async function subscribe(
  ctx: CheckContext & ItemContext,
  channels: readonly SimulatedChannel[],
  count: number,
): Promise<FollowedChannel[]> {
  const followed: FollowedChannel[] = []
  const context = {
    ...ctx,
    submitPolicy: { proxiesConfigured: false, checkWebhookUrl: async () => null, ...ctx.submitPolicy },
    feeds: { origin: ctx.publicBaseUrl, hasSamples: false, checkUrl: async () => null },
  }
  for (let nth = 0; nth < count; nth++) {
    const actor: Actor = { userId: randomUUID(), apiKeyId: null, plan: 'pro', scopes: ['read', 'write'] }
    await ctx.db.query(
      `INSERT INTO users (id, email, name, plan, email_verified, created_at, updated_at) VALUES ($1, $2, '', 'pro', true, now(), now())`,
      [actor.userId, `${actor.userId}@example.com`],
    )
    for (const { id: url } of channels) {
      const { source } = await askForSource(context, actor, { url, refresh: false, isFree: true }, SIGNAL)
      const { id } = await createSubscription(
        context,
        actor,
        {
          source_id: source.id,
          action: 'notify',
          options: OPTIONS,
          priority: 'normal',
          catch_up: nth % 3,
          ...(nth % 2 === 1 && { filter: { min_duration_seconds: 60 } }),
          deliver: { webhook_url: 'https://hooks.example.com/' },
        },
        { signal: SIGNAL },
      )
      followed.push({ subscriptionId: id, channelId: url })
    }
  }
  return followed
}

const TABLES = ['sources', 'source_watches', 'subscription_items'] as const
type Table = (typeof TABLES)[number]

/** Returns what is due next, by the simulated clock. What the database has timed by its own is moved to it. */
async function findNext(db: Db, now: number): Promise<{ table: Table; at: number }> {
  let next: { table: Table; at: number } = { table: 'source_watches', at: Number.POSITIVE_INFINITY }
  for (const table of TABLES) {
    await db.query(
      `UPDATE ${table} SET due_at = $1::timestamptz + greatest(due_at - now(), interval '0') WHERE due_at > now() - interval '1 day'`,
      [new Date(now)],
    )
    const { rows } = await db.query<{ at: Date | null }>(`SELECT min(due_at) AS at FROM ${table}`)
    const at = rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY
    if (at < next.at) next = { table, at }
  }
  return next
}

interface Step {
  now: number
  channelOf: (id: string) => SimulatedChannel
  countRequests: (pages: number) => void
}

/** Lets a worker claim what is due in a table, and work on it. */
async function step(ctx: CheckContext & ItemContext, table: Table, by: Step): Promise<void> {
  const claim = { token: randomUUID(), leaseSeconds: LEASE_SECONDS }
  if (table === 'sources') {
    const claimed = await claimSource(ctx.db, { ...claim, isName: false })
    if (!claimed) return
    const videos = listAt(by.channelOf(claimed.platformId), by.now)
    by.countRequests(Math.ceil(videos.length / PAGE))
    await completeListing(ctx.db, claimed, { title: 'A channel', videos, truncated: false }, ctx.clock())
    await wakeWatch(ctx.db, claimed.id)
  } else if (table === 'source_watches') {
    const claimed = await claimWatch(ctx.db, claim)
    if (claimed) await checkSource(ctx, claimed, SIGNAL)
  } else {
    const claimed = await claimItem(ctx.db, claim)
    if (claimed) await workOnItem(ctx, claimed, SIGNAL)
  }
}
