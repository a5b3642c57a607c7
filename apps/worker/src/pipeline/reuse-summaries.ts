import type { SummaryMode } from '@subtext/contracts'
import type { LeaseRequest } from '@subtext/core/coordination'
import { findSummariesOrAcquire, type KnownSummaries } from '@subtext/core/summaries'
import { buildCacheKey, listSharers, oldestReusable, type SummarySubject } from './summary-keys.ts'
import { isCharged, type SummaryStore, storeNow, storeWithEnd } from './summary-stores.ts'

export interface SummaryRequest extends SummarySubject {
  signal: AbortSignal
  /**
   * Whether this is the first attempt at the job and its end comes next, so that storing summaries with the end delays nothing.
   * Default: no.
   */
  endsNext?: boolean
  /** Called as summaries become ready, with the number of requested ones that are. */
  onProgress: (ready: number) => void
}

export interface ReusedSummaries {
  /** Takes the summaries that the job gets from now on. */
  store: SummaryStore
  /** Requested modes whose summaries the job lacks. */
  missing: SummaryMode[]
  /** Requested modes whose summaries exist, but cost more than a spending limit allows. */
  overLimit: SummaryMode[]
  lease: KnownSummaries['lease']
}

/** A free summary of this length takes no longer than agreeing with other workers on which of them writes it. */
const MAX_UNSHARED_CUES = 1_000

/** Returns whether missing summaries are written without a lease, and stored with the end of the job. */
export const isQuick = ({ ctx, transcript, endsNext = false }: SummaryRequest): boolean =>
  endsNext && ctx.summarizer.isFree === true && transcript.cues.length <= MAX_UNSHARED_CUES

const NOTHING_KNOWN: KnownSummaries = { own: [], hasWork: false, stored: [], lease: 'held' }

/** Adds no summaries to the job: it is known to have none, and that none can be reused. */
export const reuseNothing = (request: SummaryRequest): Promise<ReusedSummaries> => reuse(request, NOTHING_KNOWN)

/**
 * Adds to the job the summaries written before for the same transcript, mode, instructions, model and prompt. If others are
 * missing, acquires the lease to write them, unless it is null.
 */
export async function reuseSummaries(request: SummaryRequest, lease: LeaseRequest | null): Promise<ReusedSummaries> {
  const { ctx, job } = request
  const sharers = listSharers(request)
  const wanted = job.options.summary_modes.flatMap((mode) =>
    sharers.map((account) => ({ mode, cacheKey: buildCacheKey(request, account, mode) })),
  )
  const question = { jobId: job.id, userId: job.userId, wanted, notBefore: oldestReusable(request) }
  return reuse(request, await findSummariesOrAcquire(ctx.db, question, lease))
}

async function reuse(request: SummaryRequest, known: KnownSummaries): Promise<ReusedSummaries> {
  const { summary_modes: modes } = request.job.options
  const has = new Set([...known.own, ...known.stored.map(({ summary }) => summary.mode)])
  const missing = modes.filter((mode) => !has.has(mode))
  const store = canWait(request, known, missing) ? storeWithEnd(request) : storeNow(request, known.hasWork)
  const overLimit = await store.reuse(known.stored)
  if (known.stored.length > 0) request.onProgress(modes.length - missing.length - overLimit.length)
  return { store, missing, overLimit, lease: known.lease }
}

/** Returns whether all that the job gets may be stored with its end, because nothing of it costs anything. */
const canWait = (request: SummaryRequest, { hasWork, stored }: KnownSummaries, missing: SummaryMode[]): boolean =>
  request.endsNext === true && !hasWork && !stored.some(isCharged) && (missing.length === 0 || isQuick(request))
