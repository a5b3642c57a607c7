import { z } from 'zod'

/** What is done differently than requested, by the code of the warning that says so. */
export const WARNINGS = {
  LANGUAGE_NOT_AVAILABLE: 'There are no captions in the requested language. Those in another one were used.',
  NOT_IN_SPOKEN_LANGUAGE: 'The captions are a translation: their language is not the one spoken in the video.',
  DUBBED_CAPTIONS: 'The video has only captions of audio that was dubbed by a machine.',
  FORCED_CAPTIONS:
    'The video has only captions that translate lines in another language. They are not a full transcript.',
  TRACK_WITHOUT_SPEECH:
    'The captions that come first contain no speech, or the platform does not send them. Others of the video were used.',
  INFOGRAPHIC_UNAVAILABLE: 'The infographic could not be made, or infographics are switched off.',
  DEPRECATED_FIELD: 'The request has a field that will be removed.',
  TRANSCRIPT_TRUNCATED: 'The transcript was cut to `max_transcript_length`.',
  EXTRACTIVE_SUMMARY: 'Summaries consist of sentences of the transcript, because no language model wrote them.',
  COST_LIMIT_REACHED:
    'Something was left out, because its cost would not fit into a spending limit: `max_cost_usd`, the limit of the account or that of the installation.',
  SUMMARY_MODE_UNAVAILABLE: 'A requested summary could not be written, or a template not filled.',
  EXTRACTION_INVALID: 'What the lines carry does not make up what the schema of a template requires, so it is missing.',
  MODEL_REQUIRED:
    'No language model is available: a template is missing, or a digest groups its points by the terms that they share.',
  COMMENTS_UNAVAILABLE: 'The comments of the video are not available.',
  OUTPUT_LANGUAGE_NOT_AVAILABLE: 'Summaries are in the language of the transcript instead of `output_language`.',
  INJECTION_SUSPECTED:
    'The video contains what looks like instructions to a language model. They were treated as speech.',
  TRANSCRIPT_SAMPLED:
    'The transcript is too long to be read completely. Summaries are based on passages from all parts of it.',
  QUOTA_KEPT:
    'A cancelled job counts toward the quota, because a summary was finished or the language model had been used before.',
  MODEL_UNAVAILABLE: 'The language model is not available. The answer consists of passages of the transcript.',
  ANSWER_DECLINED: 'The language model declined to answer. The answer consists of passages of the transcript.',
  MENTIONS_CAPPED: 'More videos come into question than mentions are counted in. The newest were counted.',
  WATERMARK_NOT_FOUND: 'The source does not list the video `since_video_id`. All of its videos were returned.',
  CITED_VIDEO_DELETED: 'What this took from a video is gone, because its job was deleted.',
  ANSWER_INCOMPLETE: 'The language model stopped before its answer was complete.',
} as const satisfies Record<string, string>

export type WarningCode = keyof typeof WARNINGS
const CODES = Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]

/** Something that was done differently than requested. */
export const Warning = z
  .object({
    code: z.enum(CODES).meta({ id: 'WarningCode' }),
    message: z.string(),
    job_id: z.uuid().optional().meta({ description: 'The job that it concerns, in the results of a batch.' }),
  })
  .meta({ id: 'Warning' })
export type Warning = z.infer<typeof Warning>
