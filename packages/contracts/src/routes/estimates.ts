import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Plan } from '../plans.ts'
import { SummaryMode } from '../vocabulary.ts'
import { renameLegacyFields, SubmitVideoRequest } from './legacy-fields.ts'
import {
  MAX_BATCH_BYTES,
  renameBatchFields,
  SELECTION_ERRORS,
  SubmitBatch,
  SubmitBatchRequest,
} from './submit-batch.ts'
import { SOURCE_ERRORS, SubmitVideo } from './submit-video.ts'

const EstimateViolation = z
  .object({
    code: z
      .enum(['PLAN_UPGRADE_REQUIRED', 'QUOTA_EXCEEDED', 'RATE_LIMITED'])
      .meta({ id: 'EstimateViolationCode', description: 'The error code with which the request would be refused.' }),
    message: z.string(),
    feature: z.string().optional().meta({ description: 'For `PLAN_UPGRADE_REQUIRED`: the missing feature.' }),
    field: z.string().optional().meta({ description: 'Field of the request that uses the feature.' }),
    required_plan: Plan.optional().meta({ description: 'The lowest plan with the feature.' }),
    quota: z.enum(['daily', 'monthly', 'spend']).meta({ id: 'EstimatedQuota' }).optional(),
    limit: z.number().optional().meta({ description: 'US dollars for `spend`.' }),
    used: z.number().optional(),
    reset_at: z.iso.datetime().optional().meta({ description: 'When the quota or the request limit is reset.' }),
  })
  .meta({ id: 'EstimateViolation' })

/** Most certain first. */
export const ESTIMATE_BASES = ['transcript', 'duration', 'typical'] as const
const EstimateBasis = z.enum(ESTIMATE_BASES).meta({
  id: 'EstimateBasis',
  description:
    'What the costs are derived from. `transcript`: the stored captions. `duration`: the length of the video. `typical`: videos of usual length, because nothing is known about this one.',
})
export type EstimateBasis = z.infer<typeof EstimateBasis>

const usd = (description: string) => z.number().min(0).meta({ description })

export const CostRange = z
  .object({
    low: usd('The cost is rarely lower.'),
    expected: usd('The most probable cost.'),
    high: usd('The cost is rarely higher.'),
  })
  .meta({ id: 'CostRange', description: 'US dollars, with 6 decimals.' })

export const EstimateCache = z
  .object({
    transcript: z.boolean().meta({ description: 'Whether stored captions would be used.' }),
    modes: z.array(SummaryMode).meta({
      description:
        'Requested summaries that were written for earlier jobs of your account, and that would cost nothing.',
    }),
  })
  .meta({ id: 'EstimateCache' })

const remaining = z.int().min(0).nullable()
const estimateFields = {
  would_accept: z.boolean().meta({ description: 'Whether the same request would be accepted now.' }),
  violations: z.array(EstimateViolation).meta({ description: 'Why it would be refused; all reasons at once.' }),
  quota: z
    .object({
      uses: z.int().min(0).meta({ description: 'Videos that the request would take from the quota.' }),
      daily_remaining: remaining.meta({ description: 'Before the request. Null if there is no limit.' }),
      monthly_remaining: remaining.meta({ description: 'Before the request. Null if there is no limit.' }),
    })
    .meta({ id: 'EstimateQuota' }),
  cached: EstimateCache,
  cost_usd: CostRange,
  tokens: z
    .object({
      input: z.int().min(0).meta({ description: 'Including those read from the cache.' }),
      output: z.int().min(0),
    })
    .meta({ id: 'EstimateTokens', description: 'As expected.' }),
  seconds: z.number().min(0).meta({ description: 'Expected time to completion.' }),
  basis: EstimateBasis,
}

export const VideoEstimate = z.object({ video_id: z.string(), ...estimateFields }).meta({ id: 'VideoEstimate' })
export type VideoEstimate = z.infer<typeof VideoEstimate>

export const BatchEstimate = z
  .object({
    ...estimateFields,
    cached: EstimateCache.meta({ description: 'Values that apply to every video.' }),
    basis: EstimateBasis.meta({ description: 'The least certain basis of all videos.' }),
    videos: z
      .array(
        z
          .object({
            index: z.int().min(0).meta({ description: 'Position in the request, starting at 0.' }),
            video_id: z.string(),
            cached: EstimateCache,
            cost_usd: CostRange,
            basis: EstimateBasis,
          })
          .meta({ id: 'BatchVideoEstimate' }),
      )
      .meta({ description: 'A summary that several videos of the batch share is charged to the first one.' }),
  })
  .meta({ id: 'BatchEstimate' })
export type BatchEstimate = z.infer<typeof BatchEstimate>

const DESCRIPTION = [
  'Says whether the request would be accepted, and what it would use and cost. Nothing is created or counted, and neither the',
  'video platform nor a language model is called; only the host name of a webhook is looked up. An invalid request is refused',
  'as it would be when submitted; one that your plan, quota or request limit does not allow has `would_accept:false` and',
].join(' ')

export const estimates = {
  video: defineRoute({
    method: 'post',
    path: '/videos/estimate',
    operationId: 'estimateVideo',
    summary: 'Estimate a video',
    description: `${DESCRIPTION} lists every reason. The body is that of \`POST /videos/process\`.`,
    access: 'write',
    query: z.strictObject({}),
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    request: SubmitVideoRequest,
    response: VideoEstimate,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL', ...SOURCE_ERRORS],
    example: {
      body: {
        url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        options: { summary_modes: ['tldr', 'key_insights'] },
      },
    },
  }),
  batch: defineRoute({
    method: 'post',
    path: '/batch/estimate',
    operationId: 'estimateBatch',
    summary: 'Estimate a batch',
    description: `${DESCRIPTION} lists every reason. The body is that of \`POST /batch/process\`.`,
    access: 'write',
    query: z.strictObject({}),
    body: SubmitBatch,
    maxBodyBytes: MAX_BATCH_BYTES,
    upgrade: renameBatchFields,
    request: SubmitBatchRequest,
    response: BatchEstimate,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', ...SELECTION_ERRORS],
    example: {
      body: {
        videos: [{ url: 'https://youtu.be/dQw4w9WgXcQ' }, { url: 'https://youtu.be/9bZkp7q19f0' }],
      },
    },
  }),
}
