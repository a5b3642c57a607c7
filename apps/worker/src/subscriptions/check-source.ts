import type { Context } from '@subtext/core/context'
import { notify } from '@subtext/core/coordination'
import {
  type ClaimedWatch,
  countFirstSeen,
  describeWatched,
  endCheck,
  endWatch,
  findKnown,
  moveWatch,
  type NewCheck,
  nextCheckAt,
  postponeWatch,
  requestWatchedListing,
  storeFeed,
  syncSource,
  type WatchedSource,
} from '@subtext/core/subscriptions'
import { readFeed } from '@subtext/sources'
import type { PlatformPages } from '@subtext/youtube'
import type { CheckEnded } from '../metrics.ts'

/** What the lane of checks needs. */
export interface CheckContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> {
  pages: Pick<PlatformPages, 'fetchFeed'>
  leaseSeconds: number
  /** Milliseconds between two checks of a source. */
  checkIntervalMs: number
  /** Seconds before the tries of an item. */
  itemRetrySchedule: readonly number[]
  checkEnded: CheckEnded
}

const DAY_MS = 24 * 60 * 60_000
/** The end of a listing wakes the check. */
const POLL_SECONDS = 5
const FEED_TIMEOUT_MS = 20_000
/** A listing that has ended a moment before it was asked for, by the clock of another process, is the one. */
const CLOCK_SKEW_MS = 1_000

type Outcome = Pick<NewCheck, 'method' | 'because' | 'videosSeen' | 'newVideos' | 'error'>

/** Looks at a source that this worker has claimed, or goes on after it was listed. */
export async function checkSource(ctx: CheckContext, claimed: ClaimedWatch, stopping: AbortSignal): Promise<void> {
  const source = await describeWatched(ctx.db, claimed.sourceId)
  if (!source) return
  if (source.sameAs !== null) return moveWatch(ctx.db, claimed, source.sameAs)
  if (!source.isFollowed && !claimed.forced && !claimed.listingSince) return endWatch(ctx.db, claimed)
  if (claimed.listingSince) return afterListing(ctx, claimed, source, claimed.listingSince)
  const reason = whyListed(ctx, claimed, source)
  if (reason) return list(ctx, claimed, reason)
  return readSourceFeed(ctx, claimed, source, stopping)
}

/** Says why a source is listed whatever its feed says; null if it is not. */
function whyListed(ctx: CheckContext, { forced }: ClaimedWatch, source: WatchedSource): string | null {
  const { kind, listedAt, isUnseeded } = source
  if (isUnseeded || !listedAt) return 'first'
  if (forced) return 'requested'
  if (kind === 'podcast') return 'feed'
  if (kind !== 'channel') return 'playlist'
  return ctx.clock().getTime() - listedAt.getTime() >= DAY_MS ? 'daily' : null
}

async function list(ctx: CheckContext, claimed: ClaimedWatch, reason: string): Promise<void> {
  const isRequested = await requestWatchedListing(ctx.db, claimed, {
    reason,
    pollSeconds: POLL_SECONDS,
    now: ctx.clock(),
  })
  if (isRequested) notify(ctx, 'listing', claimed.sourceId)
}

async function afterListing(
  ctx: CheckContext,
  claimed: ClaimedWatch,
  { isListing, error, listedAt, videosTotal }: WatchedSource,
  since: Date,
): Promise<void> {
  if (isListing) return void (await postponeWatch(ctx.db, claimed, POLL_SECONDS))
  const isListed = !error && listedAt !== null && listedAt.getTime() >= since.getTime() - CLOCK_SKEW_MS
  const base = { method: 'listing', because: claimed.listingFor } as const
  if (!isListed) {
    const reason = error ?? { code: 'INTERNAL_ERROR' as const }
    return end(ctx, claimed, { ...base, videosSeen: null, newVideos: null, error: reason })
  }
  await syncSource(ctx, claimed.sourceId, ctx.itemRetrySchedule)
  const newVideos = await countFirstSeen(ctx.db, claimed.sourceId, listedAt)
  return end(ctx, claimed, { ...base, videosSeen: videosTotal, newVideos, error: null })
}

async function readSourceFeed(
  ctx: CheckContext,
  claimed: ClaimedWatch,
  { platformId }: WatchedSource,
  stopping: AbortSignal,
): Promise<void> {
  const { sourceId } = claimed
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(FEED_TIMEOUT_MS)])
  const text = await ctx.pages.fetchFeed(platformId, signal).catch((error: unknown) => {
    if (stopping.aborted) throw error
    return null
  })
  const feed = text === null ? null : readFeed(text)
  if (!feed || feed.entries.length === 0) return list(ctx, claimed, 'rss_failed')
  const { entries: all } = feed
  const ids = all.map(({ videoId }) => videoId)
  const known = await findKnown(ctx.db, sourceId, ids)
  const fresh = all.filter(({ videoId }) => !known.has(videoId))
  // Others may have come before the oldest one that it shows.
  if (known.size === 0) return list(ctx, claimed, 'all_new')
  await storeFeed(ctx.db, claimed, { all, fresh }, ctx.clock())
  const { needsListing } = await syncSource(ctx, sourceId, ctx.itemRetrySchedule)
  if (needsListing) return list(ctx, claimed, 'details')
  return end(ctx, claimed, {
    method: 'rss',
    because: null,
    videosSeen: all.length,
    newVideos: fresh.length,
    error: null,
  })
}

async function end(ctx: CheckContext, claimed: ClaimedWatch, outcome: Outcome): Promise<void> {
  const now = ctx.clock()
  const nextAt = nextCheckAt(claimed.sourceId, now, ctx.checkIntervalMs)
  const isRecorded = await endCheck(ctx.db, claimed, { ...outcome, checkedAt: now }, nextAt)
  if (!isRecorded) return
  const { method, error, because, videosSeen, newVideos } = outcome
  ctx.checkEnded({ method, outcome: error ? 'failed' : 'ok' })
  ctx.log.info('source checked', {
    source_id: claimed.sourceId,
    method,
    because,
    videos_seen: videosSeen,
    new_videos: newVideos,
    ...(error && { error_code: error.code }),
  })
}
