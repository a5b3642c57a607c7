import { ServiceError, validationError } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import { describeRequested, type StoredError } from '@subtext/core/jobs'
import { hasSubscriptions, quotaPeriods } from '@subtext/core/plans'
import { findFollowedSubject } from '@subtext/core/sources'
import { findSpent } from '@subtext/core/spending'
import {
  awaitsLength,
  bindOwnTemplates,
  type ClaimedItem,
  DETAILS_SECONDS,
  endAndTell,
  extendItemLease,
  findBrokenRule,
  findDetails,
  holdAndTell,
  type ItemDetails,
  leaveToJob,
  lookNow,
  needsDetails,
  pauseForPlan,
  postponeItem,
  retrySeconds,
  takeItem,
} from '@subtext/core/subscriptions'
import { v7 as newId } from 'uuid'
import { finishProcessed } from './finish-processed.ts'
import type { ItemContext } from './item-context.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/** Does what is next for an item that this worker has claimed: submits its video, or looks what became of its job. */
export async function workOnItem(ctx: ItemContext, item: ClaimedItem, stopping: AbortSignal): Promise<void> {
  const heartbeat = setInterval(
    () => void extendItemLease(ctx.db, item, ctx.leaseSeconds).catch(() => {}),
    (ctx.leaseSeconds * 1_000) / 3,
  )
  try {
    await proceed(ctx, item, stopping)
  } finally {
    clearInterval(heartbeat)
  }
}

async function proceed(ctx: ItemContext, item: ClaimedItem, stopping: AbortSignal): Promise<void> {
  const { reason, jobStatus, jobError } = item
  const isUnderWay = jobStatus === 'queued' || jobStatus === 'processing'
  // Its worker may have died when the job was accepted.
  if (isUnderWay) return leaveToJob(ctx.db, item, ctx.clock())
  if (jobStatus === 'completed') return finishProcessed(ctx, item, stopping)
  if (reason === 'processing') return jobStatus === 'failed' ? afterFailure(ctx, item, jobError) : lostJob(ctx, item)
  if (item.isClosed) return wait(ctx, item, 'account', HOUR_SECONDS)
  if (item.pausedFor !== null) return wait(ctx, item, reason, null)
  if (!hasSubscriptions(actorOf(item))) {
    await pauseForPlan(ctx, item)
    return wait(ctx, item, reason, null)
  }
  if (reason === 'details' && !(await hasRightDetails(ctx, item))) return
  return submit(ctx, item)
}

const lostJob = (ctx: ItemContext, item: ClaimedItem): Promise<void> =>
  end(ctx, item, { state: 'failed', reason: 'job_deleted', jobId: null })

// A subscription belongs to its account: it outlives its key, and then has the scopes of a session.
const actorOf = ({ userId, apiKeyId, plan, ownQuota, scopes }: ClaimedItem): Actor => ({
  userId,
  apiKeyId,
  plan,
  ownQuota,
  scopes: scopes ?? ['read', 'write'],
})

async function wait(
  ctx: ItemContext,
  item: ClaimedItem,
  reason: string,
  seconds: number | null,
  tries = item.tries,
): Promise<void> {
  await postponeItem(ctx.db, item, { reason, seconds, tries, now: ctx.clock() })
  ctx.itemWorked({ state: 'waiting' })
}

async function end(ctx: ItemContext, item: ClaimedItem, ended: Parameters<typeof endAndTell>[2]): Promise<void> {
  if (await endAndTell(ctx, item, ended)) ctx.itemWorked({ state: ended.state })
}

/** Whether the filter lets an item pass whose details are known by now. Otherwise it has ended, or waits on. */
async function hasRightDetails(ctx: ItemContext, item: ClaimedItem): Promise<boolean> {
  const details = await findDetails(ctx.db, item)
  if (details?.isUnlisted && needsDetails(item.filter)) {
    await wait(ctx, item, 'details', DETAILS_SECONDS)
    return false
  }
  const { type = 'video', durationSeconds = null } = details ?? {}
  const video = { title: item.title, type, durationSeconds }
  if (details && awaitsLength(item.filter, video)) {
    await awaitLength(ctx, item, details)
    return false
  }
  const broken = findBrokenRule(item.filter, video)
  if (broken) await end(ctx, item, { state: 'skipped', reason: broken, jobId: null })
  return broken === null
}

/** Has an item wait until its length is known: the length of a premiere is when it is over, that of others may come later. */
async function awaitLength(ctx: ItemContext, item: ClaimedItem, { reason }: ItemDetails): Promise<void> {
  const tries = item.tries + 1
  const seconds = retrySeconds(ctx.itemRetrySchedule, tries)
  if (seconds === null) {
    const isAhead = reason === 'not_started' || reason === 'live'
    const rule = item.filter?.min_duration_seconds === undefined ? 'max_duration_seconds' : 'min_duration_seconds'
    const ended = isAhead ? ({ state: 'failed', reason } as const) : ({ state: 'skipped', reason: rule } as const)
    return end(ctx, item, { ...ended, jobId: null })
  }
  await wait(ctx, item, 'details', seconds, tries)
  // Before the first one, the source has just been listed.
  if (tries > 1) await lookNow(ctx.db, item.subscriptionId)
}

