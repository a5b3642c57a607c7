import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { queryInteger } from '../query-values.ts'
import { SummaryMode } from '../vocabulary.ts'
import { Warning } from '../warnings.ts'
import { JOB_ERRORS, Job, JobParams } from './job.ts'
import { renameLegacyFields, SubmitVideoRequest } from './legacy-fields.ts'
import { DefaultResult } from './result.ts'
import { SOURCE_ERRORS, SubmitVideo } from './submit-video.ts'

const FinishedSummary = z
  .object({
    job_id: z.uuid(),
    mode: SummaryMode,
    text: z.string().meta({ description: 'Markdown, as in the result.' }),
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
      'Sends [Server-Sent Events](https://html.spec.whatwg.org/multipage/server-sent-events.html): `progress` with the job',
      'whenever its status, step, percentage or `next_attempt_at` has changed, `summary` with the text of each mode as soon as it is',
      'finished, and finally `completed` or `failed`, after which the stream closes. The `data` of every event is one',
      'JSON object. Comments every 15 seconds keep the connection open.\n\n',
      'The ID of an event records what you have received so far. Send it back as `Last-Event-ID`, to any server, and the',
      'stream continues with exactly the rest. An ID that does not belong to this job is ignored. If you already have the',
      'last event, the response is `204`, which tells browsers not to reconnect.',
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
      'A job that has not ended fails with `JOB_CANCELLED`: its work stops, its video is returned to the quota, and its',
      'webhook receives `job.failed`. If a summary was finished or the language model had been used, the video still counts,',
      'and the warning `QUOTA_KEPT` says why. A job that has already ended does not change. Either way, the response is the',
      'current state of the job.',
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
      'Works like `POST /videos/process`, but responds with the result, or with the error of the failed job. If the job',
      'takes longer than `wait`, the response is `PROCESSING_TIMEOUT` with `details.job_id`, and the job keeps running.',
    ].join(' '),
    access: 'admin',
    query: z.strictObject({
      wait: queryInteger(1, MAX_WAIT_SECONDS)
        .default(60)
        .meta({ description: 'Maximum number of seconds to wait for the result.' }),
    }),
    body: SubmitVideo,
    upgrade: renameLegacyFields,
    request: SubmitVideoRequest,
    idempotent: true,
    response: DefaultResult,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL', ...new Set([...JOB_ERRORS, ...SOURCE_ERRORS])],
    example: { body: { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' } },
  }),
}
