import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { ANKI, DOCUMENT_MEDIA_TYPES, FORMATS, RESULT_FORMATS, RequestedFormat } from '../formats.ts'
import { queryBoolean, queryInteger } from '../query-values.ts'
import { JOB_ERRORS, Job, JobParams, SubmittedJob } from './job.ts'
import { renameLegacyFields, SubmitVideoRequest } from './legacy-fields.ts'
import { JobResult } from './result.ts'
import { SOURCE_ERRORS, SubmitVideo } from './submit-video.ts'

export const videos = {
  submit: defineRoute({
    method: 'post',
    path: '/videos/process',
    operationId: 'submitVideo',
    summary: 'Submit a video',
    description: [
      'Accepts a job and responds at once. Follow it with `GET /videos/status/{job_id}?wait=30`, with',
      '`GET /videos/events/{job_id}`, or with a `webhook_url`; then fetch `GET /videos/result/{job_id}`.\n\n',
      'A video counts toward the quota when its job is accepted, and is returned when the job fails, or is cancelled before it',
      'cost anything. A request that uses features the plan does not include is refused, and all of them are listed. Stored',
      'captions and summaries are reused unless `force_refresh` is set.',
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    request: SubmitVideoRequest,
    idempotent: true,
    response: SubmittedJob,
    status: 202,
    responseHeaders: ['Location'],
    errors: [
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'INVALID_VIDEO_URL',
      'PLAN_UPGRADE_REQUIRED',
      'QUOTA_EXCEEDED',
      ...SOURCE_ERRORS,
    ],
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
      'Returns the current state of the job. With `wait`, the response is sent as soon as the job has ended, or after that',
      'many seconds: repeat the request until `status` is `completed` or `failed`. Without `wait`, wait for `Retry-After`',
      'seconds between requests.',
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      wait: queryInteger(0, 60)
        .optional()
        .meta({ description: 'Maximum number of seconds to wait for the job to end.' }),
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
      'Returns the result in the format named by `format`, else in the one that `Accept` selects, else as the envelope',
      'with Markdown texts. A result never changes: send its `ETag` as `If-None-Match`, and the response is 304 while your',
      'copy is current.',
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      format: RequestedFormat.optional().meta({
        description: [
          'Takes precedence over `Accept`.\n',
          ...RESULT_FORMATS.map((format) => `- \`${format}\`: ${FORMATS[format].description}`),
          `- \`${ANKI}\`: the flash cards of the template \`flashcards\` as CSV, \`question,answer,link\`, for import into Anki; \`400\` if there are none`,
        ].join('\n'),
      }),
      download: z.literal('1').optional().meta({
        description: 'Adds a file name, so that browsers save the response.',
      }),
      bom: queryBoolean.optional().meta({
        description:
          'Whether CSV starts with a byte order mark, by which spreadsheets recognize UTF-8. Default: `true` with `download=1`, otherwise `false`. Other formats have none.',
      }),
    }),
    response: JobResult,
    status: 200,
    documents: DOCUMENT_MEDIA_TYPES,
    notModified: true,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'NOT_ACCEPTABLE', 'JOB_NOT_COMPLETED', ...JOB_ERRORS],
  }),
}
