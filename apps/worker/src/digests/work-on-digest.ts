import { createHash } from 'node:crypto'
import { ServiceError, WARNINGS, type Warning, type WarningCode } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import { isDatabaseUnavailable, retryThroughOutage } from '@subtext/core/coordination'
import {
  abandonDigest,
  type ClaimedDigest,
  completeDigest,
  type DigestContent,
  type DigestMaterial,
  extendDigestLease,
  postponeDigest,
  readDigestMaterial,
  savePaidGroups,
} from '@subtext/core/digests'
import { retryDelay, toServiceError } from '@subtext/core/jobs'
import { createReserver, isSpendingRefusal, type SpendingSettings } from '@subtext/core/spending'
import type { PricedModel } from '@subtext/llm'
import type { PromptLimits, Summarizer } from '@subtext/summarize'
import {
  type CitedPoint,
  composeDigest,
  type DigestGroups,
  groupByTerms,
  groupPoints,
  selectCommonLanguage,
} from '@subtext/summarize/digests'
import { holdLease } from '../lanes/hold-lease.ts'
import type { DigestEnded, DigestOutcome } from '../metrics.ts'
import { collectPoints } from './collect-points.ts'

/** What the lane of digests needs. */
export interface DigestLaneContext extends Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> {
  /** Null to group points by their terms. */
  model: PricedModel | null
  limits: PromptLimits
  /** Writes summaries without a model. */
  extractive: Summarizer
  spending: SpendingSettings
  leaseSeconds: number
  /** Seconds before the second, third, ... try. */
  retrySchedule: readonly number[]
  digestEnded: DigestEnded
}

const TIMEOUT_MS = 600_000
/** A digest that kills its worker every time must not circulate forever. */
const MAX_DEATHS = 5

/** Makes a digest that this worker has claimed, and writes one log line. Rejects if nothing could be written. */
export async function workOnDigest(
  ctx: DigestLaneContext,
  claimed: ClaimedDigest,
  stopping: AbortSignal,
): Promise<void> {
  const started = performance.now()
  const extend = () => extendDigestLease(ctx.db, claimed, ctx.leaseSeconds)
  const outcome = await holdLease(ctx, { name: 'digest', seconds: ctx.leaseSeconds, extend }, (lost) =>
    attempt(ctx, claimed, { lost, stopping }),
  )
  const seconds = (performance.now() - started) / 1_000
  ctx.digestEnded({ outcome }, seconds)
  ctx.log.info('digest', { digest_id: claimed.id, outcome, attempt: claimed.attempt, seconds: Math.round(seconds) })
}

async function attempt(
  ctx: DigestLaneContext,
  claimed: ClaimedDigest,
  { lost, stopping }: Record<'lost' | 'stopping', AbortSignal>,
): Promise<DigestOutcome> {
  try {
    if (claimed.attempt > ctx.retrySchedule.length + MAX_DEATHS) throw new ServiceError('INTERNAL_ERROR')
    return await produce(ctx, claimed, AbortSignal.any([lost, stopping, AbortSignal.timeout(TIMEOUT_MS)]))
  } catch (thrown) {
    if (lost.aborted) return 'lease_lost'
    return retryThroughOutage(AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]), () =>
      settle(ctx, claimed, { thrown, stopping }),
    )
  }
}

async function produce(ctx: DigestLaneContext, claimed: ClaimedDigest, signal: AbortSignal): Promise<DigestOutcome> {
  const material = await readDigestMaterial(ctx, claimed)
  if (!material) return 'lease_lost'
  const points = await collectPoints(ctx, material, signal)
  const { groups, warnings } = await groupMaterial(ctx, claimed, { material, points, signal })
  const content = describe(material, points, { groups, warnings, language: selectLanguage(claimed, material) })
  return (await completeDigest(ctx, claimed, content)) ? 'completed' : 'lease_lost'
}

const selectLanguage = ({ outputLanguage }: ClaimedDigest, material: DigestMaterial): string =>
  outputLanguage ?? selectCommonLanguage(material.jobs)

interface Grouping {
  groups: DigestGroups
  warnings: Warning[]
}

/** Groups name points by their places, so that they only fit the points that they were made of. */
const identify = (points: readonly CitedPoint[]): string =>
  createHash('sha256')
    .update(JSON.stringify(points.map(({ jobId, text }) => [jobId, text])))
    .digest('base64url')

