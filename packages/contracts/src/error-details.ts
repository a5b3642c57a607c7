import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { FORMAT_OF_MEDIA_TYPE } from './formats.ts'
import { highestPlan, Plan, planFor } from './plans.ts'
import { CaptionsProblem, JobStatus, Scope } from './vocabulary.ts'

interface DetailsDefinition {
  schema: z.ZodObject
  /** Whether some causes of the code have no details. */
  optional?: true
  example: Record<string, unknown>
}

const REQUIRED_PLAN = Plan.meta({ description: 'The lowest plan that includes the feature.' })

const TranscriptUnavailableReason = z
  .enum(['no_captions', 'captions_disabled', 'private', 'not_yet_captioned', 'unreadable'])
  .meta({ id: 'TranscriptUnavailableReason' })

const ValidationIssue = z
  .object({
    path: z.string().meta({ description: 'Path in the request, such as `options.summary_modes.0`.' }),
    message: z.string().meta({ description: 'A sentence that names the field and says what it must be.' }),
    code: z.string().meta({ description: 'Kind of issue, such as `required`, `unknown_field` or `too_big`.' }),
  })
  .meta({ id: 'ValidationIssue' })
const Issues = z.object({ issues: z.array(ValidationIssue) })

/** The content of `error.details`, for the codes that have any. */
export const ERROR_DETAILS: Partial<Record<ErrorCode, DetailsDefinition>> = {
  VALIDATION_ERROR: {
    schema: Issues,
    example: {
      issues: [
        {
          path: 'options.summary_mode',
          message: 'Unknown field `options.summary_mode`. Did you mean `options.summary_modes`?',
          code: 'unknown_field',
        },
      ],
    },
  },
  INVALID_VIDEO_URL: {
    schema: Issues,
    example: {
      issues: [
        {
          path: 'url',
          message:
            'Is a link to a playlist. To list its videos, send it to `POST /sources`. Accepted forms: `https://www.youtube.com/watch?v=VIDEO_ID`, `https://youtu.be/VIDEO_ID`, `/shorts/`, `/live/`, `/embed/` or `/v/` instead of `/watch?v=`, and the ID alone.',
          code: 'invalid_video_url',
        },
      ],
    },
  },
  CAPTIONS_UNREADABLE: {
    schema: z.object({
      reason: CaptionsProblem.meta({ id: 'CaptionsProblem' }),
      line: z.int().optional().meta({ description: 'Where the problem was found, counted from 1.' }),
      issues: z
        .array(ValidationIssue)
        .optional()
        .meta({ description: 'In a batch: all captions that cannot be read.' }),
    }),
    example: { reason: 'unknown_format', line: 1 },
  },
  KEY_ALREADY_CREATED: {
    schema: z.object({
      id: z.uuid().meta({ description: 'ID of the key that was created.' }),
      prefix: z.string().meta({ description: 'The first characters of the key that was created.' }),
      last_four: z.string().meta({ description: 'The last characters of the key that was created.' }),
    }),
    example: { id: '0193a5c0-7c2e-7e3a-9d3b-2f6f0c1d4e5f', prefix: 'sk_1f3a9c', last_four: '9e02' },
  },
  PLAN_UPGRADE_REQUIRED: {
    schema: z.object({
      feature: z.string().meta({ description: 'The feature of the first violation.' }),
      current_plan: Plan,
      required_plan: Plan.meta({ description: 'The lowest plan that includes everything the request asks for.' }),
      violations: z
        .array(
          z.object({
            feature: z.string(),
            field: z.string().optional().meta({
              description: 'Field of the request that uses the feature; absent when the request as a whole does.',
            }),
            required_plan: REQUIRED_PLAN,
          }),
        )
        .meta({ description: 'All features of the request that the plan does not include.' }),
    }),
    example: {
      feature: 'priority',
      current_plan: 'plus',
      required_plan: highestPlan([planFor('priority'), planFor('webhooks')]),
      violations: [
        { feature: 'priority', field: 'priority', required_plan: planFor('priority') },
        { feature: 'webhooks', field: 'webhook_url', required_plan: planFor('webhooks') },
      ],
    },
  },
  INSUFFICIENT_SCOPE: {
    schema: z.object({ required_scope: Scope, scopes: z.array(Scope).meta({ description: 'Scopes of the key.' }) }),
    example: { required_scope: 'write', scopes: ['read'] },
  },
  NOT_ACCEPTABLE: {
    schema: z.object({
      available: z.array(z.string()).meta({ description: 'Media types that the endpoint can produce.' }),
    }),
    example: { available: [...FORMAT_OF_MEDIA_TYPE.keys()] },
  },
  JOB_NOT_COMPLETED: {
    schema: z.object({ status: JobStatus, progress_percentage: z.number().min(0).max(100) }),
    example: { status: 'processing', progress_percentage: 45 },
  },
  PAYLOAD_TOO_LARGE: {
    schema: z.object({ limit_bytes: z.int() }),
    example: { limit_bytes: 65_536 },
  },
  TRANSCRIPT_UNAVAILABLE: {
    schema: z.object({ reason: TranscriptUnavailableReason }),
    example: { reason: 'captions_disabled' },
  },
  LIVE_NOT_ENDED: {
    schema: z.object({ reason: z.enum(['upcoming', 'live', 'offline']).meta({ id: 'LiveNotEndedReason' }) }),
    optional: true,
    example: { reason: 'upcoming' },
  },
  VIDEO_NOT_ACCESSIBLE: {
    schema: z.object({ reason: z.enum(['members', 'payment']).meta({ id: 'VideoNotAccessibleReason' }) }),
    optional: true,
    example: { reason: 'members' },
  },
  SOURCE_UNAVAILABLE: {
    schema: z.object({
      reason: z.enum(['not_found', 'private', 'terminated', 'not_a_feed', 'too_large']).meta({ id: 'SourceFault' }),
    }),
    example: { reason: 'not_found' },
  },
  RATE_LIMITED: {
    schema: z.object({
      limit: z.int().meta({ description: 'Requests per window.' }),
      used: z.int(),
      reset_at: z.iso.datetime(),
    }),
    optional: true,
    example: { limit: 3000, used: 3001, reset_at: '2026-01-01T01:00:00.000Z' },
  },
  QUOTA_EXCEEDED: {
    schema: z.object({
      quota: z.enum(['daily', 'monthly', 'derive', 'chat', 'sources', 'spend']).meta({
        id: 'ExceededQuota',
        description:
          '`daily`, `monthly`: videos of your plan. `derive`: jobs derived from one job. `chat`: questions of a UTC day. `sources`: listings of an hour. `spend`: US dollars of a month or day.',
      }),
      limit: z
        .number()
        .meta({ description: 'Videos, questions, listings or US dollars per period, or jobs derived from one job.' }),
      used: z.number(),
      reset_at: z.iso.datetime().nullable().meta({ description: 'Null for `derive`, which is never reset.' }),
      requested: z.int().optional().meta({ description: 'Number of videos in the batch that was refused.' }),
    }),
    example: { quota: 'daily', limit: 30, used: 30, reset_at: '2026-01-01T00:00:00.000Z' },
  },
  PROCESSING_TIMEOUT: {
    schema: z.object({ job_id: z.uuid().meta({ description: 'The job keeps running; follow it by this ID.' }) }),
    optional: true,
    example: { job_id: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11' },
  },
}
