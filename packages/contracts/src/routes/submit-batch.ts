import { z } from 'zod'
import { noUpgrade, type Upgrade } from '../define-route.ts'
import type { ValidationIssue } from '../errors.ts'
import { Priority, SummaryMode } from '../vocabulary.ts'
import { BatchImport } from './import-captions.ts'
import { isObject, renameLegacyFields } from './legacy-fields.ts'
import { SourceSelection } from './source-selection.ts'
import {
  AttributionFields,
  CustomInstructions,
  SpendingLimit,
  VideoOptions,
  VideoUrl,
  WebhookUrl,
} from './submit-video.ts'

export const MAX_BATCH_VIDEOS = 100
/** Enough for a hundred videos with the longest texts allowed, or for imported captions. */
export const MAX_BATCH_BYTES = 20_000_000

/** Errors of a selection from a source. */
export const SELECTION_ERRORS = [
  'NOT_FOUND',
  'JOB_NOT_COMPLETED',
  'SOURCE_UNAVAILABLE',
  'NOTHING_SELECTED',
  'UPSTREAM_BLOCKED',
  'UPSTREAM_UNAVAILABLE',
] as const

const BatchVideo = z
  .strictObject({
    url: VideoUrl.optional(),
    options: VideoOptions.prefault({}),
    import: BatchImport.optional().meta({ description: 'Captions of your own, in place of `url`.' }),
  })
  .superRefine((video, { addIssue }) => {
    if (video.url !== undefined && video.import) {
      addIssue({ code: 'custom', path: ['import'], message: 'Must not be sent together with `url`.' })
    } else if (video.url === undefined && !video.import) {
      addIssue({ code: 'invalid_type', expected: 'string', path: ['url'], message: 'Is required, or `import`.' })
    }
  })
  .meta({ id: 'BatchVideo' })

const LegacyBatchJob = z
  .strictObject({
    video_url: VideoUrl,
    summary_mode: SummaryMode.default('tldr'),
    webhook_url: WebhookUrl.optional().meta({
      format: 'uri',
      description: 'Public http(s) URL that receives an event when this job ends.',
    }),
    custom_instructions: CustomInstructions,
  })
  .meta({ id: 'LegacyBatchJob', deprecated: true })

const BatchSource = SourceSelection.meta({
  description: `Videos of a source in place of \`videos\`: the first ${MAX_BATCH_VIDEOS} that fit.`,
})

const Fields = z.strictObject({
  source: BatchSource.optional(),
  options: VideoOptions.optional().meta({ description: 'With `source`: the options of all its videos.' }),
  custom_instructions: CustomInstructions,
  videos: z.array(BatchVideo).min(1).max(MAX_BATCH_VIDEOS).optional().meta({
    description:
      'Jobs are numbered in this order, and a video can occur more than once. The deprecated names of fields (`video_url`, `summary_mode`, `summary_type`) are accepted here as well.',
  }),
  jobs: z.array(LegacyBatchJob).min(1).max(MAX_BATCH_VIDEOS).optional().meta({
    deprecated: true,
    description:
      'Deprecated form of `videos`, accepted until v2.0. Send only one of them. Responses then carry a `Deprecation` header and a warning.',
  }),
  webhook_url: WebhookUrl.optional().meta({
    format: 'uri',
    description: 'Public http(s) URL that receives one event when all jobs have ended.',
  }),
  max_cost_usd: SpendingLimit.optional().meta({
    description:
      'What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.',
  }),
  priority: Priority.default('normal').meta({
    description: 'Accepted without effect: single jobs take precedence over those of batches.',
  }),
  digest: z.boolean().optional().meta({
    description: 'Makes a digest when the batch has ended. Its ID is in the status of the batch.',
  }),
  parallel_processing: z.boolean().optional().meta({ description: 'Accepted without effect.' }),
  ...AttributionFields,
})

export const SubmitBatch = Fields.superRefine((batch, { addIssue }) => {
  const { source, videos, jobs } = batch
  const refuse = (path: string, message: string): void => addIssue({ code: 'custom', path: [path], message })
  if (source) {
    for (const list of ['videos', 'jobs'] as const) {
      if (batch[list]) refuse(list, `Must not be sent together with \`source\`.`)
    }
    return
  }
  for (const field of OF_SOURCE) {
    if (batch[field] !== undefined)
      refuse(field, 'Must be sent with `source` only. Put it into each entry of `videos`.')
  }
  if (videos || jobs) return
  addIssue({
    code: 'invalid_type',
    expected: 'array',
    path: ['videos'],
    message: 'Is required. Send a list of 1 to 100 videos, or a `source`.',
  })
})
export type SubmitBatch = z.output<typeof SubmitBatch>

/** Fields that concern all videos of a source. */
const OF_SOURCE = ['options', 'custom_instructions'] as const

/** Describes the body of a batch in its current and its deprecated form, for the OpenAPI document. */
export const SubmitBatchRequest = z.xor([
  Fields.omit({ jobs: true, source: true, options: true, custom_instructions: true })
    .required({ videos: true })
    .meta({ id: 'SubmitBatch' }),
  Fields.omit({ jobs: true, videos: true }).required({ source: true }).meta({ id: 'SubmitSourceBatch' }),
  Fields.omit({ videos: true, source: true, options: true, custom_instructions: true })
    .required({ jobs: true })
    .meta({ id: 'LegacySubmitBatch', deprecated: true }),
])

/** Truncates a list that is too long. It is refused for its length, so the other entries need no validation. */
const cut = (list: unknown[]): unknown[] => list.slice(0, MAX_BATCH_VIDEOS + 1)

/** Renames deprecated fields within `videos`, and reports the deprecated list `jobs`, which cannot be combined with it. */
export const renameBatchFields: Upgrade = (input) => {
  if (!isObject(input)) return noUpgrade(input)
  const body = { ...input }
  const deprecated = new Set<string>()
  const issues: ValidationIssue[] = []
  const renamed = new Map<string, string>()

  if (Object.hasOwn(input, 'jobs')) {
    deprecated.add('jobs')
    if (Array.isArray(body.jobs)) body.jobs = cut(body.jobs)
    if (Object.hasOwn(input, 'videos')) {
      issues.push({
        path: 'jobs',
        code: 'conflicting_fields',
        message: '`jobs` is the deprecated form of `videos`. Send only `videos`.',
      })
    }
  }
  if (Array.isArray(body.videos)) {
    body.videos = cut(body.videos).map((video, index) => {
      const upgraded = renameLegacyFields(video)
      const inBatch = (path: string): string => `videos.${index}.${path}`
      for (const name of upgraded.deprecated) deprecated.add(`videos[].${name}`)
      for (const [now, sent] of upgraded.renamed) renamed.set(inBatch(now), inBatch(sent))
      issues.push(...upgraded.issues.map((issue) => ({ ...issue, path: inBatch(issue.path) })))
      return upgraded.body
    })
  }
  return { body, deprecated: [...deprecated], issues, renamed }
}
