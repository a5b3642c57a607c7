import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { queryBoolean, queryInteger } from '../query-values.ts'
import { BatchStatus, JobStatus, SummaryMode } from '../vocabulary.ts'
import { BatchParams } from './batches.ts'
import { DerivedFrom, JobParams } from './job.ts'
import { CursorPagination, MAX_PAGE_SIZE } from './list.ts'
import { checkRange, dateOrTime } from './usage.ts'

const ReceiptKind = z.enum(['quota', 'model', 'platform']).meta({ id: 'ReceiptKind' })

export const ReceiptAction = z
  .enum([
    'reserve',
    'release',
    'summary',
    'notes',
    'infographic',
    'extraction',
    'attempt',
    'chat',
    'digest',
    'fetch',
    'total',
  ])
  .meta({ id: 'ReceiptAction' })
export type ReceiptAction = z.infer<typeof ReceiptAction>

/** The reasons of lines, each with its text. */
export const RECEIPT_REASONS = {
  accepted: 'The job was accepted.',
  unlimited: 'No quota of videos applies to the account or the key.',
  derived: 'A derived job uses no video of the quota.',
  job_failed: 'The job failed, so the video does not count.',
  job_cancelled: 'The job was cancelled before it cost anything, so the video does not count.',
  summary_delivered: 'The job was cancelled after a summary had been finished, so the video counts.',
  model_paid: 'The job was cancelled after the language model had been used, so the video counts.',
  written: 'The language model wrote this summary for this job.',
  extractive: 'The summary consists of sentences of the transcript, which costs nothing.',
  reused: 'This summary was written for an earlier job of your account, so it costs nothing.',
  source: 'The summary belongs to the job to which this one adds, so it costs nothing.',
  long_video: 'The video is too long to be read at once. These are notes on its parts, which all summaries share.',
  drawn: 'The language model wrote the texts of the infographic.',
  extracted: 'The language model filled a template.',
  refused: 'The language model refused to answer.',
  unusable: 'The answer of the language model could not be used.',
  interrupted: 'The call of the language model failed after it had been charged.',
  answered: 'The language model answered a question about the video.',
  passages: 'The question was answered with passages of the transcript, which costs nothing.',
  digested: 'The language model grouped the points of a digest.',
  requested: 'The video platform was asked for the video and its captions.',
  available: 'The captions were available already, so the video platform was not asked.',
  deleted: 'You have deleted the job. This is the sum of what it has cost.',
  source_transcript: 'The transcript of the job to which this one adds was used, so the video platform was not asked.',
} as const
export type ReceiptReason = keyof typeof RECEIPT_REASONS
const ReceiptReason = z.enum(Object.keys(RECEIPT_REASONS) as [ReceiptReason, ...ReceiptReason[]]).meta({
  id: 'ReceiptReason',
})

const jobId = z.uuid()

export const ReceiptLine = z
  .object({
    at: z.iso.datetime(),
    kind: ReceiptKind,
    action: ReceiptAction,
    mode: SummaryMode.optional().meta({ description: 'Absent if the line belongs to no single summary.' }),
    model: z
      .string()
      .optional()
      .meta({ description: 'Present in lines of the kind `model`, except for the sum of a deleted job.' }),
    quantity: z.int().meta({
      description: 'In `unit`. Negative for a video returned to the quota, 0 for work that cost nothing.',
    }),
    unit: z.enum(['video', 'token', 'request']).meta({ id: 'ReceiptUnit' }),
    cost_usd: z.number().min(0).meta({ description: 'US dollars, with 6 decimals.' }),
    saved_usd: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'What the line would have cost if nothing had been reused.' }),
    reason: ReceiptReason,
    message: z.string().meta({ description: 'The reason as a sentence.' }),
    job_id: jobId.optional().meta({ description: 'In the receipt of a batch: the job that the line belongs to.' }),
    digest_id: z
      .uuid()
      .optional()
      .meta({ description: 'In the receipt of a batch: the digest that the line belongs to.' }),
    message_id: z.uuid().optional().meta({ description: 'In the receipt of a conversation: the answer.' }),
  })
  .meta({ id: 'ReceiptLine' })
export type ReceiptLine = z.infer<typeof ReceiptLine>

const receiptFields = {
  lines: z.array(ReceiptLine).meta({ description: 'In chronological order.' }),
  total: z
    .object({ cost_usd: z.number().min(0), tokens: z.int().min(0) })
    .meta({ id: 'ReceiptTotal', description: 'Sums over the lines.' }),
  quota_effect: z
    .int()
    .min(0)
    .meta({ description: 'Videos that count toward the quota: those reserved less those returned.' }),
}

const is_final = z.boolean().meta({ description: 'Whether everything has ended. Until then, lines can be added.' })
const ended_at = z.iso.datetime().optional()
const jobFields = {
  job_id: jobId,
  video_id: z.string().optional().meta({ description: 'Absent if you have deleted the job.' }),
  batch_id: z.uuid().optional(),
  derived_from: DerivedFrom.optional(),
  client_reference: z.string().optional(),
}

export const JobReceipt = z
  .object({ ...jobFields, status: JobStatus, is_final, ended_at, ...receiptFields })
  .meta({ id: 'JobReceipt', description: 'Answers in chats about the job have receipts of their own.' })
export type JobReceipt = z.infer<typeof JobReceipt>

