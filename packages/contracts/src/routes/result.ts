import { z } from 'zod'
import { SUMMARY_STRATEGIES } from '../media.ts'
import { RecordingKind, SelectionReason, SUMMARY_MODES, type SummaryMode, TrackKind, TrackRole } from '../vocabulary.ts'
import { Extractions } from './extractions.ts'

const AvailableTrack = z
  .object({
    language: z.string().meta({ description: 'BCP-47. Can be requested with `options.language`.' }),
    kind: TrackKind,
    name: z.string(),
    is_default: z
      .boolean()
      .meta({ description: 'Whether the platform shows this track unless the viewer chooses another.' }),
    role: TrackRole.optional().meta({
      description:
        '`dub`: captions of audio that was dubbed by a machine. `forced`: translations of only the lines in another language. Such tracks are used only if there are no others.',
    }),
  })
  .meta({ id: 'AvailableTrack' })

export const VideoInfo = z
  .object({
    video_id: z.string(),
    url: z.url(),
    title: z.string(),
    channel: z.object({ id: z.string(), name: z.string(), url: z.string() }),
    description: z.string(),
    published_at: z.string().nullable().meta({ description: 'ISO 8601, or null if the platform does not say.' }),
    duration_seconds: z.number(),
    thumbnail_url: z.string(),
    language: z.string().nullable().meta({ description: 'Spoken language (BCP-47), or null if unknown.' }),
    is_live_archive: z.boolean(),
    source: z
      .object({ kind: RecordingKind })
      .optional()
      .meta({ description: 'Where the captions are from: a video of the platform, or an import. Always present.' }),
    chapters: z.array(z.object({ title: z.string(), start: z.number().meta({ description: 'Seconds.' }) })),
    available_tracks: z.array(AvailableTrack).optional().meta({
      description:
        'All caption tracks of the video, in the order of the platform. Machine translations are not listed.',
    }),
  })
  .meta({ id: 'VideoInfo' })
export type VideoInfo = z.infer<typeof VideoInfo>

export const Segment = z
  .object({
    id: z.int().meta({ description: 'Position in the transcript, starting at 1. Citations refer to it.' }),
    start: z.number().meta({ description: 'Seconds.' }),
    duration: z.number().meta({ description: 'Seconds.' }),
    text: z.string(),
    speaker: z.string().optional().meta({ description: 'Who speaks, where the captions say it.' }),
  })
  .meta({ id: 'Segment' })
export type Segment = z.infer<typeof Segment>

export const CleaningReport = z
  .object({
    removed_duplicates: z.int().meta({ description: 'Lines that rolling or animated captions repeat.' }),
    removed_non_speech: z.int().meta({ description: 'Descriptions of sounds, such as `[Music]`.' }),
    characters_before: z.int().meta({ description: 'UTF-16 code units of all captions of the track before cleaning.' }),
    characters_after: z.int().meta({ description: 'UTF-16 code units after cleaning, before the transcript is cut.' }),
  })
  .meta({ id: 'CleaningReport', description: 'What was removed from the caption track to leave only what is said.' })
export type CleaningReport = z.infer<typeof CleaningReport>

export const VideoComment = z
  .object({
    author: z.string(),
    text: z.string(),
    like_count: z.string().meta({ description: 'As the platform shows it, such as `1.2K`. Empty for none.' }),
    published: z.string().meta({ description: 'As the platform shows it, such as `2 days ago`.' }),
    is_pinned: z.boolean(),
    is_by_channel: z.boolean().meta({ description: 'Whether the owner of the video wrote it.' }),
  })
  .meta({ id: 'VideoComment' })
export type VideoComment = z.infer<typeof VideoComment>

const transcriptFields = {
  language: z.string(),
  kind: TrackKind,
  name: z.string(),
  selection_reason: SelectionReason.meta({
    description:
      'Why this caption track was selected: its kind, and the rule it matched. `exact_language` and `language_variant` refer to `options.language`; `first` is the first track of the platform.',
  }),
  truncated: z.boolean(),
  cleaning: CleaningReport.optional(),
}

export const Citation = z
  .object({ segment_id: z.int(), start: z.number().meta({ description: 'Seconds.' }), url: z.string() })
  .meta({ id: 'Citation' })
export type Citation = z.infer<typeof Citation>

const Strategy = z.enum(SUMMARY_STRATEGIES).meta({
  id: 'SummaryStrategy',
  description:
    '`combined`: one model call for all modes. `per_mode`: one call per mode. `map_reduce`: notes on the parts of a long video, then one call per mode. `extractive`: without a language model.',
})

const qualityFields = {
  coverage: z
    .number()
    .nullable()
    .meta({ description: 'Share of the five-minute windows of the transcript that are cited, 0 to 1.' }),
  citation_precision: z.number().nullable().meta({
    description:
      'Share of the citations of the model that are shown, 0 to 1: they exist, are in order, and belong to a claim that passed the checks. A claim is checked against all lines that it cites together, so that one of several lines may say nothing of it. Null if there were no citations.',
  }),
  unsupported_claims: z.int().meta({
    description:
      'Number of claims and headings that were left out, because the segments they cite do not carry them: their words, numbers, units, dates, names, negations, opposites or shares (`all` for `some`) differ, two names have changed places, or what they quote is not there. In another language than the captions, only quotations, numbers, dates, names and negations are compared.',
  }),
  strategy: Strategy.nullable(),
}

