import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Warning } from '../envelope.ts'
import { SummaryMode } from '../vocabulary.ts'
import { JOB_ERRORS, Job, JobParams } from './job.ts'
import { LEGACY_FIELDS, renameLegacyFields } from './legacy-fields.ts'
import { DefaultResult } from './result.ts'
import { SubmitVideo } from './submit-video.ts'

const FinishedSummary = z
  .object({
    job_id: z.uuid(),
    mode: SummaryMode,
    text: z.string().meta({ description: 'Markdown, as the result will have it.' }),
    model: z.string(),
  })
  .meta({ id: 'FinishedSummary' })

const CompletedJob = Job.extend({ result_url: z.url(), warnings: z.array(Warning).optional() }).meta({
  id: 'CompletedJob',
})

const MAX_WAIT_SECONDS = 300

export const following = {
  events: defineRoute({
    method: 'get',
    path: '/videos/events/{job_id}',
    operationId: 'followJob',
    summary: 'Follow a job',
    description: [
      'Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html): `progress` with the job',
      'whenever its status, step or percentage has changed, `summary` with the text of each mode as soon as it is',
      'finished, and at the end `completed` or `failed`, after which the stream closes. The `data` of every event is one',
      'JSON object; comments every 15 seconds keep the connection open.\n\n',
      'Each event has an id that says what its reader has by then. Sent back as `Last-Event-ID`, to whichever server,',
      'it continues the stream with exactly the rest; an id that was not given out for this job counts as none. Who',
      'has the end already gets `204`, which tells a browser not to reconnect.',
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({}),
    response: z.union([Job, FinishedSummary, CompletedJob]),
    status: 200,
    events: { progress: Job, summary: FinishedSummary, completed: CompletedJob, failed: Job },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  cancel: defineRoute({
    method: 'post',
    path: '/videos/cancel/{job_id}',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description: [
      'A job that has not ended fails with `JOB_CANCELLED`: its work stops, its quota is given back, and its webhook is',
      'told. A job that has ended, by an earlier cancellation or otherwise, stays as it is. Either way the answer is the',
      'job as it stands then.',
    ].join(' '),
    access: 'write',
    params: JobParams,
    query: z.strictObject({}),
    response: Job,
    status: 200,
    errors: ['NOT_FOUND'],
  }),
  processSync: defineRoute({
    method: 'post',
    path: '/videos/process-sync',
    operationId: 'processVideo',
    summary: 'Submit a video and wait for its result',
    description: [
      'As `POST /videos/process`, but answers with the result, or with the error the job failed with. When the job takes',
      'longer than `wait`, the answer is `PROCESSING_TIMEOUT` with `details.job_id`, and the job goes on.',
    ].join(' '),
    access: 'admin',
    query: z.strictObject({
      wait: z
        .string()
        .regex(/^\d+$/)
        .transform(Number)
        .pipe(z.int().min(1).max(MAX_WAIT_SECONDS))
        .default(60)
        .meta({ description: 'Seconds to wait for the result.' }),
    }),
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    legacyFields: LEGACY_FIELDS,
    idempotent: true,
    response: DefaultResult,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL', ...JOB_ERRORS],
    example: { body: { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' } },
  }),
}
