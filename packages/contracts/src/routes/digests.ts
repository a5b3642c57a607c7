import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { languageTag } from '../language-tag.ts'
import { requiresPlanFor } from '../plans.ts'
import { text } from '../text.ts'
import { JobStatus } from '../vocabulary.ts'
import { Warning } from '../warnings.ts'
import { BatchParams } from './batches.ts'
import { JobError } from './job.ts'

const MAX_INSTRUCTIONS = 2_000

export const DIGEST_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const
export const DigestStatus = z.enum(DIGEST_STATUSES).meta({ id: 'DigestStatus' })
export type DigestStatus = z.infer<typeof DigestStatus>

/** Every form of a digest, with its media type. */
export const DIGEST_FORMATS = {
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
} as const
export type DigestFormat = keyof typeof DIGEST_FORMATS
const DigestFormat = z
  .enum(Object.keys(DIGEST_FORMATS) as [DigestFormat, ...DigestFormat[]])
  .meta({ id: 'DigestFormat' })

export const CreateDigest = z
  .strictObject({
    instructions: z.string().trim().pipe(text(MAX_INSTRUCTIONS, 1)).optional().meta({
      description: 'What the digest should emphasize.',
      minLength: 1,
      maxLength: MAX_INSTRUCTIONS,
    }),
    output_language: languageTag.pipe(z.string()).optional().meta({
      description: 'Language of headings and questions (BCP-47). Points stay as their summaries have them.',
    }),
  })
  .meta({ id: 'CreateDigest' })
export type CreateDigest = z.output<typeof CreateDigest>

export const DigestCitation = z
  .object({
    job_id: z.uuid(),
    segment_id: z.int().meta({ description: 'Position of the segment in the transcript, starting at 1.' }),
    start: z.number().meta({ description: 'Seconds.' }),
    url: z.string().meta({ description: 'The moment of the video.' }),
  })
  .meta({ id: 'DigestCitation' })
export type DigestCitation = z.infer<typeof DigestCitation>

export const DigestPoint = z
  .object({
    text: z.string().meta({ description: 'A point of a summary of the video, as it is stored.' }),
    citations: z.array(DigestCitation),
  })
  .meta({ id: 'DigestPoint' })
export type DigestPoint = z.infer<typeof DigestPoint>

export const DigestTheme = z.object({ title: z.string(), points: z.array(DigestPoint) }).meta({ id: 'DigestTheme' })
export type DigestTheme = z.infer<typeof DigestTheme>

export const DigestDisagreement = z
  .object({
    question: z.string(),
    positions: z.array(DigestPoint).meta({ description: 'Of at least two videos.' }),
  })
  .meta({ id: 'DigestDisagreement' })
export type DigestDisagreement = z.infer<typeof DigestDisagreement>

export const DigestVideo = z
  .object({
    job_id: z.uuid(),
    video_id: z.string(),
    video_url: z.string(),
    video_title: z.string(),
    status: JobStatus,
    one_line: z.string().optional().meta({ description: 'A point of its summary.' }),
  })
  .meta({ id: 'DigestVideo' })
export type DigestVideo = z.infer<typeof DigestVideo>

export const DigestCoverage = z
  .object({
    videos: z.int().min(0),
    failed: z.int().min(0).meta({ description: 'Videos that could not be processed.' }),
    points: z.int().min(0).meta({ description: 'Points of all summaries.' }),
    points_used: z.int().min(0).meta({ description: 'Points that the digest has.' }),
  })
  .meta({ id: 'DigestCoverage' })
export type DigestCoverage = z.infer<typeof DigestCoverage>

export const Digest = z
  .object({
    digest_id: z.uuid(),
    batch_id: z.uuid(),
    status: DigestStatus,
    error: JobError.optional(),
    themes: z.array(DigestTheme),
    disagreements: z.array(DigestDisagreement),
    videos: z.array(DigestVideo).meta({ description: 'Every video of the batch, in its order.' }),
    coverage: DigestCoverage,
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().optional(),
    warnings: z.array(Warning).optional(),
  })
  .meta({ id: 'Digest', description: 'Its lists are empty until it is completed.' })
export type Digest = z.infer<typeof Digest>

const CreatedDigest = z
  .object({ digest_id: z.uuid(), batch_id: z.uuid(), status: DigestStatus, created_at: z.iso.datetime() })
  .meta({ id: 'CreatedDigest' })

const MAKING = [
  'A digest groups points of the stored summaries by what they are about, and names what the videos say differently. Every text in',
  'it is a point that was checked when its summary was written; a language model only groups them by their numbers. Without a',
  'language model, points are grouped by the terms that they share, with the warning `MODEL_REQUIRED`.',
].join(' ')

export const digests = {
  create: defineRoute({
    method: 'post',
    path: '/batch/digest/{batch_id}',
    operationId: 'createDigest',
    summary: 'Make a digest of a batch',
    description: `${MAKING} ${requiresPlanFor('batches')}`,
    access: 'write',
    params: BatchParams,
    query: z.strictObject({}),
    body: CreateDigest,
    idempotent: true,
    response: CreatedDigest,
    status: 202,
    responseHeaders: ['Location'],
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'PLAN_UPGRADE_REQUIRED',
      'JOB_NOT_COMPLETED',
      'QUOTA_EXCEEDED',
    ],
    example: { body: {} },
  }),
  get: defineRoute({
    method: 'get',
    path: '/digests/{digest_id}',
    operationId: 'getDigest',
    summary: 'Get a digest',
    description:
      'Returns a digest as JSON or, with `format`, as a document. A document of a digest that is not completed is refused with `JOB_NOT_COMPLETED`.',
    access: 'read',
    params: z.object({ digest_id: z.string().meta({ format: 'uuid' }) }),
    query: z.strictObject({
      format: DigestFormat.default('json').meta({ description: 'The form of the digest.' }),
    }),
    response: Digest,
    documents: [DIGEST_FORMATS.markdown, DIGEST_FORMATS.html, DIGEST_FORMATS.pdf],
    status: 200,
    responseHeaders: ['Retry-After'],
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'JOB_NOT_COMPLETED', 'SERVICE_UNAVAILABLE', 'PROCESSING_TIMEOUT'],
  }),
}
