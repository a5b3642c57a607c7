import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { JobStatus } from '../vocabulary.ts'
import { Job } from './job.ts'

export const MAX_PAGE_SIZE = 100
/** PostgreSQL counts positions up to here. */
export const MAX_OFFSET = 2_147_483_647

export const Pagination = z
  .object({
    total: z.int().min(0).meta({ description: 'Exact number of entries in the whole list.' }),
    limit: z.int().min(1).max(MAX_PAGE_SIZE),
    offset: z.int().min(0).meta({ description: 'Entries before this page; with a cursor, those read so far.' }),
    has_more: z.boolean(),
    next_offset: z.int().nullable().meta({ description: '`offset` of the next page; null on the last one.' }),
    next_cursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last one.' }),
  })
  .meta({ id: 'Pagination' })

/** Of lists whose entries are not counted. */
export const CursorPagination = z
  .object({
    limit: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last one.' }),
  })
  .meta({ id: 'CursorPagination' })

export const JobList = z.object({ jobs: z.array(Job), pagination: Pagination }).meta({ id: 'JobList' })

const MAX_JOB_TEXT = 200
const JobText = z.string().trim().pipe(text(MAX_JOB_TEXT, 1))

export const lists = {
  jobs: defineRoute({
    method: 'get',
    path: '/videos/',
    operationId: 'listJobs',
    summary: 'List your jobs',
    description: [
      'Newest first. `offset` goes to any page, but jobs submitted in the meantime shift the others, and distant pages are',
      'slower. `cursor` reads lists of any length: every page takes the same time, and every job that existed when you',
      'started is listed exactly once. A cursor is valid for the `status` and `q` it was created with; `limit` may change.',
      'With `q`, `total` counts what matches.',
    ].join(' '),
    access: 'read',
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of jobs per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest jobs to skip. Cannot be combined with `cursor`.' }),
      status: JobStatus.optional().meta({ description: 'Lists only jobs with this status.' }),
      q: JobText.optional().meta({
        minLength: 1,
        maxLength: MAX_JOB_TEXT,
        description:
          'Lists only jobs about videos whose title or channel contains this text, in any case, or whose ID, or that of the job, begins with it.',
      }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    }),
    response: JobList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
