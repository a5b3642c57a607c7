import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { languageTag } from '../language-tag.ts'
import { MODE_RESTRICTIONS, requiresPlanFor } from '../plans.ts'
import { TemplateReferences } from '../template-refs.ts'
import { JOB_ERRORS, JobParams, SubmittedJob } from './job.ts'
import { AddedModes, CustomInstructions, SpendingLimit, WebhookUrl } from './submit-video.ts'

/** Maximum number of jobs derived, directly or not, from one job that used a video of the quota. */
export const MAX_DERIVED_JOBS = 20

export const DeriveJob = z
  .strictObject({
    summary_modes: AddedModes.optional().meta({
      description: `Summaries to be added. Default: those of the source, if instructions or a language are given, otherwise none. A source that has none needs at least one mode here. ${MODE_RESTRICTIONS}`,
    }),
    custom_instructions: CustomInstructions.unwrap()
      .nullish()
      .meta({
        minLength: 1,
        maxLength: CustomInstructions.meta()?.maxLength,
        description: `What the added summaries should focus on. Default: as in the source; \`null\`: nothing. ${requiresPlanFor('custom_instructions')}`,
      }),
    output_language: languageTag.nullish().meta({
      description:
        'Language of the added summaries (BCP-47). Default: as in the source; `null`: that of the transcript.',
    }),
    generate_infographic: z
      .boolean()
      .default(false)
      .meta({
        description: `Makes a picture of what the video says. ${requiresPlanFor('infographics')}`,
      }),
    max_cost_usd: SpendingLimit.optional().meta({
      description:
        'What the new job may cost, in US dollars; see `options.max_cost_usd`. The limit of the source does not apply.',
    }),
    templates: TemplateReferences.optional(),
    webhook_url: WebhookUrl.optional().meta({
      format: 'uri',
      description: `Public http(s) URL that receives an event when the job ends. ${requiresPlanFor('webhooks')}`,
    }),
  })
  .superRefine(
    ({ summary_modes, custom_instructions, output_language, generate_infographic, templates }, { addIssue }) => {
      const added = [summary_modes, custom_instructions, output_language, generate_infographic || undefined, templates]
      if (added.some((field) => field !== undefined)) return
      addIssue({
        code: 'custom',
        path: [],
        message:
          'The request adds nothing. Send `summary_modes`, `templates`, `custom_instructions`, `output_language` or `generate_infographic`.',
      })
    },
  )
  .meta({ id: 'DeriveJob' })
export type DeriveJob = z.output<typeof DeriveJob>

export const deriving = {
  derive: defineRoute({
    method: 'post',
    path: '/videos/derive/{job_id}',
    operationId: 'deriveJob',
    summary: 'Derive a job from a completed one',
    description: [
      'Accepts a new job that adds summaries to a completed one, its source. The new job uses the transcript of the source as',
      'it is: nothing is requested from the video platform, and no video of the quota is used. Its result contains the',
      'summaries of the source and the added ones; a summary in a mode that the source already has replaces that one.',
      'Summaries that were written for your account before cost nothing. The source does not change.\n\n',
      `Up to ${MAX_DERIVED_JOBS} jobs can be derived from a job, including those derived from the new jobs; jobs that failed without`,
      'cost do not count. Attribution fields are those of the source.',
    ].join(' '),
    access: 'write',
    params: JobParams,
    query: z.strictObject({}),
    body: DeriveJob,
    idempotent: true,
    response: SubmittedJob,
    status: 202,
    responseHeaders: ['Location'],
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'PLAN_UPGRADE_REQUIRED',
      'QUOTA_EXCEEDED',
      'JOB_NOT_COMPLETED',
      ...JOB_ERRORS,
    ],
    example: { body: { summary_modes: ['study_notes', 'timestamped'] } },
  }),
}