const warn = (code: WarningCode): Warning => ({ code, message: WARNINGS[code] })

/** Groups the points with a model, once, whatever dies afterwards; without one, by their terms. */
async function groupMaterial(
  ctx: DigestLaneContext,
  claimed: ClaimedDigest,
  { material, points, signal }: { material: DigestMaterial; points: CitedPoint[]; signal: AbortSignal },
): Promise<Grouping> {
  const language = selectCommonLanguage(material.jobs)
  const byTerms = (code: WarningCode): Grouping => ({ groups: groupByTerms(points, language), warnings: [warn(code)] })
  const stored = claimed.groups as (Grouping & { of: string }) | null
  // Where a job was deleted meanwhile, it is not paid for again.
  if (stored) return stored.of === identify(points) ? stored : byTerms('MODEL_REQUIRED')
  if (!ctx.model) return byTerms('MODEL_REQUIRED')
  if (points.length === 0) return { groups: { themes: [], disagreements: [] }, warnings: [] }
  const reserve = createReserver(ctx, { userId: claimed.userId, job: null }, { signal })
  const { groups, bill, failure } = await groupPoints(
    ctx.model,
    {
      key: claimed.id,
      points,
      videos: material.jobs.map(({ jobId, info }) => ({ jobId, title: info.title, channel: info.channel.name })),
      language,
      outputLanguage: selectLanguage(claimed, material),
      focus: claimed.instructions,
      limits: ctx.limits,
    },
    { signal, reserve },
  )
  const paid = bill.total()
  const mayRetry = !groups && failure?.retryable === true && !isSpendingRefusal(failure) && !paid
  if (mayRetry && retryDelay(failure, claimed.attempt, ctx.retrySchedule) !== null) throw failure
  const grouping = groups
    ? { groups, warnings: [] }
    : byTerms(isSpendingRefusal(failure) ? 'COST_LIMIT_REACHED' : 'MODEL_REQUIRED')
  if (paid) {
    const { model, charges = [], ...usage } = paid
    const outcome = groups ? ('completed' as const) : ('failed' as const)
    await savePaidGroups(ctx, claimed, {
      groups: { ...grouping, of: identify(points) },
      paid: { model, usage, outcome, charges },
    })
  }
  return grouping
}

function describe(
  { videos, jobs }: DigestMaterial,
  points: readonly CitedPoint[],
  { groups, warnings, language }: Grouping & { language: string },
): DigestContent {
  const { themes, disagreements, pointsUsed } = composeDigest(points, groups)
  const firsts = new Map<string, string>()
  for (const { jobId, text } of points) if (!firsts.has(jobId)) firsts.set(jobId, text)
  const toStored = ({ text, citations }: CitedPoint) => ({ text, citations })
  return {
    language,
    themes: themes.map((theme) => ({ title: theme.title, points: theme.points.map(toStored) })),
    disagreements: disagreements.map(({ question, positions }) => ({ question, positions: positions.map(toStored) })),
    videos: videos.map((video) => {
      const oneLine = firsts.get(video.jobId)
      return { ...video, ...(oneLine !== undefined && { oneLine }) }
    }),
    coverage: { videos: videos.length, failed: videos.length - jobs.length, points: points.length, pointsUsed },
    warnings,
  }
}

/** Ends a try that has failed: leaves the digest for a later one, or gives it up. */
async function settle(
  ctx: DigestLaneContext,
  claimed: ClaimedDigest,
  { thrown, stopping }: { thrown: unknown; stopping: AbortSignal },
): Promise<DigestOutcome> {
  const written = (outcome: DigestOutcome, isWritten: boolean): DigestOutcome => (isWritten ? outcome : 'lease_lost')
  if (stopping.aborted || isDatabaseUnavailable(thrown)) {
    return written('handed_back', await postponeDigest(ctx.db, claimed, 0))
  }
  const error = toServiceError(thrown)
  ctx.log.warn('digest not made', { digest_id: claimed.id, error: error.cause ?? error.message })
  const seconds = retryDelay(error, claimed.attempt, ctx.retrySchedule)
  if (seconds !== null) return written('postponed', await postponeDigest(ctx.db, claimed, seconds))
  return written('failed', await abandonDigest(ctx, claimed, error.code))
}
