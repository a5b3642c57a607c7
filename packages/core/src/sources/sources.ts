import { ServiceError, validationError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import { type Actor, type Context, isAdmin } from '../context.ts'
import { createInterruptibleSleep, notify } from '../coordination/index.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import type { CheckWebhookUrl } from '../webhooks/address-guard.ts'
import { isSampleFeed, parseSourceUrl, SAMPLE_FEED, type SourceRef } from './source-url.ts'
import {
  type AccountSource,
  countListings,
  deleteAccountSource,
  findAccountSource,
  findWorkState,
  listAccountSources,
  type RequestOutcome,
  requestSource,
  type SourceError,
  uncountListing,
} from './sources-sql.ts'

export type SourceContext = Pick<Context, 'db' | 'clock' | 'notifier' | 'log'>

/** What is known of the feeds that may be listed. */
export interface FeedPolicy {
  /** The origin of the installation. */
  origin: string
  hasSamples: boolean
  /** Returns what is wrong with the address of a feed. */
  checkUrl: CheckWebhookUrl
}

/** Returns the source that an address names. Error: `VALIDATION_ERROR`, also for a feed that must not be fetched. */
async function readRef({ origin, hasSamples, checkUrl }: FeedPolicy, url: string): Promise<SourceRef> {
  if (hasSamples && isSampleFeed(url, origin)) return { kind: 'podcast', id: SAMPLE_FEED }
  const ref = parseSourceUrl(url)
  const problem = ref.kind === 'podcast' ? await checkUrl(ref.id) : null
  if (problem !== null) throw validationError([{ path: 'url', message: problem, code: 'invalid_source_url' }])
  return ref
}

/** Listings that an account may cause in an hour. */
export const MAX_LISTINGS_PER_HOUR = 60
/** How long a listing serves everybody. */
export const FRESH_MS = 10 * 60_000
/** A handle rarely comes to belong to another channel. */
const RESOLVED_MS = 24 * 60 * 60_000
const RESOLVE_MS = 10_000
const POLL_INTERVAL_MS = 1_000
const HOUR_MS = 3_600_000

/** A source that was asked for. */
export interface AskedSource {
  source: AccountSource
  /** Whether it was listed recently, so that nothing has to be waited for. */
  isFresh: boolean
}

/**
 * Gives an account a source, and has it listed unless it was listed within the last ten minutes. A name is resolved first, for
 * ten seconds at most. `isFree`: the listing does not count. Errors: `VALIDATION_ERROR`, `QUOTA_EXCEEDED`.
 */
export async function askForSource(
  ctx: SourceContext & { feeds: FeedPolicy },
  actor: Actor,
  { url, refresh, isFree = false }: { url: string; refresh: boolean; isFree?: boolean },
  signal: AbortSignal,
): Promise<AskedSource> {
  const ref = await readRef(ctx.feeds, url)
  const ask = async (takesNames: boolean): Promise<Exclude<RequestOutcome, { outcome: 'exhausted' }>> => {
    const now = ctx.clock()
    const outcome = await requestSource(ctx.db, {
      userId: actor.userId,
      ref,
      refresh,
      takesNames,
      limit: isFree || isAdmin(actor) ? null : MAX_LISTINGS_PER_HOUR,
      now,
      freshAfter: { list: new Date(now.getTime() - FRESH_MS), name: new Date(now.getTime() - RESOLVED_MS) },
    })
    if (outcome.outcome === 'exhausted') throw await listingsExceeded(ctx, actor, now)
    notify(ctx, 'listing', outcome.outcome === 'name' ? outcome.nameId : outcome.sourceId)
    return outcome
  }
  let asked = await ask(false)
  if (asked.outcome === 'name') {
    const state = await awaitWork(ctx, asked.nameId, RESOLVE_MS, signal)
    if (asked.isNew && !isFree && state?.leads) await uncountListing(ctx.db, actor.userId, ctx.clock())
    asked = await ask(true)
  }
  if (asked.outcome === 'name') throw new Error('A name was not taken.')
  return { source: await getSource(ctx, actor, asked.id), isFresh: asked.isFresh }
}

async function listingsExceeded(ctx: SourceContext, { userId }: Actor, now: Date): Promise<ServiceError> {
  const resetAt = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
  return new ServiceError('QUOTA_EXCEEDED', {
    message: `The account has listed ${MAX_LISTINGS_PER_HOUR} sources in this hour. What was listed within ten minutes can still be read.`,
    details: {
      quota: 'sources',
      limit: MAX_LISTINGS_PER_HOUR,
      used: await countListings(ctx.db, userId, now),
      reset_at: resetAt.toISOString(),
    },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000)),
  })
}

