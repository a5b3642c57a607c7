import { z } from 'zod'
import { type Upgrade, upgradeNothing } from '../define-route.ts'
import type { ValidationIssue } from '../errors.ts'
import { Priority, SummaryMode } from '../vocabulary.ts'
import { isObject, renameLegacyFields } from './legacy-fields.ts'
import { AttributionFields, CustomInstructions, VideoOptions, VideoUrl, WebhookUrl } from './submit-video.ts'

export const MAX_BATCH_VIDEOS = 100
/** Room for a hundred entries with all the text they may have, every character of it escaped. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024

const BatchVideo = z.strictObject({ url: VideoUrl, options: VideoOptions.prefault({}) })

const OlderBatchJob = z.strictObject({
  video_url: VideoUrl,
  summary_mode: SummaryMode.default('tldr'),
  webhook_url: WebhookUrl.optional().meta({
    format: 'uri',
    description: 'Public http(s) address that is told of the end of this job.',
  }),
  custom_instructions: CustomInstructions,
})

const Fields = z.strictObject({
  videos: z.array(BatchVideo).min(1).max(MAX_BATCH_VIDEOS).optional().meta({
    description:
      'In the order in which the jobs are numbered; the same video may be there more than once. Older names of the fields of a submission (`video_url`, `summary_mode`, `summary_type`) are understood here as well.',
  }),
  jobs: z.array(OlderBatchJob).min(1).max(MAX_BATCH_VIDEOS).optional().meta({
    deprecated: true,
    description:
      'Older form of `videos`, not to be sent beside it. Works until v2.0; the answer then carries a `Deprecation` header and a warning.',
  }),
  webhook_url: WebhookUrl.optional().meta({
    format: 'uri',
    description: 'Public http(s) address that is told once, when every job has ended.',
  }),
  priority: Priority.default('normal').meta({ description: 'Accepted, without effect: batches give way to others.' }),
  parallel_processing: z.boolean().optional().meta({ description: 'Accepted, without effect.' }),
  ...AttributionFields,
})

export const SubmitBatch = Fields.superRefine(({ videos, jobs }, { addIssue }) => {
  if (videos || jobs) return
  addIssue({ code: 'invalid_type', expected: 'array', path: ['videos'], message: 'Must be a list of videos.' })
}).meta({ allOf: [{ anyOf: [{ required: ['videos'] }, { required: ['jobs'] }] }] })
export type SubmitBatch = z.output<typeof SubmitBatch>

/** What is too long is refused for that; its entries need not be judged, or named in the answer, one by one. */
const cut = (list: unknown[]): unknown[] => list.slice(0, MAX_BATCH_VIDEOS + 1)

/** Older names within the entries of `videos`, and the older list `jobs`, which stays as it is and may not be sent beside. */
export const renameBatchFields: Upgrade = (input) => {
  if (!isObject(input)) return upgradeNothing(input)
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
        message: '`jobs` is the older form of `videos`; send one of them.',
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
