import { z } from 'zod'

/** The kinds of summary, in the order in which they are presented. */
export const SUMMARY_MODES = ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'] as const
export const SummaryMode = z.enum(SUMMARY_MODES).meta({ id: 'SummaryMode' })
export type SummaryMode = z.infer<typeof SummaryMode>

/** The model name of summaries that were written without a model: they consist of sentences of the transcript. */
export const EXTRACTIVE = 'extractive'

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const
export const JobStatus = z.enum(JOB_STATUSES).meta({ id: 'JobStatus' })
export type JobStatus = z.infer<typeof JobStatus>

/** What a job is doing at the moment, as its owner sees it. */
export const JOB_STEPS = [
  'queued',
  'fetching_video',
  'fetching_captions',
  'summarizing',
  'rendering_infographic',
  'completed',
  'failed',
] as const
export const JobStep = z.enum(JOB_STEPS).meta({ id: 'JobStep' })
export type JobStep = z.infer<typeof JobStep>

/** `partial_failure`: some jobs of the batch completed, others failed. */
export const BATCH_STATUSES = ['processing', 'completed', 'partial_failure', 'failed'] as const
export const BatchStatus = z.enum(BATCH_STATUSES).meta({ id: 'BatchStatus' })
export type BatchStatus = z.infer<typeof BatchStatus>

export const PRIORITIES = ['normal', 'high'] as const
export const Priority = z.enum(PRIORITIES).meta({ id: 'Priority' })
export type Priority = z.infer<typeof Priority>

/** Queues by priority; every worker reserves slots for `high`. */
export const LANES = ['high', 'normal'] as const
export type Lane = (typeof LANES)[number]

export const SCOPES = ['read', 'write', 'admin'] as const
export const Scope = z.enum(SCOPES).meta({ id: 'Scope' })
export type Scope = z.infer<typeof Scope>

/** `manual`: written by people; `auto`: made by the platform's speech recognition. */
export const TrackKind = z.enum(['manual', 'auto']).meta({ id: 'TrackKind' })
export type TrackKind = z.infer<typeof TrackKind>

/**
 * What a track was made for, if not for the video as it was filmed. `dub`: speech recognition of audio that a machine
 * translated; `forced`: a translation of the few lines in another language.
 */
export const TrackRole = z.enum(['dub', 'forced']).meta({ id: 'TrackRole' })
export type TrackRole = z.infer<typeof TrackRole>

/**
 * Which tracks come first: those written by people, those in the spoken language if no language was requested, or those made by
 * speech recognition.
 */
export const TrackPreference = z.enum(['manual', 'spoken_language', 'automatic']).meta({ id: 'TrackPreference' })
export type TrackPreference = z.infer<typeof TrackPreference>

/**
 * The rule by which a caption track was selected: the kind of the track, and what it matched. Rules are tried in this order.
 * `imported`: the captions were sent with the job.
 */
export const SelectionReason = z
  .enum([
    'manual_exact_language',
    'manual_language_variant',
    'auto_exact_language',
    'auto_language_variant',
    'manual_spoken_language',
    'manual_platform_default',
    'manual_english',
    'manual_first',
    'auto_spoken_language',
    'auto_platform_default',
    'auto_english',
    'auto_first',
    'imported',
  ])
  .meta({ id: 'SelectionReason' })
export type SelectionReason = z.infer<typeof SelectionReason>

interface EventKind {
  /** What the event is about: its deliveries name the job or the batch. */
  subject: 'job' | 'batch' | null
  /** The final statuses that it reports. Each webhook receives exactly one of the events with any, and no other event twice. */
  ends: readonly (JobStatus | BatchStatus)[]
}

/**
 * Every event by its name; `webhook.test` is sent on request, to try a receiver. To add an event, add it here, its schema and
 * texts to `WEBHOOK_EVENT_DEFINITIONS` and its example to `EVENT_EXAMPLES`, then run `npm run generate`.
 */
export const WEBHOOK_EVENTS = {
  'job.completed': { subject: 'job', ends: ['completed'] },
  'job.failed': { subject: 'job', ends: ['failed'] },
  'batch.completed': { subject: 'batch', ends: ['completed', 'partial_failure', 'failed'] },
  'digest.completed': { subject: 'batch', ends: [] },
  'subscription.video': { subject: null, ends: [] },
  'subscription.matched': { subject: null, ends: [] },
  'subscription.paused': { subject: null, ends: [] },
  'webhook.test': { subject: null, ends: [] },
} as const satisfies Record<string, EventKind>
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]
export const WebhookEventType = z.enum(WEBHOOK_EVENT_TYPES).meta({ id: 'WebhookEventType' })

/** `skipped`: not attempted, because the endpoint is disabled after days of failures. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const
export const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({ id: 'DeliveryStatus' })
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Pictures of one infographic: for posts, for links, and for stories. */
export const INFOGRAPHIC_LAYOUTS = ['card', 'wide', 'story'] as const
export type InfographicLayout = (typeof INFOGRAPHIC_LAYOUTS)[number]
export const INFOGRAPHIC_THEMES = ['light', 'dark'] as const
export type InfographicTheme = (typeof INFOGRAPHIC_THEMES)[number]
export const INFOGRAPHIC_FORMATS = ['png', 'svg'] as const
export type InfographicFormat = (typeof INFOGRAPHIC_FORMATS)[number]

/**
 * Content of an answer in a chat: sentences about the video, the statement that the video does not answer the question, or
 * passages of the transcript.
 */
export const ANSWER_KINDS = ['answer', 'not_in_video', 'passages'] as const
export const AnswerKind = z.enum(ANSWER_KINDS).meta({
  id: 'AnswerKind',
  description:
    '`answer`: sentences that the transcript supports. `not_in_video`: the video does not answer the question. `passages`: the passages of the transcript that fit best, because no language model is available.',
})
export type AnswerKind = z.infer<typeof AnswerKind>

/** `failed`: no answer could be written, which costs nothing. */
export const MESSAGE_STATUSES = ['pending', 'complete', 'failed'] as const
export const MessageStatus = z.enum(MESSAGE_STATUSES).meta({ id: 'MessageStatus' })
export type MessageStatus = z.infer<typeof MessageStatus>

/** Where the captions of a result are from: a video of the platform, a file that its account imported, or an episode of a podcast. */
export const RecordingKind = z.enum(['video', 'import', 'podcast']).meta({ id: 'RecordingKind' })
export type RecordingKind = z.infer<typeof RecordingKind>

/** The formats that can be named when captions are imported. */
export const CaptionFormat = z.enum(['srt', 'vtt', 'sbv', 'ttml', 'json', 'text']).meta({ id: 'CaptionFormat' })
export type CaptionFormat = z.infer<typeof CaptionFormat>

/** Why imported captions could not be read. */
export const CaptionsProblem = z.enum(['empty', 'no_times', 'unknown_format', 'encoding', 'too_long'])
export type CaptionsProblem = z.infer<typeof CaptionsProblem>
