import { ServiceError } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import { isDatabaseUnavailable, notify, retryThroughOutage } from '@subtext/core/coordination'
import { retryDelay, toServiceError } from '@subtext/core/jobs'
import {
  type ClaimedSource,
  completeListing,
  extendSourceLease,
  FRESH_MS,
  failSource,
  leadToChannel,
  postponeSource,
  type SourceError,
  type StoredListedVideo,
} from '@subtext/core/sources'
import { wakeWatch } from '@subtext/core/subscriptions'
import { type Listing, listSource, resolveChannel, SourceGoneError, SourceMovedError } from '@subtext/sources'
import { EgressesRestingError, type PlatformPages } from '@subtext/youtube'
import { holdLease } from '../lanes/hold-lease.ts'
import type { ListingEnded, ListingOutcome } from '../metrics.ts'
import type { ListFeed } from '../podcasts/list-feed.ts'

/** What the lane of sources needs. */
export interface SourceLaneContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> {
  pages: PlatformPages
  listFeed: ListFeed
  leaseSeconds: number
  /** Seconds before the second, third, ... try. */
  retrySchedule: readonly number[]
  /** Maximum total time that a listing waits while no egress is available. */
  maxWaitSeconds: number
  listingEnded: ListingEnded
}

/** A list of five thousand videos takes a fraction of it. */
const TIMEOUT_MS = 300_000
/** The server of a feed is another one's: it is asked no more often than this. */
const MAX_FEED_TRIES = 3
/** A listing that kills its worker every time must not circulate forever. */
const MAX_DEATHS = 5

/** Lists a source that this worker has claimed, or resolves a name, and writes one log line. Rejects if nothing could be written. */
export async function workOnSource(
  ctx: SourceLaneContext,
  claimed: ClaimedSource,
  stopping: AbortSignal,
): Promise<void> {
  const started = performance.now()
  const { outcome, error } = await attempt(ctx, claimed, stopping)
  if (outcome !== 'lease_lost') {
    notify(ctx, 'source', claimed.id)
    await wakeWatch(ctx.db, claimed.id)
    notify(ctx, 'listing', claimed.id)
  }
  const durationMs = performance.now() - started
  ctx.listingEnded({ kind: claimed.kind, outcome }, durationMs / 1_000)
  ctx.log.info('source', {
    outcome,
    kind: claimed.kind,
    platform_id: claimed.platformId,
    attempt: claimed.attempt,
    duration_ms: Math.round(durationMs),
    ...(error && { error_code: error.code, error: error.cause }),
  })
}

interface Report {
  outcome: ListingOutcome
  error?: ServiceError
}

function attempt(ctx: SourceLaneContext, claimed: ClaimedSource, stopping: AbortSignal): Promise<Report> {
  const extend = () => extendSourceLease(ctx.db, claimed, ctx.leaseSeconds)
  return holdLease(ctx, { name: 'source', seconds: ctx.leaseSeconds, extend }, (lost) =>
    workWhileHeld(ctx, claimed, { lost, stopping }),
  )
}

async function workWhileHeld(
  ctx: SourceLaneContext,
  claimed: ClaimedSource,
  { lost, stopping }: Record<'lost' | 'stopping', AbortSignal>,
): Promise<Report> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    if (claimed.attempt > ctx.retrySchedule.length + MAX_DEATHS) throw new ServiceError('INTERNAL_ERROR')
    return await produce(ctx, claimed, AbortSignal.any([lost, stopping, timeout]))
  } catch (thrown) {
    if (lost.aborted) return { outcome: 'lease_lost' }
    return await retryThroughOutage(AbortSignal.any([stopping, timeout]), () =>
      settle(ctx, claimed, { thrown, stopping }),
    )
  }
}

const written = (outcome: ListingOutcome, isWritten: boolean): Report => ({
  outcome: isWritten ? outcome : 'lease_lost',
})

async function produce(ctx: SourceLaneContext, claimed: ClaimedSource, signal: AbortSignal): Promise<Report> {
  const { kind, platformId } = claimed
  try {
    if (kind === 'name') {
      const channelId = await resolveChannel(platformId, (url) => ctx.pages.resolve(url, signal))
      return await lead(ctx, claimed, channelId)
    }
    if (kind === 'podcast') {
      const listing = await ctx.listFeed(platformId, signal)
      return written('listed', await completeListing(ctx.db, claimed, listing, ctx.clock()))
    }
    const browse = (fields: Record<string, unknown>) => ctx.pages.browse(platformId, fields, signal)
    const listing = await listSource({ kind, id: platformId }, browse, ctx.clock())
    return written('listed', await completeListing(ctx.db, claimed, toStored(listing), ctx.clock()))
  } catch (error) {
    if (error instanceof SourceMovedError) return lead(ctx, claimed, error.channelId)
    throw error
  }
}

async function lead(ctx: SourceLaneContext, claimed: ClaimedSource, channelId: string): Promise<Report> {
  const now = ctx.clock()
  const freshAfter = new Date(now.getTime() - FRESH_MS)
  const isWritten = await leadToChannel(ctx.db, claimed, channelId, { now, freshAfter })
  // The channel may have to be listed now.
  if (isWritten) notify(ctx, 'listing', claimed.id)
  return written('led', isWritten)
}

const toStored = ({ title, videos, truncated }: Listing) => ({
  title,
  truncated,
  videos: videos.map((video): StoredListedVideo => ({ ...video, isApproximate: video.publishedAt !== null })),
})

/** Ends a try that has failed: leaves the source for a later one, or says why it cannot be listed. */
async function settle(
  ctx: SourceLaneContext,
  claimed: ClaimedSource,
  { thrown, stopping }: { thrown: unknown; stopping: AbortSignal },
): Promise<Report> {
  const { attempt: nth, requestedAt } = claimed
  if (thrown instanceof SourceGoneError) {
    const { reason } = thrown
    return written('gone', await failSource(ctx.db, claimed, { code: 'SOURCE_UNAVAILABLE', reason }))
  }
  // The source is not to blame for a stopping worker or an unavailable database.
  if (stopping.aborted || isDatabaseUnavailable(thrown)) {
    return written('handed_back', await postponeSource(ctx.db, claimed, { seconds: 0, isUncounted: true }))
  }
  const error = toServiceError(thrown)
  const waitedMs = ctx.clock().getTime() - requestedAt.getTime()
  if (error instanceof EgressesRestingError && waitedMs < ctx.maxWaitSeconds * 1_000) {
    const seconds = Math.max(1, (error.retryAt.getTime() - ctx.clock().getTime()) / 1_000)
    return { ...written('waiting', await postponeSource(ctx.db, claimed, { seconds, isUncounted: true })), error }
  }
  const schedule = claimed.kind === 'podcast' ? ctx.retrySchedule.slice(0, MAX_FEED_TRIES - 1) : ctx.retrySchedule
  const seconds = retryDelay(error, nth, schedule)
  if (seconds !== null) {
    return { ...written('postponed', await postponeSource(ctx.db, claimed, { seconds, isUncounted: false })), error }
  }
  return { ...written('failed', await failSource(ctx.db, claimed, { code: storedCodeOf(error) })), error }
}

const storedCodeOf = ({ code }: ServiceError): SourceError['code'] =>
  code === 'UPSTREAM_BLOCKED' || code === 'UPSTREAM_UNAVAILABLE' ? code : 'INTERNAL_ERROR'
