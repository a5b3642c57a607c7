import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { DocumentFormat, FORMATS } from '../formats.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryBoolean } from '../query-values.ts'
import { SUMMARY_MODES } from '../vocabulary.ts'
import { BatchParams } from './batches.ts'
import { JOB_ERRORS, JobParams } from './job.ts'
import { dateOrTime } from './usage.ts'

const PaperSize = z.enum(['a4', 'letter']).meta({ id: 'PaperSize' })

const MODE = `(?:${SUMMARY_MODES.join('|')})`
const modes = SUMMARY_MODES.map((mode) => `\`${mode}\``).join(', ')

/** Jobs that an export can name, so that the URL stays short. */
const MAX_EXPORTED_JOBS = 100

/** Exports of an account that can be written at the same time. */
export const MAX_EXPORTS = 2

const format = DocumentFormat.default('markdown').meta({
  description:
    'The format of the documents: any but JSON and PDF. `chunks` gives one file of lines of JSON for all videos.',
})
const ARCHIVES = ['application/zip', FORMATS.chunks.mediaType] as const

const ABOUT_ARCHIVES = [
  'With `format=chunks`, it is one NDJSON file with the passages of all videos. If nothing is completed, the archive is empty.\n\n',
  'A video has the same file name in every export: its title and its ID, without anything that an operating system',
  'refuses. The archive is written while it is sent, so an archive that cannot be opened is incomplete: request it again.',
  `${MAX_EXPORTS} exports of an account run at a time.`,
].join(' ')

export const exporting = {
  pdf: defineRoute({
    method: 'get',
    path: '/videos/export/{job_id}/pdf',
    operationId: 'exportPdf',
    summary: 'Result as PDF',
    description: [
      'Returns the result of a completed job as a PDF: a title page, the summaries, whose citations lead to the line of the',
      'transcript and to the moment of the video, and the transcript with its chapters. It is tagged for screen readers',
      '(PDF/UA-1) or, with more than 1 MB of text, made for archives (PDF/A-2b).\n\n',
      'A PDF is rendered on the first request and kept: the same request returns the same bytes. A process renders two at',
      'the same time; above that, the response is `503` with `Retry-After`. A video that is too long to be rendered is',
      'refused with `504`: leave out its transcript.',
      requiresPlanFor('pdf_export'),
    ].join(' '),
    access: 'read',
    params: JobParams,
    query: z.strictObject({
      paper: PaperSize.optional().meta({ description: 'Size of the pages. Default: `a4`.' }),
      transcript: queryBoolean.optional().meta({
        description: 'Whether the transcript is included. Default: `true`. Without it, the chapters are listed.',
      }),
      modes: z
        .string()
        .regex(new RegExp(`^${MODE}(?:,${MODE})*$`), {
          error: `Must be a list of summary modes, separated by commas: ${modes}.`,
        })
        .optional()
        .meta({ description: 'Only these of the summaries, separated by commas. Default: all that the result has.' }),
    }),
    status: 200,
    files: ['application/pdf'],
    notModified: true,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED', 'JOB_NOT_COMPLETED', ...JOB_ERRORS],
  }),
  batch: defineRoute({
    method: 'get',
    path: '/batch/export/{batch_id}',
    operationId: 'exportBatch',
    summary: 'Results of a batch as files',
    description: `Returns what the batch has completed so far as a ZIP archive with one document for each video. ${ABOUT_ARCHIVES}`,
    access: 'read',
    params: BatchParams,
    query: z.strictObject({ format }),
    status: 200,
    files: ARCHIVES,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'RATE_LIMITED'],
  }),
  library: defineRoute({
    method: 'get',
    path: '/library/export',
    operationId: 'exportLibrary',
    summary: 'Library as files',
    description: `Returns your library, the newest completed job of each of your videos, as a ZIP archive with one document for each video. ${ABOUT_ARCHIVES}`,
    access: 'read',
    query: z.strictObject({
      format,
      job_ids: z
        .string()
        .refine((ids) => ids.split(',').length <= MAX_EXPORTED_JOBS, {
          error: `Must have at most ${MAX_EXPORTED_JOBS} IDs.`,
        })
        .optional()
        .meta({
          description: `Only the completed ones of these jobs, at most ${MAX_EXPORTED_JOBS}, separated by commas, also those of which your library has a newer one.`,
        }),
      since: dateOrTime.optional().meta({
        description: 'Only jobs that were completed on or after this day (UTC), or at or after this time.',
      }),
      source_id: z.string().min(1).max(64).optional().meta({
        format: 'uuid',
        description: 'Only videos of this source, also if it does not list them any more.',
      }),
    }),
    status: 200,
    files: ARCHIVES,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'RATE_LIMITED'],
    example: { query: { format: 'obsidian', since: '2026-11-01' } },
  }),
}
