import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { BatchStatus, JobStatus } from '../vocabulary.ts'
import { attribution, JobError } from './job.ts'
import { LONGEST_PAGE, MAX_OFFSET, Pagination, whole } from './list.ts'
import { JobResult } from './result.ts'
import { MAX_BATCH_BYTES, renameBatchFields, SubmitBatch } from './submit-batch.ts'

const index = z.int().min(0).meta({ description: 'Place in the request, from 0.' })
const count = (description: string) => z.int().min(0).meta({ description })

export const BatchStats = z
  .object({
    total: count('Jobs of the batch.'),
    queued: count('Waiting.'),
    processing: count('Being worked on.'),
    successful: count('Completed.'),
    failed: count('Failed or cancelled.'),
  })
  .meta({ id: 'BatchStats' })
export type BatchStats = z.infer<typeof BatchStats>

export const BatchJob = z
  .object({
    index,
    job_id: z.uuid(),
    video_id: z.string(),
    video_url: z.url(),
    status: JobStatus,
    progress_percentage: z.number().min(0).max(100),
    error: JobError.optional(),
  })
  .meta({ id: 'BatchJob' })
export type BatchJob = z.infer<typeof BatchJob>

const SubmittedBatch = z
  .object({
    batch_id: z.uuid(),
    status: BatchStatus,
    total_jobs: z.int().min(1),
    jobs: z.array(z.object({ index, job_id: z.uuid() })),
    status_url: z.url(),
    results_url: z.url(),
    created_at: z.iso.datetime(),
    ...attribution,
  })
  .meta({ id: 'SubmittedBatch' })

export const Batch = z
  .object({
    batch_id: z.uuid(),
    status: BatchStatus,
    progress_percentage: z.number().min(0).max(100),
    summary_stats: BatchStats,
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().optional().meta({ description: 'When work on the first of its jobs began.' }),
    completed_at: z.iso.datetime().optional().meta({ description: 'When the last of its jobs ended.' }),
    ...attribution,
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

const BatchWithJobs = Batch.safeExtend({ jobs: z.array(BatchJob) }).meta({ id: 'BatchWithJobs' })

const FailedBatchJob = z
  .object({ index, job_id: z.uuid(), video_id: z.string(), video_url: z.url(), error: JobError })
  .meta({ id: 'FailedBatchJob' })
export type FailedBatchJob = z.infer<typeof FailedBatchJob>

const BatchProcessing = z
  .object({
    started_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When work on the first of the jobs began; null where none has.' }),
    completed_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the last of the jobs ended; null until then.' }),
    total_processing_time: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Seconds from the one to the other; null until the end.' }),
  })
  .meta({ id: 'BatchProcessing' })
export type BatchProcessing = z.infer<typeof BatchProcessing>

const BatchResults = z
  .object({
    batch_id: z.uuid(),
    status: BatchStatus,
    summary_stats: BatchStats,
    processing: BatchProcessing,
    failed_jobs: z.array(FailedBatchJob).meta({ description: 'Filled with `include_failed=true` alone.' }),
    successful_jobs: z.array(JobResult).meta({
      description: 'Results of the completed jobs, each as `GET /videos/result/{job_id}` has it, by `index`.',
    }),
  })
  .meta({ id: 'BatchResults' })

const BatchList = z.object({ batches: z.array(Batch), pagination: Pagination }).meta({ id: 'BatchList' })

const BatchParams = z.object({ batch_id: z.string() })

export const batches = {
  submit: defineRoute({
    method: 'post',
    path: '/batch/process',
    operationId: 'submitBatch',
    summary: 'Submit many videos',
    description: [
      'Accepts 1 to 100 videos as one batch, all or none: one invalid entry refuses the whole, with its place in the path',
      'of the issue (`videos.3.url`), and a batch for which the quota has no room counts nothing. Follow it with',
      '`GET /batch/status/{batch_id}` or give a `webhook_url`, which is told once, when every job has ended; each job can',
      'also be followed by itself. Jobs that fail are given back to the quota. The body may have 4 MB.',
      requiresPlanFor('batches'),
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: SubmitBatch,
    maxBodyBytes: MAX_BATCH_BYTES,
    upgrade: renameBatchFields,
    idempotent: true,
    response: SubmittedBatch,
    status: 202,
    responseHeaders: ['Location'],
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'PLAN_UPGRADE_REQUIRED', 'QUOTA_EXCEEDED'],
    example: {
      body: {
        videos: [
          { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', options: { summary_modes: ['tldr', 'key_insights'] } },
          { url: 'https://youtu.be/9bZkp7q19f0' },
        ],
        client_reference: 'order-1042',
      },
    },
  }),
  status: defineRoute({
    method: 'get',
    path: '/batch/status/{batch_id}',
    operationId: 'getBatchStatus',
    summary: 'Status of a batch',
    description:
      'The batch and each of its jobs as they stand. It has ended when `status` is not `processing`: `completed` when all jobs were, `failed` when none was, else `partial_failure`. Until then wait for `Retry-After` between two requests.',
    access: 'read',
    params: BatchParams,
    query: z.strictObject({}),
    response: BatchWithJobs,
    status: 200,
    responseHeaders: ['Retry-After'],
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  results: defineRoute({
    method: 'get',
    path: '/batch/results/{batch_id}',
    operationId: 'getBatchResults',
    summary: 'Results of a batch',
    description:
      'The results that are there, also while other jobs go on. Texts are Markdown; with `format=json` they are structured, as those of a single result. The answer can be long and is sent as it is read: take it as a stream.',
    access: 'read',
    params: BatchParams,
    query: z.strictObject({
      include_failed: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: '`true` lists the jobs that failed and why.' }),
      format: z.literal('json').optional().meta({ description: 'Structured results instead of Markdown texts.' }),
    }),
    response: BatchResults,
    status: 200,
    responseHeaders: ['Retry-After'],
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  list: defineRoute({
    method: 'get',
    path: '/batch/',
    operationId: 'listBatches',
    summary: 'List your batches',
    description:
      'Newest first. `offset` leads to any page; `cursor` walks through all of them, and every batch that was there when the walk began is seen exactly once. A cursor belongs to the `status` it was given out for.',
    access: 'read',
    query: z.strictObject({
      limit: whole(1, LONGEST_PAGE).default(20).meta({ description: 'Most batches to answer with.' }),
      offset: whole(0, MAX_OFFSET).optional().meta({ description: 'Newest batches to pass over; not with `cursor`.' }),
      status: BatchStatus.optional().meta({ description: 'Only batches of this status.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    response: BatchList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
