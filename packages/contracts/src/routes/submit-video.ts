import { z } from 'zod'
import { requiresPlanFor } from '../plans.ts'
import { languageTag, text } from '../text.ts'
import { Priority, SummaryMode } from '../vocabulary.ts'

/** Largest transcript in UTF-8 bytes. */
export const MAX_TRANSCRIPT_LENGTH = 10_000_000
export const MAX_URL_LENGTH = 2048
const MAX_INSTRUCTIONS = 2000

export const VideoOptions = z.strictObject({
  max_transcript_length: z.int().min(1).max(MAX_TRANSCRIPT_LENGTH).default(MAX_TRANSCRIPT_LENGTH).meta({
    description:
      'Largest transcript in UTF-8 bytes; a longer one is cut between two cues, after the first at the earliest, and marked `truncated`.',
  }),
  include_comments: z.boolean().default(false).meta({ description: 'Adds the top comments, where there are any.' }),
  language: languageTag.optional().meta({ description: 'Preferred caption language (BCP-47).' }),
  summary_modes: z
    .array(SummaryMode)
    .min(1)
    .max(20)
    .default(['tldr'])
    .transform((modes) => [...new Set(modes)])
    .meta({ description: 'One summary each; a mode named twice counts once. `free` has `tldr` alone.' }),
  output_language: languageTag.optional().meta({
    description: 'Language of the summaries (BCP-47); without it, that of the transcript.',
  }),
  generate_infographic: z
    .boolean()
    .default(false)
    .meta({
      description: `Asks for an infographic. Infographics are not available yet: the job completes with the warning \`INFOGRAPHIC_DISABLED\`. ${requiresPlanFor('infographics')}`,
    }),
})
export type VideoOptions = z.output<typeof VideoOptions>

/** References of the caller, kept and given back. */
export const AttributionFields = {
  service_name: text(255).optional(),
  agent_name: text(255).optional(),
  client_reference: text(255).optional(),
}

export const VideoUrl = text(MAX_URL_LENGTH).meta({
  description: 'Address of a public video, in any of the forms the platform uses.',
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

export const SubmitVideo = z.strictObject({
  url: VideoUrl,
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
    description: 'true: only through proxies; false: never; null or absent: proxies when we are blocked.',
  }),
  force_refresh: z.boolean().default(false).meta({ description: 'Reads captions and writes summaries anew.' }),
  ...AttributionFields,
})
export type SubmitVideo = z.output<typeof SubmitVideo>
