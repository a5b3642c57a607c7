import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { DOCUMENTS, FORMATS, RESULT_FORMATS, ResultFormat } from '../formats.ts'
import { JOB_ERRORS, Job, JobParams, SubmittedJob } from './job.ts'
import { LEGACY_FIELDS, renameLegacyFields } from './legacy-fields.ts'
import { JobResult } from './result.ts'
import { SubmitVideo } from './submit-video.ts'

export const videos = {
  submit: defineRoute({
    method: 'post',
    path: '/videos/process',
    operationId: 'submitVideo',
    summary: 'Submit a video',
    description: [
      'Accepts a job and answers at once. Follow it with `GET /videos/status/{job_id}?wait=30`, with',
      '`GET /videos/events/{job_id}`, or give a `webhook_url`; then fetch `GET /videos/result/{job_id}`.\n\n',
      'A job counts on the quota when it is accepted; one that fails or is cancelled is given back. What the plan does',
      'not include is refused with all violations at once. Captions and summaries that are already there are used again,',
      'unless `force_refresh` is set.',
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    legacyFields: LEGACY_FIELDS,
    idempotent: true,
    response: SubmittedJob,
    status: 202,
    responseHeaders: ['Location'],
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
    description: [
      'The job as it stands. With `wait` the answer comes as soon as the job has ended, or after so many seconds: ask',
      'again until `status` is `completed` or `failed`. Without it, wait for `Retry-After` between two requests.',
    ].join(' '),
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
    responseHeaders: ['Retry-After'],
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  result: defineRoute({
    method: 'get',
    path: '/videos/result/{job_id}',
    operationId: 'getJobResult',
    summary: 'Result of a job',
    description: [
      'Returns the result in the format named by `format`, else in the one that `Accept` asks for, else as the envelope',
      'with Markdown texts. A result never changes: send its `ETag` as `If-None-Match`, and the answer is 304 while your',
      'copy is current.',
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      format: ResultFormat.optional().meta({
        description: [
          'Takes precedence over `Accept`.\n',
          ...RESULT_FORMATS.map((format) => `- \`${format}\`: ${FORMATS[format].description}`),
        ].join('\n'),
      }),
      download: z.literal('1').optional().meta({
        description:
          'Names a file for a browser to save the answer in. CSV then begins with a byte order mark, by which spreadsheets know UTF-8.',
      }),
    }),
    response: JobResult,
    status: 200,
    documents: DOCUMENTS.map(({ mediaType }) => mediaType),
    notModified: true,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'NOT_ACCEPTABLE', 'JOB_NOT_COMPLETED', ...JOB_ERRORS],
  }),
}
