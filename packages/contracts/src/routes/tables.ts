import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { namePlanFor } from '../plans.ts'
import { TemplateReference } from '../template-refs.ts'
import { text } from '../text.ts'
import { BatchParams } from './batches.ts'
import { Citation } from './result.ts'

/** Videos of a table. */
export const MAX_TABLE_ROWS = 20
const MAX_QUESTIONS = 10
const MAX_QUESTION = 500

const subject = {
  template: TemplateReference.optional().meta({ description: 'Its properties are the columns.' }),
  questions: z
    .array(z.string().trim().pipe(text(MAX_QUESTION, 1)))
    .min(1)
    .max(MAX_QUESTIONS)
    .optional()
    .meta({ description: 'Each is a column. The answers are sentences that the lines of the video carry.' }),
}

function checkSubject(
  { template, questions }: { template?: unknown; questions?: string[] | undefined },
  issue: z.RefinementCtx,
) {
  if ((template === undefined) === (questions === undefined)) {
    issue.addIssue({ code: 'custom', path: ['template'], message: 'Send either `template` or `questions`.' })
  }
  for (const [index, question] of (questions ?? []).entries()) {
    if (questions?.indexOf(question) === index) continue
    issue.addIssue({ code: 'custom', path: ['questions', index], message: 'Must not be asked twice.' })
  }
}

export const BatchTable = z.strictObject(subject).superRefine(checkSubject).meta({ id: 'BatchTableRequest' })
export type TableSubject = z.output<typeof BatchTable>
export const LibraryTable = z
  .strictObject({
    job_ids: z
      .array(z.string())
      .min(1)
      .max(MAX_TABLE_ROWS)
      .meta({ description: 'Completed jobs, each once. They are the rows.' }),
    ...subject,
  })
  .superRefine(checkSubject)
  .meta({ id: 'LibraryTableRequest' })

const Cell = z
  .object({
    value: z.unknown().meta({ description: 'As in `data` of an extraction: a string, a number, a list, an object.' }),
    citations: z.array(Citation.extend({ quote: z.string() }).meta({ id: 'TableCitation' })),
  })
  .meta({ id: 'TableCell' })

export const TableStatus = z.enum(['processing', 'completed']).meta({ id: 'TableStatus' })

export const VideoTable = z
  .object({
    table_id: z.uuid(),
    status: TableStatus,
    columns: z.array(z.string()),
    rows: z.array(
      z
        .object({
          job_id: z.uuid(),
          video_id: z.string(),
          video_url: z.string(),
          video_title: z.string().nullable(),
          cells: z
            .record(z.string(), Cell.nullable())
            .meta({ description: 'By column. Null: not said, or not known yet.' }),
        })
        .meta({ id: 'TableRow' }),
    ),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'VideoTable' })
export type VideoTable = z.infer<typeof VideoTable>

export const TABLE_FORMATS = { json: 'application/json', csv: 'text/csv', markdown: 'text/markdown' } as const
export const TableFormat = z.enum(['json', 'csv', 'markdown']).meta({ id: 'TableFormat' })

const HOW = [
  `Fills a template, or answers questions, for each of up to ${MAX_TABLE_ROWS} videos, and puts what their lines carry into one table.`,
  'A job that is derived from each of them does it: it uses no video of the quota, and has a receipt. A failed video is a row of',
  `nulls. Read the table with \`GET /tables/{table_id}\`. Requires the ${namePlanFor('templates')} plan and a language model.`,
].join(' ')

const created = {
  access: 'write',
  query: z.strictObject({}),
  idempotent: true,
  response: VideoTable,
  status: 202,
  responseHeaders: ['Location'],
} as const

export const tables = {
  batch: defineRoute({
    ...created,
    method: 'post',
    path: '/batch/table/{batch_id}',
    operationId: 'createBatchTable',
    summary: 'Table over a batch',
    description: HOW,
    params: BatchParams,
    body: BatchTable,
    errors: [
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'NOT_FOUND',
      'PLAN_UPGRADE_REQUIRED',
      'JOB_NOT_COMPLETED',
      'QUOTA_EXCEEDED',
      'SUMMARY_UNAVAILABLE',
    ],
    example: { body: { questions: ['Which price is named?', 'Who recommends it?'] } },
  }),
  library: defineRoute({
    ...created,
    method: 'post',
    path: '/library/table',
    operationId: 'createLibraryTable',
    summary: 'Table over jobs',
    description: HOW,
    body: LibraryTable,
    errors: [
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'NOT_FOUND',
      'PLAN_UPGRADE_REQUIRED',
      'JOB_NOT_COMPLETED',
      'QUOTA_EXCEEDED',
      'SUMMARY_UNAVAILABLE',
    ],
    example: { body: { job_ids: ['0193a1f0-5c7e-7b10-8a52-3a1c2b6d4e5f'], template: 'action_items' } },
  }),
  get: defineRoute({
    method: 'get',
    path: '/tables/{table_id}',
    operationId: 'getTable',
    summary: 'Get a table',
    description:
      'Returns a table. While its `status` is `processing`, cells can be added, and `Retry-After` says when to ask again.',
    access: 'read',
    params: z.object({ table_id: z.string().meta({ format: 'uuid', description: 'ID of the table.' }) }),
    query: z.strictObject({
      format: TableFormat.optional().meta({
        description:
          'Takes precedence over `Accept`. CSV is safe against formulas; a value that is no text is JSON in it.',
      }),
    }),
    response: VideoTable,
    status: 200,
    documents: [TABLE_FORMATS.csv, TABLE_FORMATS.markdown],
    responseHeaders: ['Retry-After'],
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_ACCEPTABLE', 'SERVICE_UNAVAILABLE'],
  }),
}