/** Counts the item toward its day, and submits its video by the rules of `POST /videos/process`. */
async function submit(ctx: ItemContext, item: ClaimedItem): Promise<void> {
  const now = ctx.clock()
  const { day } = quotaPeriods(now)
  const dayStart = new Date(`${day}T00:00:00Z`)
  // An ID that was chosen before and never accepted is used again, so that the video has one job whatever dies.
  const isChosen = item.jobId !== null && item.jobStatus === null
  const jobId = item.action === 'notify' ? null : isChosen ? item.jobId : newId()
  const outcome = await ctx.db.transaction((sql) =>
    takeItem(sql, item, { jobId, dayStart, now, ignoresLimit: item.reason === 'requested' }),
  )
  if (outcome === 'lost') return
  if (outcome === 'paused') return wait(ctx, item, item.reason, null)
  if (outcome === 'full') {
    const seconds = (dayStart.getTime() - now.getTime()) / 1_000 + DAY_SECONDS
    return wait(ctx, item, 'max_per_day', Math.max(1, seconds))
  }
  if (jobId === null) return end(ctx, item, { state: 'notified', reason: null, jobId: null })
  try {
    await accept(ctx, item, jobId)
  } catch (error) {
    return afterRefusal(ctx, item, error)
  }
  await leaveToJob(ctx.db, item, ctx.clock())
  ctx.itemWorked({ state: 'submitted' })
}

async function accept(ctx: ItemContext, item: ClaimedItem, jobId: string): Promise<void> {
  const actor = actorOf(item)
  const { priority } = item
  const subject = await findFollowedSubject(ctx, item)
  if (!subject) throw new ServiceError('NOT_FOUND')
  const { options, issues } = await bindOwnTemplates(ctx.db, item.userId, item.options)
  if (issues.length > 0) throw validationError(issues)
  const hasTemplates = (options.pinned_templates ?? []).length > 0
  const needsModel = options.summary_modes.length > 0 || options.generate_infographic || hasTemplates
  const spent = needsModel ? await findSpent(ctx, actor) : null
  if (spent) throw spent
  await ctx.accept({
    ...describeRequested(ctx, actor, { options, priority }),
    options,
    ...subject,
    id: jobId,
    useProxy: null,
    forceRefresh: false,
  })
}

/** Has an item wait that the quota or a spending limit does not allow. A hold that was raised is noticed within an hour. */
async function afterRefusal(ctx: ItemContext, item: ClaimedItem, error: unknown): Promise<void> {
  if (!(error instanceof ServiceError)) throw error
  if (error.code === 'UNAUTHORIZED') return wait(ctx, item, 'account', HOUR_SECONDS)
  if (error.code === 'TRANSCRIPT_UNAVAILABLE') return afterFailure(ctx, item, error)
  // An episode that has left its feed for longer than it is kept.
  if (error.code === 'NOT_FOUND') return end(ctx, item, { state: 'failed', reason: 'deleted', jobId: null })
  // A template that it names was deleted.
  if (error.code === 'VALIDATION_ERROR') return end(ctx, item, { state: 'failed', reason: 'template', jobId: null })
  if (error.code !== 'QUOTA_EXCEEDED') throw error
  const reason = error.details?.quota === 'spend' ? 'spend' : 'quota'
  await wait(ctx, item, reason, Math.min(HOUR_SECONDS, error.retryAfterSeconds ?? HOUR_SECONDS))
  await holdAndTell(ctx, item, reason)
}

/** Says what an item waits for whose job has failed; null if it has failed for good. */
function describeFailure({ code, details }: StoredError): string | null {
  if (code === 'TRANSCRIPT_UNAVAILABLE') {
    const isLasting = details?.reason === 'private' || details?.reason === 'unreadable'
    return isLasting ? null : 'no_captions_yet'
  }
  if (code === 'LIVE_NOT_ENDED') return details?.reason === 'live' ? 'live' : 'not_started'
  if (code === 'UPSTREAM_BLOCKED' || code === 'UPSTREAM_UNAVAILABLE') return 'platform'
  const isOurs = code === 'INTERNAL_ERROR' || code === 'SUMMARY_UNAVAILABLE' || code === 'PROCESSING_TIMEOUT'
  return isOurs ? 'service' : null
}

async function afterFailure(ctx: ItemContext, item: ClaimedItem, error: StoredError | null): Promise<void> {
  const reason = error && describeFailure(error)
  const tries = item.tries + 1
  const seconds = reason === null ? null : retrySeconds(ctx.itemRetrySchedule, tries)
  if (reason !== null && seconds !== null) return wait(ctx, item, reason, seconds, tries)
  const why = reason === 'no_captions_yet' ? 'no_captions' : (reason ?? error?.code.toLowerCase() ?? 'service')
  await end(ctx, item, { state: 'failed', reason: why, jobId: item.jobStatus === null ? null : item.jobId })
}
