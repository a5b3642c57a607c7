import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { languageTag } from '../language-tag.ts'
import { requiresPlanFor } from '../plans.ts'
import { text } from '../text.ts'
import { CaptionFormat, Priority } from '../vocabulary.ts'
import { SubmittedJob } from './job.ts'
import { AttributionFields, CustomInstructions, MAX_URL_LENGTH, VideoOptions, WebhookUrl } from './submit-video.ts'

/** Maximum size of captions in UTF-8 bytes, or of a file with them in bytes. */
export const MAX_CAPTIONS_BYTES = 10_000_000
/** Enough for the largest captions as JSON, in which line ends are escaped, and for all other fields. */
export const MAX_IMPORT_BYTES = 20_000_000

const MAX_TITLE = 500
const MAX_SPEAKERS = 100

/** Returns an address of the web without its fragment, which links replace, or null for anything else. */
function normalizeMediaUrl(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}

const MediaUrl = text(MAX_URL_LENGTH, 1)
  .transform((value, { addIssue }) => {
    const url = normalizeMediaUrl(value.trim())
    if (url !== null) return url
    addIssue({ code: 'custom', message: 'Must be an http(s) URL without user name and password.' })
    return z.NEVER
  })
  .meta({
    format: 'uri',
    description:
      'Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched.',
  })

const PublishedAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'Must be a date, such as `2026-03-05`, or a date-time with its offset (ISO 8601).',
  })
  .meta({
    description: 'When the recording was published: a date or a date-time (ISO 8601).',
  })

const ImportFields = {
  captions: z.string().meta({
    description:
      'The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues.',
  }),
  format: CaptionFormat.optional().meta({ description: 'Default: recognized from the content.' }),
  title: z
    .string()
    .trim()
    .pipe(text(MAX_TITLE, 1))
    .meta({ minLength: 1, maxLength: MAX_TITLE, description: 'What the recording is called.' }),
  language: languageTag.optional().meta({
    description: 'Language of the captions (BCP-47). Default: what the captions say, or else what is detected.',
  }),
  media_url: MediaUrl.optional(),
  channel_name: text(255).optional().meta({ description: 'Who published the recording.' }),
  published_at: PublishedAt.optional(),
  speakers: z.array(text(100, 1)).max(MAX_SPEAKERS).optional().meta({
    description: 'Names that are speakers where a cue begins with one of them and a colon.',
  }),
}

/** Captions within a batch. */
export const BatchImport = z
  .strictObject({ ...ImportFields, options: VideoOptions.optional() })
  .meta({ id: 'BatchImport' })
export type BatchImport = z.output<typeof BatchImport>

export const ImportCaptions = z
  .strictObject({
    ...ImportFields,
    options: VideoOptions.prefault({}),
    webhook_url: WebhookUrl.optional().meta({
      format: 'uri',
      description: `Public http(s) URL that receives an event when the job ends. ${requiresPlanFor('webhooks')}`,
    }),
    priority: Priority.default('normal').meta({
      description: `Jobs of priority \`high\` start first. ${requiresPlanFor('priority').replace('Requires', '`high` requires')}`,
    }),
    custom_instructions: CustomInstructions,
    ...AttributionFields,
  })
  .meta({ id: 'ImportCaptions' })
export type ImportCaptions = z.output<typeof ImportCaptions>

/** What is read from imported captions, in a request of its own or in a batch. */
export type ImportSource = Omit<BatchImport, 'options'>

export const imports = {
  importCaptions: defineRoute({
    method: 'post',
    path: '/videos/import',
    operationId: 'importCaptions',
    summary: 'Import captions',
    description: [
      'Accepts a job for captions of your own: of a recording that is not on the platform, a meeting or a podcast. It works',
      'like that of a video and counts as one. Captions that cannot be read are refused with `CAPTIONS_UNREADABLE`; nothing is',
      'accepted or counted then.\n\n',
      'As `multipart/form-data`, the captions are the part `file`, in any common encoding; the other fields are parts with the',
      'same names, `options` and `speakers` as JSON, and `title` defaults to the name of the file.\n\n',
      'The same captions with the same title are the same video of your account. Other accounts cannot find out that it exists.',
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: ImportCaptions,
    maxBodyBytes: MAX_IMPORT_BYTES,
    multipart: true,
    idempotent: true,
    response: SubmittedJob,
    status: 202,
    responseHeaders: ['Location'],
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'CAPTIONS_UNREADABLE', 'PLAN_UPGRADE_REQUIRED', 'QUOTA_EXCEEDED'],
    example: {
      body: {
        title: 'Budget meeting',
        captions: 'WEBVTT\n\n00:01.000 --> 00:03.500\n<v Ana Torres>Good morning. Can everyone see the slide?\n',
        media_url: 'https://media.example.com/budget.mp4',
      },
    },
  }),
}
