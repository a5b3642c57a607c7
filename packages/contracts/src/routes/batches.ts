import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryBoolean, queryInteger } from '../query-values.ts'
import { BatchStatus, JobStatus } from '../vocabulary.ts'
import { attribution, JobError, VideoTitle } from './job.ts'
import { MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import { JobResult } from './result.ts'
import {
  MAX_BATCH_BYTES,
  renameBatchFields,
  SELECTION_ERRORS,
  SubmitBatch,
  SubmitBatchRequest,
} from './submit-batch.ts'

const index = z.int().min(0).meta({ description: 'Position in the request, starting at 0.' })
const count = (description: string) => z.int().min(0).meta({ description })

export const BatchStats = z
  .object({
    total: count('All jobs of the batch.'),
    queued: count('Waiting.'),
    processing: count('In progress.'),
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
    video_title: VideoTitle.optional(),
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
    jobs: z.array(z.object({ index, job_id: z.uuid() }).meta({ id: 'SubmittedBatchJob' })),
    status_url: z.url(),
    results_url: z.url(),
    created_at: z.iso.datetime(),
    source_id: z.uuid().optional().meta({ description: 'The source that the videos were selected from.' }),
    selected: z.int().min(1).optional().meta({ description: 'With `source`: number of videos that were selected.' }),
    remaining: z.int().min(0).optional().meta({
      description: 'With `source`: number of videos that fit as well, but are too many for one batch.',
    }),
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
    started_at: z.iso.datetime().optional().meta({ description: 'When its first job started.' }),
    completed_at: z.iso.datetime().optional().meta({ description: 'When its last job ended.' }),
    ...attribution,
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

const BatchWithJobs = Batch.safeExtend({
  jobs: z.array(BatchJob),
  digest_id: z.uuid().optional().meta({ description: 'The latest digest of the batch.' }),
}).meta({ id: 'BatchWithJobs' })

const FailedBatchJob = z
  .object({ index, job_id: z.uuid(), video_id: z.string(), video_url: z.url(), error: JobError })
  .meta({ id: 'FailedBatchJob' })
export type FailedBatchJob = z.infer<typeof FailedBatchJob>

const BatchProcessing = z
  .object({
    started_at: z.iso.datetime().nullable().meta({ description: 'When the first job started; null if none has.' }),
    completed_at: z.iso.datetime().nullable().meta({ description: 'When the last job ended; null until then.' }),
    total_processing_time: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Seconds between the two; null until the last job has ended.' }),
  })
  .meta({ id: 'BatchProcessing' })
export type BatchProcessing = z.infer<typeof BatchProcessing>

const BatchResults = z
  .object({
    batch_id: z.uuid(),
    status: BatchStatus,
    summary_stats: BatchStats,
    processing: BatchProcessing,
    failed_jobs: z.array(FailedBatchJob).meta({ description: 'Filled only with `include_failed=true`.' }),
    successful_jobs: z.array(JobResult).meta({
      description: 'Results of the completed jobs by `index`, each as returned by `GET /videos/result/{job_id}`.',
    }),
  })
  .meta({ id: 'BatchResults' })

const BatchList = z.object({ batches: z.array(Batch), pagination: Pagination }).meta({ id: 'BatchList' })

export const BatchParams = z.object({ batch_id: z.string().meta({ format: 'uuid' }) })

export const batches = {
  submit: defineRoute({
    method: 'post',
    path: '/batch/process',
    operationId: 'submitBatch',
    summary: 'Submit many videos',
    description: [
      'Accepts 1 to 100 videos as one batch, as a whole or not at all: one invalid entry refuses the batch, and the path of',
      'the issue says which one (`videos.3.url`). A batch that the quota does not cover is refused, and nothing is counted.',
      'Follow the batch with `GET /batch/status/{batch_id}`, or add a `webhook_url` to receive one event when all its jobs',
      'have ended; jobs can also be followed one by one. Jobs that fail are returned to the quota. The body may have up to 20 MB.',
      'With `source` in place of `videos`, the first 100 videos of a playlist or a channel that fit are taken; repeat the request',
      'with `not_processed` to take the next ones.',
      requiresPlanFor('batches'),
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: SubmitBatch,
    maxBodyBytes: MAX_BATCH_BYTES,
    upgrade: renameBatchFields,
    request: SubmitBatchRequest,
    idempotent: true,
    response: SubmittedBatch,
    status: 202,
    responseHeaders: ['Location'],
    errors: [
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'CAPTIONS_UNREADABLE',
      'PLAN_UPGRADE_REQUIRED',
      'QUOTA_EXCEEDED',
      ...SELECTION_ERRORS,
    ],
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
      'Returns the current state of the batch and of each of its jobs. The batch has ended when `status` is no longer `processing`: it is `completed` if all jobs completed, `failed` if none did, else `partial_failure`. Until then, wait for `Retry-After` seconds between requests.',
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
      'Returns the results available so far, even while other jobs are running. Texts are Markdown; with `format=json`, results are structured like single ones. The response can be very long: read it as a stream.',
    access: 'read',
    params: BatchParams,
    query: z.strictObject({
      include_failed: queryBoolean
        .default('false')
        .meta({ description: '`true` also lists the jobs that failed, and why.' }),
      format: z
        .literal('json')
        .optional()
        .meta({ description: 'Returns structured results instead of Markdown texts.' }),
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
      'Newest first. `offset` goes to any page. `cursor` reads lists of any length, and every batch that existed when you started is listed exactly once. A cursor is valid for the `status` it was created with.',
    access: 'read',
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of batches per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest batches to skip. Cannot be combined with `cursor`.' }),
      status: BatchStatus.optional().meta({ description: 'Lists only batches with this status.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    }),
    response: BatchList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