export const BatchReceipt = z
  .object({ batch_id: z.uuid(), status: BatchStatus, is_final, ...receiptFields })
  .meta({ id: 'BatchReceipt' })
export type BatchReceipt = z.infer<typeof BatchReceipt>

export const ConversationReceipt = z
  .object({ job_id: jobId, conversation_id: z.uuid(), ...receiptFields })
  .meta({ id: 'ConversationReceipt' })
export type ConversationReceipt = z.infer<typeof ConversationReceipt>

export const UsageReceipt = z
  .object({
    subject: z.enum(['job', 'chat_message', 'digest']).meta({ id: 'ReceiptSubject' }),
    ...jobFields,
    job_id: jobId.optional().meta({ description: 'Absent for answers about many videos, and for digests.' }),
    conversation_id: z.uuid().optional(),
    message_id: z.uuid().optional(),
    digest_id: z.uuid().optional(),
    outcome: z.enum(['completed', 'failed']).meta({ id: 'ReceiptOutcome' }),
    ended_at: z.iso.datetime(),
    ...receiptFields,
  })
  .meta({ id: 'UsageReceipt' })
export type UsageReceipt = z.infer<typeof UsageReceipt>

export const ReceiptList = z
  .object({
    receipts: z.array(UsageReceipt),
    pagination: CursorPagination,
  })
  .meta({ id: 'ReceiptList' })

/** Media types of the receipts of a range, by `format`. */
export const RECEIPT_FORMATS = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type ReceiptFormat = keyof typeof RECEIPT_FORMATS
export const ReceiptFormat = z.enum(Object.keys(RECEIPT_FORMATS) as [ReceiptFormat, ...ReceiptFormat[]]).meta({
  id: 'ReceiptFormat',
})

const ReceiptsQuery = z
  .strictObject({
    start_date: dateOrTime.optional().meta({
      description: 'Start of the range, as a date (UTC) or a time. Default: as far back as there are receipts.',
    }),
    end_date: dateOrTime
      .optional()
      .meta({ description: 'End of the range: a date is included, a time is not. Default: now.' }),
    limit: queryInteger(1, MAX_PAGE_SIZE)
      .default(MAX_PAGE_SIZE)
      .meta({ description: 'Maximum number of receipts per page of JSON. The other formats contain all of them.' }),
    cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    format: ReceiptFormat.optional().meta({
      description: [
        'Takes precedence over `Accept`.\n',
        '- `json`: the envelope, page by page',
        '- `csv`: a table with one row per line of a receipt, of the whole range',
        '- `ndjson`: one receipt per line of text, of the whole range',
      ].join('\n'),
    }),
    download: z.literal('1').optional().meta({
      description: 'Adds a file name, so that browsers save the response.',
    }),
    bom: queryBoolean.optional().meta({
      description:
        'Whether CSV starts with a byte order mark, by which spreadsheets recognize UTF-8. Default: `true` with `download=1`, otherwise `false`.',
    }),
  })
  .superRefine(checkRange)

export const receipts = {
  job: defineRoute({
    method: 'get',
    path: '/videos/receipt/{job_id}',
    operationId: 'getJobReceipt',
    summary: 'Receipt of a job',
    description: [
      'Returns what a job has cost and why, line by line: its effect on the quota, each call of the language model, and the',
      'requests to the video platform. Work that cost nothing also has a line: a failed job is returned to the quota, and reused',
      'work says what it saved. Of a job that you have deleted, what it cost remains as one line. A receipt expires with its job.',
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({}),
    response: JobReceipt,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  conversation: defineRoute({
    method: 'get',
    path: '/videos/receipt/{job_id}/{conversation_id}',
    operationId: 'getConversationReceipt',
    summary: 'Receipt of a conversation',
    description: 'Returns what the answers in a chat about a job have cost, even after the conversation was deleted.',
    access: 'read',
    params: JobParams.extend({ conversation_id: z.string().toLowerCase().meta({ format: 'uuid' }) }),
    query: z.strictObject({}),
    response: ConversationReceipt,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  batch: defineRoute({
    method: 'get',
    path: '/batch/receipt/{batch_id}',
    operationId: 'getBatchReceipt',
    summary: 'Receipt of a batch',
    description: [
      'Returns the receipts of all jobs of a batch as one, whose lines name their jobs, with what digests of it have cost. Jobs',
      'derived from them, such as those that fill a table, have receipts of their own.',
    ].join(' '),
    access: 'read',
    params: BatchParams,
    query: z.strictObject({}),
    response: BatchReceipt,
    status: 200,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  list: defineRoute({
    method: 'get',
    path: '/usage/receipts',
    operationId: 'listReceipts',
    summary: 'Receipts of a key',
    description: [
      'Lists the receipts of the jobs and chat answers of the calling key that ended in the range, newest first. Those of an',
      'hour add up to that hour of `GET /usage/history`: costs, tokens, and videos as completed jobs. Receipts of jobs that',
      'you have deleted remain as sums. Receipts expire with their jobs; the history remains.',
    ].join(' '),
    access: 'read',
    query: ReceiptsQuery,
    response: ReceiptList,
    status: 200,
    documents: [RECEIPT_FORMATS.csv, RECEIPT_FORMATS.ndjson],
    errors: ['VALIDATION_ERROR', 'NOT_ACCEPTABLE'],
  }),
}
