import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { JobParams } from './job.ts'

export const deletion = {
  job: defineRoute({
    method: 'delete',
    path: '/videos/{job_id}',
    besideNames: true,
    operationId: 'deleteJob',
    summary: 'Delete a job',
    description: [
      'Deletes a job that has ended, with everything that it holds: result, conversations, infographic, and stored captions and',
      'summaries that no other job uses. It is no longer found by searches, at once. Events about it that have not been delivered',
      'are dropped, and none can be delivered again. Usage and quota stay as they are, and its receipt as a sum. Jobs that',
      'filled its row of a table go with it; jobs derived from it by request keep everything. Of the jobs about the same video, the newest one that is left takes its place in the library.',
      'An unfinished job, and one to which an unfinished job adds, is refused: cancel it, or wait.',
    ].join(' '),
    access: 'write',
    params: JobParams,
    query: z.strictObject({}),
    status: 204,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'JOB_NOT_COMPLETED'],
  }),
}