/** Waits until nobody works on a source any more, for `ms` at most, or until `signal` is aborted. */
async function awaitWork(ctx: SourceContext, sourceId: string, ms: number, signal: AbortSignal) {
  const deadline = performance.now() + ms
  const pause = createInterruptibleSleep()
  const unsubscribe = ctx.notifier.subscribe('source', (id) => id === sourceId && pause.wake())
  signal.addEventListener('abort', pause.wake, { once: true })
  try {
    for (;;) {
      if (signal.reason instanceof ServiceError) throw signal.reason
      const state = await findWorkState(ctx.db, sourceId)
      const left = deadline - performance.now()
      if (!state?.isDue || left <= 0 || signal.aborted) return state
      await pause.wait(Math.min(left, POLL_INTERVAL_MS))
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', pause.wake)
  }
}

/** Returns a source of the actor. Error: `NOT_FOUND` for an unknown or malformed ID, or one of another account. */
export async function getSource(ctx: Pick<Context, 'db'>, { userId }: Pick<Actor, 'userId'>, id: string) {
  const source = isUuid(id) ? await findAccountSource(ctx.db, userId, id) : null
  if (!source) throw new ServiceError('NOT_FOUND')
  return source
}

/** Like `getSource`, but waits up to `seconds` until nobody lists it any more. */
export async function awaitSource(
  ctx: SourceContext,
  actor: Actor,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<AccountSource> {
  const deadline = performance.now() + seconds * 1_000
  let source = await getSource(ctx, actor, id)
  // A name leads to another row, which may have to be listed in its turn.
  while (source.isDue && performance.now() < deadline && !signal.aborted) {
    await awaitWork(ctx, source.sourceId, deadline - performance.now(), signal)
    source = await getSource(ctx, actor, id)
  }
  return source
}

/** Lists the sources of the actor, the newest first. */
export const listSources = (
  ctx: Pick<Context, 'db'>,
  { userId }: Actor,
  query: PageQuery,
): Promise<{ entries: AccountSource[] } & PageOfList> =>
  readPage(query, createCursors({ list: `sources ${userId}`, status: null }), (place) =>
    listAccountSources(ctx.db, userId, place),
  )

/** Forgets a source of the actor. Errors: `NOT_FOUND`, `SOURCE_IN_USE`. */
export async function deleteSource(ctx: Pick<Context, 'db'>, { userId }: Actor, id: string): Promise<void> {
  const isDeleted = isUuid(id) && (await deleteAccountSource(ctx.db, userId, id))
  if (isDeleted) return
  const source = await getSource(ctx, { userId }, id)
  if (source) throw new ServiceError('SOURCE_IN_USE')
}

export type SourceStatus = 'listing' | 'ready' | 'failed'

/** A source keeps the list from before while it is listed anew, and if that fails. */
export function statusOf({ listedAt, isDue, kind }: AccountSource): SourceStatus {
  if (listedAt !== null && kind !== 'name') return 'ready'
  return isDue ? 'listing' : 'failed'
}

const MESSAGES: Record<string, string> = {
  not_found: 'The source does not exist.',
  private: 'The source is private.',
  terminated: 'The platform has terminated the channel.',
  not_a_feed: 'The address does not lead to the feed of a podcast (RSS or Atom).',
  too_large: 'The feed is too large. It may have 20 MB, unpacked.',
}
const LISTING_RETRY_SECONDS = 2

/** Returns the error of the last try to list a source, if it failed. */
export function sourceErrorOf({ error, isDue }: AccountSource): ServiceError | null {
  return !error || isDue ? null : buildSourceError(error)
}

/** Returns the stored error of a source as callers see it. */
export function buildSourceError({ code, reason }: SourceError): ServiceError {
  const message = reason === undefined ? undefined : MESSAGES[reason]
  return new ServiceError(code, { message, ...(reason !== undefined && { details: { reason } }) })
}

/** Throws the error of a source that could not be listed, and `JOB_NOT_COMPLETED` for one that is being listed. */
export function assertListed(source: AccountSource): void {
  const status = statusOf(source)
  if (status === 'ready') return
  if (status === 'failed') throw sourceErrorOf(source) ?? new ServiceError('INTERNAL_ERROR')
  throw new ServiceError('JOB_NOT_COMPLETED', {
    message: 'The source is still being listed. Retry later, or wait for it with `GET /sources/{source_id}?wait=30`.',
    details: { status: 'processing', progress_percentage: 0 },
    retryAfterSeconds: LISTING_RETRY_SECONDS,
  })
}
