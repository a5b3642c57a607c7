import {
  type BatchEstimate,
  ESTIMATE_BASES,
  type Lane,
  SUMMARY_MODES,
  type SubmitBatch,
  type SubmitVideo,
  type ValidationIssue,
  type VideoEstimate,
  validationError,
} from '@subtext/contracts'
import type { RequestWindow } from '@subtext/queue'
import { examineBatch } from '../batches/submit.ts'
import type { Actor, Context } from '../context.ts'
import type { EstimateDuration } from '../jobs/estimate.ts'
import { examineSubmission, type SubmitPolicy } from '../jobs/submit.ts'
import type { QuotaContext } from '../plans/quota.ts'
import { selectVideos } from '../sources/index.ts'
import type { EstimateCosts, EstimatedVideo } from './costs.ts'
import { reachVerdict } from './verdict.ts'

export interface EstimateContext extends Pick<Context, 'db' | 'clock'>, QuotaContext {
  submitPolicy: SubmitPolicy
  estimateCosts: EstimateCosts
  estimateDuration: EstimateDuration
}

/**
 * Returns whether a submission would be accepted, and what it would use and cost, without any effect. Errors: those of an
 * invalid submission (`INVALID_VIDEO_URL`, `VALIDATION_ERROR`).
 */
export async function estimateVideo(
  ctx: EstimateContext,
  actor: Actor,
  request: SubmitVideo,
  window: RequestWindow,
): Promise<VideoEstimate> {
  const { videoId, violations, templates } = await examineSubmission(ctx, actor, request)
  const { options, custom_instructions, force_refresh: forceRefresh, priority } = request
  const wanted = { videoId, options, templates, instructions: custom_instructions ?? null, forceRefresh }
  const [verdict, videos] = await Promise.all([
    reachVerdict(ctx, actor, { violations, window, videos: 1, wanted: [wanted], isBatch: false }),
    ctx.estimateCosts(actor.userId, [wanted]),
  ])
  return { video_id: videoId, ...verdict, ...(await describeCosts(ctx, videos, priority)) }
}

const refuseImport = (path: string): ValidationIssue => ({
  path,
  message: 'Must not be sent: what imported captions cost is known only when they are read.',
  code: 'not_estimated',
})

/** Like `estimateVideo`, for a batch and each of its videos. Further errors: those of `selectVideos`. */
export async function estimateBatch(
  ctx: EstimateContext,
  actor: Actor,
  request: SubmitBatch,
  window: RequestWindow,
): Promise<BatchEstimate> {
  const selected = request.source ? (await selectVideos(ctx, actor, request.source)).videoIds : []
  const { videos, violations } = await examineBatch(ctx, actor, request, selected)
  const imported = videos.filter(({ videoId }) => videoId === null)
  if (imported.length > 0) throw validationError(imported.map(({ entry }) => refuseImport(entry.fieldAt('import'))))
  const wanted = videos.map(({ videoId, entry, templates }) => ({
    videoId: videoId ?? '',
    options: entry.options,
    templates,
    instructions: entry.custom_instructions ?? null,
    forceRefresh: false,
  }))
  const { videos: sent = [], jobs = [] } = request
  const [verdict, estimated] = await Promise.all([
    reachVerdict(ctx, actor, {
      violations,
      window,
      videos: sent.length + jobs.length + selected.length,
      wanted,
      isBatch: true,
    }),
    ctx.estimateCosts(actor.userId, wanted),
  ])
  return {
    ...verdict,
    ...(await describeCosts(ctx, estimated, 'normal')),
    videos: videos.flatMap(({ index }, nth) => {
      const video = estimated[nth]
      if (!video) return []
      const { videoId, cached, costUsd, basis } = video
      return [{ index, video_id: videoId, cached, cost_usd: roundCosts(costUsd), basis }]
    }),
  }
}

type Costs = Pick<VideoEstimate, 'cached' | 'cost_usd' | 'tokens' | 'seconds' | 'basis'>

async function describeCosts(ctx: EstimateContext, videos: EstimatedVideo[], lane: Lane): Promise<Costs> {
  const sum = (pick: (video: EstimatedVideo) => number): number =>
    videos.reduce((total, video) => total + pick(video), 0)
  const worst = Math.max(0, ...videos.map(({ basis }) => ESTIMATE_BASES.indexOf(basis)))
  return {
    cached: {
      transcript: videos.length > 0 && videos.every(({ cached }) => cached.transcript),
      modes: SUMMARY_MODES.filter(
        (mode) => videos.length > 0 && videos.every(({ cached }) => cached.modes.includes(mode)),
      ),
    },
    cost_usd: roundCosts({
      low: sum(({ costUsd }) => costUsd.low),
      expected: sum(({ costUsd }) => costUsd.expected),
      high: sum(({ costUsd }) => costUsd.high),
    }),
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
    seconds: await ctx.estimateDuration(
      lane,
      videos.map(({ cached, writes }) => ({ writes, hasTranscript: cached.transcript })),
    ),
    basis: ESTIMATE_BASES[worst] ?? 'typical',
  }
}

const MICRO = 1_000_000

/** Rounds outwards, so that a cost within the range stays within it. */
const roundCosts = ({ low, expected, high }: EstimatedVideo['costUsd']) => ({
  low: Math.floor(low * MICRO) / MICRO,
  expected: Math.round(expected * MICRO) / MICRO,
  high: Math.ceil(high * MICRO) / MICRO,
})
