import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { queryInteger } from '../query-values.ts'
import { INFOGRAPHIC_FORMATS, INFOGRAPHIC_LAYOUTS, INFOGRAPHIC_THEMES } from '../vocabulary.ts'
import { JOB_ERRORS, JobParams } from './job.ts'

/** Later than any link expires. */
const MAX_UNIX_SECONDS = 99_999_999_999

const InfographicFormat = z.enum(INFOGRAPHIC_FORMATS).meta({ id: 'InfographicFormat' })
const InfographicLayout = z.enum(INFOGRAPHIC_LAYOUTS).meta({ id: 'InfographicLayout' })
const InfographicTheme = z.enum(INFOGRAPHIC_THEMES).meta({ id: 'InfographicTheme' })

export const infographics = {
  show: defineRoute({
    method: 'get',
    path: '/videos/infographic/{job_id}',
    operationId: 'getInfographic',
    summary: 'Infographic of a job',
    description: [
      'Returns the infographic of a completed job that was submitted with `options.generate_infographic`. The first request for',
      'another layout, theme or format draws that picture, and it is kept. A process draws two at the same time; above that, the',
      'response is `503` with `Retry-After`.\n\n',
      '`infographic_url` of a result is a link to it that is signed: it works without a key for at least seven days, in every layout,',
      'theme and format.',
    ].join(' '),
    access: 'read',
    signed: true,
    params: JobParams,
    query: z.strictObject({
      format: InfographicFormat.optional().meta({ description: 'Default: `png`.' }),
      layout: InfographicLayout.optional().meta({
        description: '`card`: 1080 by 1350 pixels. `wide`: 1200 by 675. `story`: 1080 by 1920. Default: `card`.',
      }),
      theme: InfographicTheme.optional().meta({ description: 'Default: `light`.' }),
      download: z.literal('1').optional().meta({ description: 'Adds a file name, so that browsers save the picture.' }),
      expires: queryInteger(0, MAX_UNIX_SECONDS).optional().meta({ description: 'Part of a signed link.' }),
      signature: z.string().max(100).optional().meta({ description: 'Part of a signed link.' }),
    }),
    status: 200,
    files: ['image/png', 'image/svg+xml'],
    notModified: true,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'JOB_NOT_COMPLETED', ...JOB_ERRORS],
  }),
}
