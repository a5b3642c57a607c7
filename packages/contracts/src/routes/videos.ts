import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Job, SubmittedJob } from './job.ts'
import { renameLegacyFields } from './legacy-fields.ts'
import { DOCUMENT_TYPES, JobResult, ResultFormat } from './result.ts'
import { SubmitVideo } from './submit-video.ts'

const JobParams = z.object({ job_id: z.string() })

export const videos = {
  submit: defineRoute({
    method: 'post',
    path: '/videos/process',
    operationId: 'submitVideo',
    summary: 'Submit a video',
    description: 'Accepts the job and answers at once; follow it by status or webhook.',
    access: 'write',
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    response: SubmittedJob,
    status: 202,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL', 'PLAN_UPGRADE_REQUIRED', 'QUOTA_EXCEEDED'],
    example: {
      body: {
        url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        options: { summary_modes: ['tldr', 'key_insights'], language: 'en' },
        client_reference: 'order-1042',
      },
    },
  }),
  status: defineRoute({
    method: 'get',
    path: '/videos/status/{job_id}',
    operationId: 'getJobStatus',
    summary: 'Status of a job',
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      wait: z
        .string()
        .regex(/^\d+$/)
        .transform(Number)
        .pipe(z.int().min(0).max(60))
        .optional()
        .meta({ description: 'Seconds to wait for the job to finish before answering.' }),
    }),
    response: Job,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  result: defineRoute({
    method: 'get',
    path: '/videos/result/{job_id}',
    operationId: 'getJobResult',
    summary: 'Result of a job',
    description:
      'Without `format`, or with `Accept: application/json`, the envelope with Markdown texts. `format=json` gives the structured envelope; the other formats are documents of their own. `format` wins over `Accept`.',
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      format: ResultFormat.optional(),
      download: z
        .literal('1')
        .optional()
        .meta({ description: 'Answers a document with a file name, for a browser to save.' }),
    }),
    response: JobResult,
    status: 200,
    documents: Object.values(DOCUMENT_TYPES),
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'NOT_ACCEPTABLE',
      'JOB_NOT_COMPLETED',
      'TRANSCRIPT_UNAVAILABLE',
      'VIDEO_UNAVAILABLE',
      'AGE_RESTRICTED',
      'LIVE_NOT_ENDED',
      'GEO_BLOCKED',
      'VIDEO_NOT_ACCESSIBLE',
      'UPSTREAM_BLOCKED',
      'UPSTREAM_UNAVAILABLE',
      'SUMMARY_UNAVAILABLE',
      'PROCESSING_TIMEOUT',
      'INTERNAL_ERROR',
    ],
  }),
}
