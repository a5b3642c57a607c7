import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { JobStatus } from '../vocabulary.ts'
import { Job } from './job.ts'

export const LONGEST_PAGE = 100
/** As far as positions are counted. */
export const MAX_OFFSET = 2_147_483_647

export const whole = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most))

export const Pagination = z
  .object({
    total: z.int().min(0).meta({ description: 'All entries of the list, exactly.' }),
    limit: z.int().min(1).max(LONGEST_PAGE),
    offset: z.int().min(0).meta({ description: 'Entries before this page; by cursor, those the walk has passed.' }),
    has_more: z.boolean(),
    next_offset: z.int().nullable().meta({ description: '`offset` of the next page; null on the last one.' }),
    next_cursor: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last one.' }),
  })
  .meta({ id: 'Pagination' })

export const JobList = z.object({ jobs: z.array(Job), pagination: Pagination }).meta({ id: 'JobList' })

export const lists = {
  jobs: defineRoute({
    method: 'get',
    path: '/videos/',
    operationId: 'listJobs',
    summary: 'List your jobs',
    description: [
      'Newest first. `offset` leads to any page, but jobs submitted meanwhile push the others along, and far pages take',
      'longer. `cursor` walks through millions: every page costs the same, and every job that was there when the walk',
      'began is seen exactly once. A cursor belongs to the `status` it was given out for; `limit` may change.',
    ].join(' '),
    access: 'read',
    query: z.strictObject({
      limit: whole(1, LONGEST_PAGE).default(20).meta({ description: 'Most jobs to answer with.' }),
      offset: whole(0, MAX_OFFSET).optional().meta({ description: 'Newest jobs to pass over; not with `cursor`.' }),
      status: JobStatus.optional().meta({ description: 'Only jobs of this status.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    response: JobList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
