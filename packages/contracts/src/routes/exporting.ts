import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { queryBoolean } from '../query-values.ts'
import { SUMMARY_MODES } from '../vocabulary.ts'
import { JOB_ERRORS, JobParams } from './job.ts'

const PaperSize = z.enum(['a4', 'letter']).meta({ id: 'PaperSize' })

const MODE = `(?:${SUMMARY_MODES.join('|')})`
const modes = SUMMARY_MODES.map((mode) => `\`${mode}\``).join(', ')

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
}