const SummaryQuality = z.object(qualityFields).meta({ id: 'SummaryQuality' })

/** The quality of all summaries together. `coverage` is that of the summary with the highest one. */
export const ResultQuality = z
  .object({
    ...qualityFields,
    truncated: z.boolean().meta({
      description:
        'Whether the summaries are based on a part of the transcript only, because it was cut or only passages of it were read.',
    }),
    injection_suspected: z.boolean().meta({
      description:
        'Whether the video contains what looks like instructions to a language model. They were treated as speech.',
    }),
  })
  .meta({ id: 'ResultQuality' })
export type ResultQuality = z.infer<typeof ResultQuality>

const StructuredSummary = z
  .object({
    text: z.string(),
    citations: z.array(Citation),
    model: z.string(),
    quality: SummaryQuality,
  })
  .meta({ id: 'StructuredSummary' })

const byMode = <S extends z.ZodType>(summary: S) =>
  z.object(
    Object.fromEntries(SUMMARY_MODES.map((mode) => [mode, summary.optional()])) as Record<
      SummaryMode,
      z.ZodOptional<S>
    >,
  )

export const InputTokens = z.int().meta({ description: 'Fresh tokens, and those written to the cache.' })
export const CachedInputTokens = z.int().meta({
  description:
    'Tokens read from the cache of the model, as far as earlier calls of your account had written them there.',
})
export const CacheWriteTokens = z
  .int()
  .meta({ description: 'The part of the input tokens that was written to the cache.' })

const Tokens = z
  .object({
    fresh_input_tokens: z.int(),
    cache_write_tokens: z.int(),
    cached_input_tokens: CachedInputTokens,
    output_tokens: z.int(),
    cost_usd: z.number(),
  })
  .meta({ id: 'TokenReceipt' })
export type TokenReceipt = z.infer<typeof Tokens>

export const ResultUsage = z
  .object({
    input_tokens: InputTokens,
    output_tokens: z.int(),
    cached_input_tokens: CachedInputTokens,
    cache_write_tokens: CacheWriteTokens.optional(),
    total_tokens: z.int(),
    cost_usd: z.number(),
    model: z.string().meta({
      description:
        'The model that was paid, even if none of its answers could be used. Otherwise the author of the summaries (`extractive` if no model wrote them), or `none`.',
    }),
    cached: z.boolean().meta({
      description: 'Whether every summary was written for earlier jobs of your account, so that this job cost nothing.',
    }),
    by_mode: byMode(Tokens).optional().meta({
      description: 'Tokens and cost of each summary; zero for one that was written for an earlier job of your account.',
    }),
    overhead: Tokens.optional().meta({
      description:
        'Tokens and cost that belong to no single summary: notes on the parts of a long video, refused and unusable answers.',
    }),
  })
  .meta({ id: 'ResultUsage' })
export type ResultUsage = z.infer<typeof ResultUsage>

const resultFields = {
  job_id: z.uuid(),
  status: z.literal('completed').meta({ description: 'As in the status of the job and in `job.failed`.' }),
  video_info: VideoInfo,
  comments: z.array(VideoComment).optional().meta({
    description: 'Top comments, if `include_comments` is set and they are available.',
  }),
  extractions: Extractions.optional(),
  infographic_url: z.url().optional().meta({
    description:
      'Picture of the result, if `generate_infographic` is set and it could be made. The link works without a key for at least seven days; each result has a new one.',
  }),
  infographic_alt_text: z.string().optional().meta({ description: 'The content of the picture in words.' }),
  processing_time: z.number().meta({ description: 'Seconds from the start of processing to its end.' }),
  completed_at: z.iso.datetime(),
  usage: ResultUsage,
  quality: ResultQuality,
  service_name: z.string().optional(),
  agent_name: z.string().optional(),
  client_reference: z.string().optional(),
}

const MISSING_MODES =
  'By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing.'

/** The default format: every text in it is Markdown. */
export const DefaultResult = z
  .object({
    ...resultFields,
    format: z.literal('markdown'),
    transcript: z.object({ ...transcriptFields, text: z.string() }),
    summaries: byMode(z.string()).meta({
      description: `${MISSING_MODES} Each claim is followed by the time of the passage it is based on, as a link to the video.`,
    }),
  })
  .meta({ id: 'DefaultResult' })

/** `format=json`: timed segments and summaries with their citations. */
export const StructuredResult = z
  .object({
    ...resultFields,
    format: z.literal('json'),
    transcript: z.object({ ...transcriptFields, segments: z.array(Segment) }),
    summaries: byMode(StructuredSummary).meta({ description: MISSING_MODES }),
  })
  .meta({ id: 'StructuredResult' })

export const JobResult = z.union([DefaultResult, StructuredResult])
