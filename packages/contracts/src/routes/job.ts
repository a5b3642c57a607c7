import { z } from 'zod'
import { ErrorBody } from '../envelope.ts'
import type { ErrorCode } from '../errors.ts'
import { JobStatus, JobStep, Priority, SummaryMode } from '../vocabulary.ts'

/** UUIDs are accepted in either case (RFC 9562, section 4) and stored in lower case. */
export const JobParams = z.object({ job_id: z.string().toLowerCase().meta({ format: 'uuid' }) })

/** The codes that a job can fail with. Requests for its result then return the same error. */
export const JOB_ERRORS = [
  'TRANSCRIPT_UNAVAILABLE',
  'VIDEO_UNAVAILABLE',
  'AGE_RESTRICTED',
  'LIVE_NOT_ENDED',
  'GEO_BLOCKED',
  'VIDEO_NOT_ACCESSIBLE',
  'JOB_CANCELLED',
  'UPSTREAM_BLOCKED',
  'UPSTREAM_UNAVAILABLE',
  'SUMMARY_UNAVAILABLE',
  'PROCESSING_TIMEOUT',
  'INTERNAL_ERROR',
] as const satisfies ErrorCode[]

export const JobError = ErrorBody.omit({ docs_url: true }).meta({ id: 'JobError' })

/** The caller's references, as they are returned. */
export const attribution = {
  service_name: z.string().optional(),
  agent_name: z.string().optional(),
  client_reference: z.string().optional(),
}

export const VideoTitle = z
  .string()
  .meta({ description: 'Title of the video. Absent until the platform has named it.' })

export const DerivedFrom = z
  .uuid()
  .meta({ description: 'ID of the completed job from which this one is derived. It may have been deleted since.' })

/** What a job was asked for, so that jobs of the same video can be told apart. */
const requested = {
  summary_modes: z.array(SummaryMode).meta({
    description: 'The summaries that were requested. Those of a derived job are added to those of its source.',
  }),
  generate_infographic: z
    .boolean()
    .optional()
    .meta({ description: '`true` if an infographic was requested; otherwise absent.' }),
  templates: z.array(z.string()).optional().meta({ description: 'The templates that were requested, if any.' }),
  language: z.string().optional().meta({ description: 'The language of the captions, if one was requested.' }),
  output_language: z.string().optional().meta({ description: 'The language of the summaries, if one was requested.' }),
  custom_instructions: z.string().optional(),
}

export const SubmittedJob = z
  .object({
    job_id: z.uuid(),
    status: JobStatus,
    video_id: z.string(),
    video_url: z.url(),
    priority: Priority,
    derived_from: DerivedFrom.optional(),
    status_url: z.url(),
    result_url: z.url(),
    created_at: z.iso.datetime(),
    ...attribution,
  })
  .meta({ id: 'SubmittedJob' })
export type SubmittedJob = z.infer<typeof SubmittedJob>

export const Job = z
  .object({
    job_id: z.uuid(),
    status: JobStatus,
    progress_percentage: z.number().min(0).max(100),
    current_step: JobStep,
    estimated_time_remaining: z.number().min(0).meta({ description: 'Estimate in seconds, based on recent jobs.' }),
    video_id: z.string(),
    video_url: z.url(),
    video_title: VideoTitle.optional(),
    priority: Priority,
    batch_id: z.uuid().optional(),
    derived_from: DerivedFrom.optional(),
    ...requested,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    started_at: z.iso.datetime().optional(),
    next_attempt_at: z.iso.datetime().optional().meta({
      description:
        'When a paused job is attempted again: after a temporary error, or when the video platform may be asked again.',
    }),
    completed_at: z.iso.datetime().optional(),
    error: JobError.optional(),
    ...attribution,
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>
