import { z } from 'zod'
import { languageTag } from '../language-tag.ts'
import { MODE_RESTRICTIONS, requiresPlanFor } from '../plans.ts'
import { type PinnedTemplate, TemplateReferences } from '../template-refs.ts'
import { text } from '../text.ts'
import { Priority, SummaryMode, TrackPreference } from '../vocabulary.ts'

/** Maximum size of a transcript in UTF-8 bytes. */
export const MAX_TRANSCRIPT_LENGTH = 10_000_000
export const MAX_URL_LENGTH = 2048
const MAX_INSTRUCTIONS = 2000

const MAX_LIMIT_USD = 1_000_000
/** A spending limit. 0 is one as well. */
export const SpendingLimit = z.number().min(0).max(MAX_LIMIT_USD)

const MAX_SENT_MODES = 20
const listModes = (min: number) =>
  z
    .array(SummaryMode)
    .min(min)
    .max(MAX_SENT_MODES)
    .transform((modes) => [...new Set(modes)])

/** At least one summary mode, without duplicates. */
export const AddedModes = listModes(1)
/** Summary modes without duplicates. An empty list asks for the transcript alone. */
const SummaryModes = listModes(0)

export const VideoOptions = z
  .strictObject({
    max_transcript_length: z.int().min(1).max(MAX_TRANSCRIPT_LENGTH).default(MAX_TRANSCRIPT_LENGTH).meta({
      description:
        'Maximum size of the transcript in UTF-8 bytes. A longer one is cut between two captions, keeping at least the first, and marked as `truncated`.',
    }),
    include_comments: z.boolean().default(false).meta({ description: 'Adds the top comments, if there are any.' }),
    language: languageTag.optional().meta({ description: 'Preferred language of the captions (BCP-47).' }),
    // Optional instead of defaulted, since stored options may be older than it.
    track_preference: TrackPreference.optional().meta({
      default: 'manual',
      description:
        'Which captions come first. `manual`: those written by people, then automatic ones. `spoken_language`: if none in `language` were requested or found, those in the spoken language, then the others. `automatic`: automatic ones, then those written by people; with `language`, all in that language before others.',
    }),
    summary_modes: SummaryModes.prefault(['tldr']).meta({
      default: ['tldr'],
      description: `Each mode gives one summary; duplicates are ignored. \`[]\`: the transcript alone, which needs no language model, costs nothing and is included in every plan. ${MODE_RESTRICTIONS}`,
    }),
    output_language: languageTag.optional().meta({
      description: 'Language of the summaries and of filled templates (BCP-47). Default: that of the transcript.',
    }),
    max_cost_usd: SpendingLimit.optional().meta({
      description:
        'What the job may cost, in US dollars. Before a call of the model, its highest possible cost must fit. What does not fit is left out, with the warning `COST_LIMIT_REACHED`; the transcript is delivered in any case.',
    }),
    templates: TemplateReferences.optional(),
    generate_infographic: z
      .boolean()
      .default(false)
      .meta({
        description: `Makes a picture of what the video says, for sharing: \`infographic_url\` of the result. If it cannot be made, the job completes with the warning \`INFOGRAPHIC_UNAVAILABLE\`. ${requiresPlanFor('infographics')}`,
      }),
  })
  .superRefine(({ summary_modes, generate_infographic }, { addIssue }) => {
    if (summary_modes.length > 0 || !generate_infographic) return
    addIssue({
      code: 'custom',
      path: ['generate_infographic'],
      message: 'Must not be `true` without a summary, on which the picture is based. Add a mode to `summary_modes`.',
    })
  })
  .meta({ id: 'VideoOptions' })
export type VideoOptions = z.output<typeof VideoOptions>

/** The options of an accepted job. */
export interface JobOptions extends VideoOptions {
  /** The versions of `templates` to which the job is bound. */
  pinned_templates?: PinnedTemplate[]
}

/** The caller's references, which are stored and returned. */
export const AttributionFields = {
  service_name: text(255).optional(),
  agent_name: text(255).optional(),
  client_reference: text(255).optional(),
}

export const VideoUrl = z.string().meta({
  maxLength: MAX_URL_LENGTH,
  description: 'URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.',
})
export const WebhookUrl = text(MAX_URL_LENGTH, 1)
export const CustomInstructions = z
  .string()
  .trim()
  .pipe(text(MAX_INSTRUCTIONS, 1))
  .optional()
  .meta({
    description: `What the summaries should focus on. Only the mode decides their structure. ${requiresPlanFor('custom_instructions')}`,
    minLength: 1,
    maxLength: MAX_INSTRUCTIONS,
  })

/** Errors of a video that is named by its source. */
export const SOURCE_ERRORS = [
  'NOT_FOUND',
  'JOB_NOT_COMPLETED',
  'SOURCE_UNAVAILABLE',
  'TRANSCRIPT_UNAVAILABLE',
  'UPSTREAM_BLOCKED',
  'UPSTREAM_UNAVAILABLE',
] as const

/** A video of a source, in place of its URL. Episodes of podcasts have no other address. */
export const VideoOfSource = z
  .strictObject({
    source_id: z.string().min(1).max(64).meta({ format: 'uuid', description: 'From `POST /sources`.' }),
    video_id: z.string().min(1).max(64).meta({ description: 'From `GET /sources/{source_id}/videos`.' }),
  })
  .meta({ id: 'VideoOfSource', description: 'A video of a source: the only way to name an episode of a podcast.' })

/** The fields of a submission, whatever names the video. */
export const SubmitVideoFields = z.strictObject({
  url: VideoUrl.optional(),
  source: VideoOfSource.optional().meta({ description: 'A video of a source, in place of `url`.' }),
  options: VideoOptions.prefault({}),
  webhook_url: WebhookUrl.optional().meta({
    format: 'uri',
    description: `Public http(s) URL that receives an event when the job ends. ${requiresPlanFor('webhooks')}`,
  }),
  priority: Priority.default('normal').meta({
    description: `Jobs of priority \`high\` start first. ${requiresPlanFor('priority').replace('Requires', '`high` requires')}`,
  }),
  custom_instructions: CustomInstructions,
  use_proxy: z.boolean().nullish().meta({
    description:
      '`true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.',
  }),
  force_refresh: z
    .boolean()
    .default(false)
    .meta({ description: 'Fetches the captions again and rewrites the summaries, instead of reusing stored ones.' }),
  ...AttributionFields,
})

export const SubmitVideo = SubmitVideoFields.superRefine(({ url, source }, { addIssue }) => {
  if (url !== undefined && source) {
    addIssue({ code: 'custom', path: ['source'], message: 'Must not be sent together with `url`.' })
  } else if (url === undefined && !source) {
    addIssue({ code: 'invalid_type', expected: 'string', path: ['url'], message: 'Is required, or `source`.' })
  }
})
export type SubmitVideo = z.output<typeof SubmitVideo>
