// Generated from the OpenAPI document by `npm run generate`. Do not edit.
export interface Account {
  user: {
    id: string
    email: string
    /**
     * Empty if the person has not given one.
     */
    name: string
    created_at: string
    /**
     * Ways to sign in that have been set up. `magic_link` always works.
     */
    sign_in_ways: SignInWay[]
  }
  plan: Plan
  /**
   * Whether you are an operator of the service, to whom `/operations` is open.
   */
  operator: boolean
  /**
   * What the plan includes besides summary modes.
   */
  features: Feature[]
  /**
   * The summary modes that the plan includes.
   */
  summary_modes: SummaryMode[]
  quotas: {
    daily: QuotaStatus
    monthly: QuotaStatus
  }
  /**
   * IANA name. Digests are sent at 07:00 there.
   */
  time_zone: string
  /**
   * What the language model may cost in a UTC month, in US dollars. Null if you have set no limit.
   */
  monthly_limit_usd: number | null
  session: {
    id: string
    /**
     * Whether an operator sees your account for support in this session.
     */
    support: boolean
    /**
     * Moves forward while the session is used.
     */
    expires_at: string
    /**
     * Until then, keys can be created, the webhook secret rotated and the account deleted without another sign-in. May be in the past.
     */
    recent_until: string
  }
}

export interface AccountDeletion {
  /**
   * The email address of the account.
   */
  confirm: string
}

export interface AccountKey {
  id: string
  /**
   * Null for keys that an operator created.
   */
  name: string | null
  /**
   * The first characters of the key, by which you can recognize it.
   */
  prefix: string
  /**
   * The last characters of the key.
   */
  last_four: string
  scopes: Scope[]
  status: KeyStatus
  created_at: string
  /**
   * Null if it does not expire.
   */
  expires_at: string | null
  /**
   * To the minute. Null if it has not been used.
   */
  last_used_at: string | null
}

export interface AccountKeyList {
  keys: AccountKey[]
}

export interface AccountSession {
  id: string
  /**
   * Whether it is the session of this request.
   */
  current: boolean
  /**
   * Whether an operator of the service sees your account in it, for support.
   */
  support: boolean
  created_at: string
  expires_at: string
  /**
   * The address from which the person signed in.
   */
  ip_address: string | null
  /**
   * The browser, as it described itself.
   */
  user_agent: string | null
}

export interface AccountSessionList {
  sessions: AccountSession[]
}

export interface AccountSuspension {
  /**
   * Why. It is recorded, and the owner finds it in the export of the account.
   */
  reason?: string
}

export interface AccountUpdate {
  name?: string
  /**
   * When digests are sent: at 07:00 in this time zone.
   */
  time_zone?: string
  /**
   * What the language model may cost in a UTC month, in US dollars. `null`: no limit.
   */
  monthly_limit_usd?: number | null
}

/**
 * `answer`: sentences that the transcript supports. `not_in_video`: the video does not answer the question. `passages`: the passages of the transcript that fit best, because no language model is available.
 */
export type AnswerKind = 'answer' | 'not_in_video' | 'passages'

export interface AnsweredDeliveryAttempt {
  /**
   * Number of the attempt. Redeliveries continue the count.
   */
  attempt: number
  started_at: string
  duration_ms: number
  /**
   * The receiver's HTTP status; null if it did not respond.
   */
  status_code: number | null
  /**
   * Why there was no response: `dns`, `refused`, `unreachable`, `tls`, `reset`, `timeout`, `invalid_response`, `address_refused`, or `connection` for anything else.
   */
  error: string | null
  /**
   * The first 2,000 bytes of the receiver's response as text, as far as they arrived with its status; null if there was no response. The receiver chooses what it contains: escape it.
   */
  response_body: string | null
}

export interface AskForSource {
  /**
   * Address of a playlist or of a channel in any of the forms that the platform uses, with or without a tab, or only the ID (`PL...`, `UC...`) or the `@handle`; or the http(s) URL of the feed of a podcast.
   */
  url: string
  /**
   * Lists it anew even if it was listed a moment ago.
   */
  refresh?: boolean
}

export interface AskLibrary {
  /**
   * The question, in any language.
   */
  message: string
  /**
   * The conversation that the question continues. Default: a new one.
   */
  conversation_id?: string
  /**
   * Sends the answer as Server-Sent Events while it is written.
   */
  stream?: boolean
  /**
   * Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one.
   */
  regenerate?: boolean
  /**
   * Required in the first message of a conversation, which keeps it.
   */
  scope?: LibraryScope
}

export interface AskQuestion {
  /**
   * The question, in any language.
   */
  message: string
  /**
   * The conversation that the question continues. Default: a new one.
   */
  conversation_id?: string
  /**
   * Sends the answer as Server-Sent Events while it is written.
   */
  stream?: boolean
  /**
   * Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one.
   */
  regenerate?: boolean
}

export interface AssistantMessage {
  message_id: string
  role: 'assistant'
  /**
   * Plain text.
   */
  content: string
  created_at: string
}

export interface AvailableTrack {
  /**
   * BCP-47. Can be requested with `options.language`.
   */
  language: string
  kind: TrackKind
  name: string
  /**
   * Whether the platform shows this track unless the viewer chooses another.
   */
  is_default: boolean
  /**
   * `dub`: captions of audio that was dubbed by a machine. `forced`: translations of only the lines in another language. Such tracks are used only if there are no others.
   */
  role?: TrackRole
}

export interface Batch {
  batch_id: string
  status: BatchStatus
  progress_percentage: number
  summary_stats: BatchStats
  created_at: string
  /**
   * When its first job started.
   */
  started_at?: string
  /**
   * When its last job ended.
   */
  completed_at?: string
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface BatchCompletedEvent {
  id: string
  event: 'batch.completed'
  created_at: string
  api_version: 'v1'
  data: {
    batch_id: string
    status: FinishedBatchStatus
    summary_stats: BatchStats
    jobs: {
      /**
       * Position in the request, starting at 0.
       */
      index: number
      job_id: string
      video_id: string
      video_url: string
      /**
       * Title of the video. Absent until the platform has named it.
       */
      video_title?: string
      status: FinishedJobStatus
      progress_percentage: number
      error?: JobError
    }[]
  }
}

export interface BatchEstimate {
  /**
   * Whether the same request would be accepted now.
   */
  would_accept: boolean
  /**
   * Why it would be refused; all reasons at once.
   */
  violations: EstimateViolation[]
  quota: EstimateQuota
  /**
   * Values that apply to every video.
   */
  cached: EstimateCache
  cost_usd: CostRange
  tokens: EstimateTokens
  /**
   * Expected time to completion.
   */
  seconds: number
  /**
   * The least certain basis of all videos.
   */
  basis: EstimateBasis
  /**
   * A summary that several videos of the batch share is charged to the first one.
   */
  videos: BatchVideoEstimate[]
}

export interface BatchImport {
  /**
   * The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues.
   */
  captions: string
  /**
   * Default: recognized from the content.
   */
  format?: CaptionFormat
  /**
   * What the recording is called.
   */
  title: string
  /**
   * Language of the captions (BCP-47). Default: what the captions say, or else what is detected.
   */
  language?: string
  /**
   * Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched.
   */
  media_url?: string
  /**
   * Who published the recording.
   */
  channel_name?: string
  /**
   * When the recording was published: a date or a date-time (ISO 8601).
   */
  published_at?: string
  /**
   * Names that are speakers where a cue begins with one of them and a colon.
   *
   * @maxItems 100
   */
  speakers?: string[]
  options?: VideoOptions
}

export interface BatchJob {
  /**
   * Position in the request, starting at 0.
   */
  index: number
  job_id: string
  video_id: string
  video_url: string
  /**
   * Title of the video. Absent until the platform has named it.
   */
  video_title?: string
  status: JobStatus
  progress_percentage: number
  error?: JobError
}

export interface BatchList {
  batches: Batch[]
  pagination: Pagination
}

export interface BatchProcessing {
  /**
   * When the first job started; null if none has.
   */
  started_at: string | null
  /**
   * When the last job ended; null until then.
   */
  completed_at: string | null
  /**
   * Seconds between the two; null until the last job has ended.
   */
  total_processing_time: number | null
}

export interface BatchReceipt {
  batch_id: string
  status: BatchStatus
  /**
   * Whether everything has ended. Until then, lines can be added.
   */
  is_final: boolean
  /**
   * In chronological order.
   */
  lines: ReceiptLine[]
  total: ReceiptTotal
  /**
   * Videos that count toward the quota: those reserved less those returned.
   */
  quota_effect: number
}

export interface BatchResults {
  batch_id: string
  status: BatchStatus
  summary_stats: BatchStats
  processing: BatchProcessing
  /**
   * Filled only with `include_failed=true`.
   */
  failed_jobs: FailedBatchJob[]
  /**
   * Results of the completed jobs by `index`, each as returned by `GET /videos/result/{job_id}`.
   */
  successful_jobs: (DefaultResult | StructuredResult)[]
}

export interface BatchStats {
  /**
   * All jobs of the batch.
   */
  total: number
  /**
   * Waiting.
   */
  queued: number
  /**
   * In progress.
   */
  processing: number
  /**
   * Completed.
   */
  successful: number
  /**
   * Failed or cancelled.
   */
  failed: number
}

export type BatchStatus = 'processing' | 'completed' | 'partial_failure' | 'failed'

export interface BatchTableRequest {
  /**
   * Its properties are the columns.
   */
  template?: string
  /**
   * Each is a column. The answers are sentences that the lines of the video carry.
   *
   * @minItems 1
   * @maxItems 10
   */
  questions?: string[]
}

export interface BatchVideo {
  /**
   * URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
   */
  url?: string
  options?: VideoOptions
  /**
   * Captions of your own, in place of `url`.
   */
  import?: BatchImport
}

export interface BatchVideoEstimate {
  /**
   * Position in the request, starting at 0.
   */
  index: number
  video_id: string
  cached: EstimateCache
  cost_usd: CostRange
  basis: EstimateBasis
}

export interface BatchWithJobs {
  batch_id: string
  status: BatchStatus
  progress_percentage: number
  summary_stats: BatchStats
  created_at: string
  /**
   * When its first job started.
   */
  started_at?: string
  /**
   * When its last job ended.
   */
  completed_at?: string
  service_name?: string
  agent_name?: string
  client_reference?: string
  jobs: BatchJob[]
  /**
   * The latest digest of the batch.
   */
  digest_id?: string
}

export type CaptionFormat = 'srt' | 'vtt' | 'sbv' | 'ttml' | 'json' | 'text'

export type CaptionsProblem = 'empty' | 'no_times' | 'unknown_format' | 'encoding' | 'too_long'

export interface ChatAnswer {
  conversation_id: string
  message: AssistantMessage
  answer_kind: AnswerKind
  /**
   * In the order of `content`.
   */
  citations: ChatCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model: string
  usage: ChatUsage
}

export interface ChatCitation {
  /**
   * Position of the segment in the transcript, starting at 1.
   */
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  /**
   * The moment of the video.
   */
  url: string
  /**
   * The words of the segment or, where `content` quotes a whole passage, those of the passage, which begins with the segment.
   */
  text: string
  /**
   * Where the citation belongs: the end of the sentence or passage that it supports, in UTF-16 code units from the beginning of `content`.
   */
  position: number
}

export interface ChatDelta {
  /**
   * Append it to the text so far.
   */
  text: string
}

export type ChatMessage = UserMessage | StoredAssistantMessage

export interface ChatUsage {
  /**
   * Fresh tokens, and those written to the cache.
   */
  input_tokens: number
  output_tokens: number
  /**
   * Tokens read from the cache of the model, as far as earlier calls of your account had written them there.
   */
  cached_input_tokens: number
  /**
   * The part of the input tokens that was written to the cache.
   */
  cache_write_tokens: number
  total_tokens: number
  cost_usd: number
  /**
   * As in the answer.
   */
  model: string
}

export interface Citation {
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  url: string
}

export interface CitationStreamEvent {
  event: 'citation'
  id: string
  data: ChatCitation
}

/**
 * What was removed from the caption track to leave only what is said.
 */
export interface CleaningReport {
  /**
   * Lines that rolling or animated captions repeat.
   */
  removed_duplicates: number
  /**
   * Descriptions of sounds, such as `[Music]`.
   */
  removed_non_speech: number
  /**
   * UTF-16 code units of all captions of the track before cleaning.
   */
  characters_before: number
  /**
   * UTF-16 code units after cleaning, before the transcript is cut.
   */
  characters_after: number
}

export interface CompletedChatAnswer {
  conversation_id: string
  message: AssistantMessage
  answer_kind: AnswerKind
  /**
   * In the order of `content`.
   */
  citations: ChatCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model: string
  usage: ChatUsage
  warnings?: Warning[]
}

export interface CompletedJob {
  job_id: string
  status: JobStatus
  progress_percentage: number
  current_step: JobStep
  /**
   * Estimate in seconds, based on recent jobs.
   */
  estimated_time_remaining: number
  video_id: string
  video_url: string
  /**
   * Title of the video. Absent until the platform has named it.
   */
  video_title?: string
  priority: Priority
  batch_id?: string
  /**
   * ID of the completed job from which this one is derived. It may have been deleted since.
   */
  derived_from?: string
  /**
   * The summaries that were requested. Those of a derived job are added to those of its source.
   */
  summary_modes: SummaryMode[]
  /**
   * `true` if an infographic was requested; otherwise absent.
   */
  generate_infographic?: boolean
  /**
   * The templates that were requested, if any.
   */
  templates?: string[]
  /**
   * The language of the captions, if one was requested.
   */
  language?: string
  /**
   * The language of the summaries, if one was requested.
   */
  output_language?: string
  custom_instructions?: string
  created_at: string
  updated_at: string
  started_at?: string
  /**
   * When a paused job is attempted again: after a temporary error, or when the video platform may be asked again.
   */
  next_attempt_at?: string
  completed_at?: string
  error?: JobError
  service_name?: string
  agent_name?: string
  client_reference?: string
  result_url: string
  warnings?: Warning[]
}

export interface CompletedLibraryAnswer {
  conversation_id: string
  message: AssistantMessage
  answer_kind: AnswerKind
  /**
   * In the order of `content`. A sentence that says something of two videos cites both.
   */
  citations: LibraryCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model: string
  usage: ChatUsage
  warnings?: Warning[]
}

export interface CompletedStreamEvent {
  event: 'completed'
  id: string
  data: CompletedJob
}

export interface ConnectedApp {
  id: string
  /**
   * The name that the application has given itself.
   */
  name: string
  /**
   * The URL of its metadata document, or the ID that it was given.
   */
  client_id: string
  /**
   * Where the person was sent with the code: a host, a program on their computer, or an application.
   */
  place: string
  scopes: Scope[]
  connected_at: string
  /**
   * To the minute. Null if it has not been used.
   */
  last_used_at: string | null
}

export interface ConnectedAppList {
  apps: ConnectedApp[]
}

export interface Conversation {
  conversation_id: string
  /**
   * The beginning of the first question.
   */
  title: string
  /**
   * Questions and answers, at most 100.
   */
  message_count: number
  created_at: string
  /**
   * When the last question was asked or answered.
   */
  updated_at: string
}

export interface ConversationList {
  conversations: Conversation[]
  pagination: Pagination
}

export interface ConversationReceipt {
  job_id: string
  conversation_id: string
  /**
   * In chronological order.
   */
  lines: ReceiptLine[]
  total: ReceiptTotal
  /**
   * Videos that count toward the quota: those reserved less those returned.
   */
  quota_effect: number
}

export interface ConversationWithMessages {
  conversation_id: string
  /**
   * The beginning of the first question.
   */
  title: string
  /**
   * Questions and answers, at most 100.
   */
  message_count: number
  created_at: string
  /**
   * When the last question was asked or answered.
   */
  updated_at: string
  /**
   * Each question with its answer, oldest first.
   */
  messages: ChatMessage[]
}

/**
 * US dollars, with 6 decimals.
 */
export interface CostRange {
  /**
   * The cost is rarely lower.
   */
  low: number
  /**
   * The most probable cost.
   */
  expected: number
  /**
   * The cost is rarely higher.
   */
  high: number
}

export interface CreateDigest {
  /**
   * What the digest should emphasize.
   */
  instructions?: string
  /**
   * Language of headings and questions (BCP-47). Points stay as their summaries have them.
   */
  output_language?: string
}

export interface CreateTemplate {
  name: string
  /**
   * What the template is for.
   */
  description?: string
  /**
   * What to look for. The schema alone decides what comes out.
   */
  instructions?: string
  schema: FormSchema
}

export interface CreatedDigest {
  digest_id: string
  batch_id: string
  status: DigestStatus
  created_at: string
}

export interface CreatedFeed {
  feed_id: string
  name?: string
  subscription_id?: string
  source_id?: string
  all?: true
  created_at: string
  /**
   * JSON Feed 1.1. Shown only in this response.
   */
  url_json: string
  /**
   * Atom. Shown only in this response.
   */
  url_atom: string
}

export interface CreatedKey {
  id: string
  /**
   * Null for keys that an operator created.
   */
  name: string | null
  /**
   * The first characters of the key, by which you can recognize it.
   */
  prefix: string
  /**
   * The last characters of the key.
   */
  last_four: string
  scopes: Scope[]
  status: KeyStatus
  created_at: string
  /**
   * Null if it does not expire.
   */
  expires_at: string | null
  /**
   * To the minute. Null if it has not been used.
   */
  last_used_at: string | null
  /**
   * `sk_` and 64 hexadecimal digits. It is shown only in this response.
   */
  key: string
}

export interface CurrentUsage {
  /**
   * Sums over the whole account in the current calendar month (UTC).
   */
  current_period: UsagePeriod
  rate_limits: {
    /**
     * The current window of this key or person, including this request.
     */
    requests_per_hour: RateLimitStatus
  }
  plan: Plan
  quotas: {
    daily: QuotaStatus
    monthly: QuotaStatus
  }
  spending: {
    month: SpendingStatus
  }
}

export interface CursorPagination {
  limit: number
  has_more: boolean
  /**
   * `cursor` of the next page; null on the last one.
   */
  next_cursor: string | null
}

export interface DefaultResult {
  job_id: string
  /**
   * As in the status of the job and in `job.failed`.
   */
  status: 'completed'
  video_info: VideoInfo
  /**
   * Top comments, if `include_comments` is set and they are available.
   */
  comments?: VideoComment[]
  /**
   * By name of the template, if `options.templates` are set. One that could not be filled is missing, with a warning: `MODEL_REQUIRED`, `EXTRACTION_INVALID` or `SUMMARY_MODE_UNAVAILABLE`.
   */
  extractions?: {
    [k: string]: ExtractionResult
  }
  /**
   * Picture of the result, if `generate_infographic` is set and it could be made. The link works without a key for at least seven days; each result has a new one.
   */
  infographic_url?: string
  /**
   * The content of the picture in words.
   */
  infographic_alt_text?: string
  /**
   * Seconds from the start of processing to its end.
   */
  processing_time: number
  completed_at: string
  usage: ResultUsage
  quality: ResultQuality
  service_name?: string
  agent_name?: string
  client_reference?: string
  format: 'markdown'
  transcript: {
    language: string
    kind: TrackKind
    name: string
    /**
     * Why this caption track was selected: its kind, and the rule it matched. `exact_language` and `language_variant` refer to `options.language`; `first` is the first track of the platform.
     */
    selection_reason: SelectionReason
    truncated: boolean
    cleaning?: CleaningReport
    text: string
  }
  /**
   * By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing. Each claim is followed by the time of the passage it is based on, as a link to the video.
   */
  summaries: {
    tldr?: string
    detailed?: string
    study_notes?: string
    timestamped?: string
    key_insights?: string
  }
}

export interface DeletedAccount {
  deleted: true
}

export interface DeletedConversation {
  conversation_id: string
  deleted: true
}

export interface DeletedOperatedAccount {
  deleted: true
}

export interface DeliveryAttempt {
  /**
   * Number of the attempt. Redeliveries continue the count.
   */
  attempt: number
  started_at: string
  duration_ms: number
  /**
   * The receiver's HTTP status; null if it did not respond.
   */
  status_code: number | null
  /**
   * Why there was no response: `dns`, `refused`, `unreachable`, `tls`, `reset`, `timeout`, `invalid_response`, `address_refused`, or `connection` for anything else.
   */
  error: string | null
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped'

export interface DeltaStreamEvent {
  event: 'delta'
  id: string
  data: ChatDelta
}

export interface DeriveJob {
  /**
   * Summaries to be added. Default: those of the source, if instructions or a language are given, otherwise none. A source that has none needs at least one mode here. The Free plan includes only `tldr`.
   *
   * @minItems 1
   * @maxItems 20
   */
  summary_modes?: SummaryMode[]
  /**
   * What the added summaries should focus on. Default: as in the source; `null`: nothing. Requires the Pro plan.
   */
  custom_instructions?: string | null
  /**
   * Language of the added summaries (BCP-47). Default: as in the source; `null`: that of the transcript.
   */
  output_language?: string | null
  /**
   * Makes a picture of what the video says. Requires the Pro plan.
   */
  generate_infographic?: boolean
  /**
   * What the new job may cost, in US dollars; see `options.max_cost_usd`. The limit of the source does not apply.
   */
  max_cost_usd?: number
  /**
   * Forms to be filled from the transcript, with evidence for every value: `name` for the latest version of a template, or `name@2`. The result has them in `extractions`. Built in: `quotes`, `chapters`, `action_items`, `flashcards` (Requires the Plus plan.) Those of your account: Requires the Pro plan.
   *
   * @minItems 1
   * @maxItems 5
   */
  templates?: string[]
  /**
   * Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
   */
  webhook_url?: string
}

/**
 * Its lists are empty until it is completed.
 */
export interface Digest {
  digest_id: string
  batch_id: string
  status: DigestStatus
  error?: JobError
  themes: DigestTheme[]
  disagreements: DigestDisagreement[]
  /**
   * Every video of the batch, in its order.
   */
  videos: DigestVideo[]
  coverage: DigestCoverage
  created_at: string
  completed_at?: string
  warnings?: Warning[]
}

export interface DigestCitation {
  job_id: string
  /**
   * Position of the segment in the transcript, starting at 1.
   */
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  /**
   * The moment of the video.
   */
  url: string
}

export interface DigestCompletedEvent {
  id: string
  event: 'digest.completed'
  created_at: string
  api_version: 'v1'
  data: {
    digest_id: string
    batch_id: string
  }
}

export interface DigestCoverage {
  videos: number
  /**
   * Videos that could not be processed.
   */
  failed: number
  /**
   * Points of all summaries.
   */
  points: number
  /**
   * Points that the digest has.
   */
  points_used: number
}

export interface DigestDisagreement {
  question: string
  /**
   * Of at least two videos.
   */
  positions: DigestPoint[]
}

export type DigestFormat = 'json' | 'markdown' | 'html' | 'pdf'

export interface DigestPoint {
  /**
   * A point of a summary of the video, as it is stored.
   */
  text: string
  citations: DigestCitation[]
}

export type DigestStatus = 'queued' | 'processing' | 'completed' | 'failed'

export interface DigestTheme {
  title: string
  points: DigestPoint[]
}

export interface DigestVideo {
  job_id: string
  video_id: string
  video_url: string
  video_title: string
  status: JobStatus
  /**
   * A point of its summary.
   */
  one_line?: string
}

export interface DisconnectedApp {
  disconnected: true
}

export type DocumentFormat = 'markdown' | 'text' | 'html' | 'csv' | 'srt' | 'vtt' | 'obsidian' | 'chunks'

export interface DoneStreamEvent {
  event: 'done'
  id: string
  data: CompletedChatAnswer
}

export interface EndedSession {
  ended: true
}

export interface EndpointUsage {
  /**
   * Method and path, such as `GET /videos/status/{job_id}`.
   */
  endpoint: string
  /**
   * Requests with a valid key or session.
   */
  total_requests: number
  /**
   * Requests with a response status below 400.
   */
  successful_requests: number
  /**
   * All other requests.
   */
  failed_requests: number
}

export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_JSON'
  | 'INVALID_VIDEO_URL'
  | 'UNAUTHORIZED'
  | 'PLAN_UPGRADE_REQUIRED'
  | 'INSUFFICIENT_SCOPE'
  | 'FORBIDDEN_ORIGIN'
  | 'SESSION_REQUIRED'
  | 'REAUTHENTICATION_REQUIRED'
  | 'HTTPS_REQUIRED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'JOB_NOT_COMPLETED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'KEY_LIMIT_REACHED'
  | 'TEMPLATE_LIMIT_REACHED'
  | 'KEY_ALREADY_CREATED'
  | 'SUBSCRIPTION_LIMIT_REACHED'
  | 'SOURCE_IN_USE'
  | 'CONVERSATION_BUSY'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'TRANSCRIPT_UNAVAILABLE'
  | 'VIDEO_UNAVAILABLE'
  | 'AGE_RESTRICTED'
  | 'LIVE_NOT_ENDED'
  | 'GEO_BLOCKED'
  | 'VIDEO_NOT_ACCESSIBLE'
  | 'SOURCE_UNAVAILABLE'
  | 'NOTHING_SELECTED'
  | 'CAPTIONS_UNREADABLE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'JOB_CANCELLED'
  | 'RATE_LIMITED'
  | 'QUOTA_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'UPSTREAM_BLOCKED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'SUMMARY_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE'
  | 'PROCESSING_TIMEOUT'

export interface ErrorStreamEvent {
  event: 'error'
  id: string
  data: JobError
}

/**
 * What the costs are derived from. `transcript`: the stored captions. `duration`: the length of the video. `typical`: videos of usual length, because nothing is known about this one.
 */
export type EstimateBasis = 'transcript' | 'duration' | 'typical'

export interface EstimateCache {
  /**
   * Whether stored captions would be used.
   */
  transcript: boolean
  /**
   * Requested summaries that were written for earlier jobs of your account, and that would cost nothing.
   */
  modes: SummaryMode[]
}

export interface EstimateQuota {
  /**
   * Videos that the request would take from the quota.
   */
  uses: number
  /**
   * Before the request. Null if there is no limit.
   */
  daily_remaining: number | null
  /**
   * Before the request. Null if there is no limit.
   */
  monthly_remaining: number | null
}

/**
 * As expected.
 */
export interface EstimateTokens {
  /**
   * Including those read from the cache.
   */
  input: number
  output: number
}

export interface EstimateViolation {
  code: EstimateViolationCode
  message: string
  /**
   * For `PLAN_UPGRADE_REQUIRED`: the missing feature.
   */
  feature?: string
  /**
   * Field of the request that uses the feature.
   */
  field?: string
  /**
   * The lowest plan with the feature.
   */
  required_plan?: Plan
  quota?: EstimatedQuota
  /**
   * US dollars for `spend`.
   */
  limit?: number
  used?: number
  /**
   * When the quota or the request limit is reset.
   */
  reset_at?: string
}

/**
 * The error code with which the request would be refused.
 */
export type EstimateViolationCode = 'PLAN_UPGRADE_REQUIRED' | 'QUOTA_EXCEEDED' | 'RATE_LIMITED'

export type EstimatedQuota = 'daily' | 'monthly' | 'spend'

/**
 * `daily`, `monthly`: videos of your plan. `derive`: jobs derived from one job. `chat`: questions of a UTC day. `sources`: listings of an hour. `spend`: US dollars of a month or day.
 */
export type ExceededQuota = 'daily' | 'monthly' | 'derive' | 'chat' | 'sources' | 'spend'

export interface ExtractionEvidence {
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  url: string
  /**
   * Word for word from the segment.
   */
  quote: string
}

export interface ExtractionResult {
  template: string
  version: number
  schema: FormSchema
  /**
   * Always fits `schema`.
   */
  data: {
    [k: string]: unknown
  }
  /**
   * The lines that carry each value of `data`, by its JSON pointer (RFC 6901).
   */
  evidence: {
    [k: string]: ExtractionEvidence[]
  }
  /**
   * JSON pointers of what the model claimed and its lines do not carry. A value is null then, or left out; an element that was removed is named by the pointer of its list.
   */
  unsupported: string[]
  model: string
}

export interface FailedBatchJob {
  /**
   * Position in the request, starting at 0.
   */
  index: number
  job_id: string
  video_id: string
  video_url: string
  error: JobError
}

export interface FailedStreamEvent {
  event: 'failed'
  id: string
  data: Job
}

export interface FailingEndpoint {
  account_id: string
  email: string
  /**
   * Without its query.
   */
  url: string
  /**
   * Every attempt since then has failed.
   */
  failing_since: string
  /**
   * Number of different events among the failures.
   */
  failed_events: number
  /**
   * When deliveries to it stopped. Null if they are still attempted.
   */
  disabled_at: string | null
}

export type Feature =
  | 'api_keys'
  | 'priority'
  | 'webhooks'
  | 'custom_instructions'
  | 'batches'
  | 'infographics'
  | 'pdf_export'
  | 'chat'
  | 'built_in_templates'
  | 'templates'
  | 'subscriptions'

/**
 * What it is about: a subscription, a source, or all videos of the account.
 */
export interface Feed {
  feed_id: string
  name?: string
  subscription_id?: string
  source_id?: string
  all?: true
  created_at: string
}

export interface FeedList {
  feeds: Feed[]
}

export type FinishedBatchStatus = 'completed' | 'partial_failure' | 'failed'

export type FinishedJobStatus = 'completed' | 'failed'

export interface FinishedSummary {
  job_id: string
  mode: SummaryMode
  /**
   * Markdown, as in the result.
   */
  text: string
  model: string
}

/**
 * A part of JSON Schema: `type` (one, or one and `null`), `properties`, `required`, `items`, `enum`, `title`, `description`, `additionalProperties`, `format: date`.
 */
export interface FormSchema {
  type: FormType | FormType[]
  title?: string
  description?: string
  properties?: {
    [k: string]: FormSchema
  }
  required?: string[]
  additionalProperties?: boolean
  items?: FormSchema
  /**
   * @minItems 1
   */
  enum?: (string | number | boolean | null)[]
  format?: 'date'
}

export type FormType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

export type GrantableScope = 'read' | 'write'

export type Granularity = 'hourly' | 'daily' | 'weekly' | 'monthly'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ImportCaptions {
  /**
   * The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues.
   */
  captions: string
  /**
   * Default: recognized from the content.
   */
  format?: CaptionFormat
  /**
   * What the recording is called.
   */
  title: string
  /**
   * Language of the captions (BCP-47). Default: what the captions say, or else what is detected.
   */
  language?: string
  /**
   * Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched.
   */
  media_url?: string
  /**
   * Who published the recording.
   */
  channel_name?: string
  /**
   * When the recording was published: a date or a date-time (ISO 8601).
   */
  published_at?: string
  /**
   * Names that are speakers where a cue begins with one of them and a colon.
   *
   * @maxItems 100
   */
  speakers?: string[]
  options?: VideoOptions
  /**
   * Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
   */
  webhook_url?: string
  /**
   * Jobs of priority `high` start first. `high` requires the Pro plan.
   */
  priority?: Priority
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export type InfographicFormat = 'png' | 'svg'

export type InfographicLayout = 'card' | 'wide' | 'story'

export type InfographicTheme = 'light' | 'dark'

export interface Job {
  job_id: string
  status: JobStatus
  progress_percentage: number
  current_step: JobStep
  /**
   * Estimate in seconds, based on recent jobs.
   */
  estimated_time_remaining: number
  video_id: string
  video_url: string
  /**
   * Title of the video. Absent until the platform has named it.
   */
  video_title?: string
  priority: Priority
  batch_id?: string
  /**
   * ID of the completed job from which this one is derived. It may have been deleted since.
   */
  derived_from?: string
  /**
   * The summaries that were requested. Those of a derived job are added to those of its source.
   */
  summary_modes: SummaryMode[]
  /**
   * `true` if an infographic was requested; otherwise absent.
   */
  generate_infographic?: boolean
  /**
   * The templates that were requested, if any.
   */
  templates?: string[]
  /**
   * The language of the captions, if one was requested.
   */
  language?: string
  /**
   * The language of the summaries, if one was requested.
   */
  output_language?: string
  custom_instructions?: string
  created_at: string
  updated_at: string
  started_at?: string
  /**
   * When a paused job is attempted again: after a temporary error, or when the video platform may be asked again.
   */
  next_attempt_at?: string
  completed_at?: string
  error?: JobError
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface JobCompletedEvent {
  id: string
  event: 'job.completed'
  created_at: string
  api_version: 'v1'
  data: StructuredResult
}

export interface JobError {
  code: ErrorCode
  message: string
  details?: {
    [k: string]: unknown
  }
  retryable: boolean
}

export interface JobFailedEvent {
  id: string
  event: 'job.failed'
  created_at: string
  api_version: 'v1'
  data: {
    job_id: string
    video_id: string
    video_url: string
    status: 'failed'
    error: {
      code: ErrorCode
      message: string
      details?: {
        [k: string]: unknown
      }
      retryable: boolean
    }
    service_name?: string
    agent_name?: string
    client_reference?: string
  }
}

export interface JobList {
  jobs: Job[]
  pagination: Pagination
}

/**
 * Answers in chats about the job have receipts of their own.
 */
export interface JobReceipt {
  job_id: string
  /**
   * Absent if you have deleted the job.
   */
  video_id?: string
  batch_id?: string
  /**
   * ID of the completed job from which this one is derived. It may have been deleted since.
   */
  derived_from?: string
  client_reference?: string
  status: JobStatus
  /**
   * Whether everything has ended. Until then, lines can be added.
   */
  is_final: boolean
  ended_at?: string
  /**
   * In chronological order.
   */
  lines: ReceiptLine[]
  total: ReceiptTotal
  /**
   * Videos that count toward the quota: those reserved less those returned.
   */
  quota_effect: number
}

export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed'

export type JobStep =
  'queued' | 'fetching_video' | 'fetching_captions' | 'summarizing' | 'rendering_infographic' | 'completed' | 'failed'

export type KeyStatus = 'active' | 'disabled' | 'expired' | 'revoked'

export interface KeyUpdate {
  name?: string
  /**
   * A disabled key is refused everywhere within a second, and can be enabled again.
   */
  disabled?: boolean
}

export interface KeyUsage {
  /**
   * Null for requests with a session, such as those of the dashboard.
   */
  key_id: string | null
  /**
   * Null for keys that an operator created, and for sessions.
   */
  name: string | null
  /**
   * The last characters of the key; null for sessions.
   */
  last_four: string | null
  /**
   * All requests with this key.
   */
  total_requests: number
  /**
   * Requests with a response status of 400 or more.
   */
  failed_requests: number
  /**
   * Jobs that completed.
   */
  videos_processed: number
  /**
   * Tokens of jobs and answers.
   */
  total_tokens: number
  /**
   * US dollars, with 6 decimals: the cost of jobs and answers.
   */
  total_cost: number
}

export type Lane = 'high' | 'normal'

export interface LaneDemand {
  lane: Lane
  /**
   * Jobs that wait for a worker. Numbers above 10,000 are estimates.
   */
  waiting: number
  running: number
  /**
   * Age of the oldest waiting job; 0 if none is waiting. Jobs held back for others of their account do not count.
   */
  oldest_waiting_seconds: number
}

/**
 * @deprecated
 */
export interface LegacyBatchJob {
  /**
   * URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
   */
  video_url: string
  summary_mode?: SummaryMode
  /**
   * Public http(s) URL that receives an event when this job ends.
   */
  webhook_url?: string
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
}

/**
 * @deprecated
 */
export interface LegacySubmitBatch {
  /**
   * @deprecated
   * Deprecated form of `videos`, accepted until v2.0. Send only one of them. Responses then carry a `Deprecation` header and a warning.
   *
   * @minItems 1
   * @maxItems 100
   */
  jobs: LegacyBatchJob[]
  /**
   * Public http(s) URL that receives one event when all jobs have ended.
   */
  webhook_url?: string
  /**
   * What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.
   */
  max_cost_usd?: number
  /**
   * Accepted without effect: single jobs take precedence over those of batches.
   */
  priority?: Priority
  /**
   * Makes a digest when the batch has ended. Its ID is in the status of the batch.
   */
  digest?: boolean
  /**
   * Accepted without effect.
   */
  parallel_processing?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
}

/**
 * @deprecated
 */
export interface LegacySubmitVideo {
  /**
   * URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
   */
  url?: string
  options?: VideoOptions
  /**
   * Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
   */
  webhook_url?: string
  /**
   * Jobs of priority `high` start first. `high` requires the Pro plan.
   */
  priority?: Priority
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
  /**
   * `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
   */
  use_proxy?: boolean | null
  /**
   * Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
   */
  force_refresh?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
  /**
   * @deprecated
   * Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning.
   */
  summary_mode?: SummaryMode
  /**
   * @deprecated
   * Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning.
   */
  summary_type?: SummaryMode
  /**
   * @deprecated
   * Deprecated name of `url`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning.
   */
  video_url: string
}

export interface LibraryAnswer {
  conversation_id: string
  message: AssistantMessage
  answer_kind: AnswerKind
  /**
   * In the order of `content`. A sentence that says something of two videos cites both.
   */
  citations: LibraryCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model: string
  usage: ChatUsage
}

export type LibraryChatMessage = UserMessage | StoredLibraryAnswer

export interface LibraryCitation {
  /**
   * Position of the segment in the transcript, starting at 1.
   */
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  /**
   * The moment of the video.
   */
  url: string
  /**
   * The words of the segment or, where `content` quotes a whole passage, those of the passage, which begins with the segment.
   */
  text: string
  /**
   * Where the citation belongs: the end of the sentence or passage that it supports, in UTF-16 code units from the beginning of `content`.
   */
  position: number
  job_id: string
  video_id: string
  video_title: string
}

export interface LibraryCitationStreamEvent {
  event: 'citation'
  id: string
  data: LibraryCitation
}

export interface LibraryConversation {
  conversation_id: string
  /**
   * The beginning of the first question.
   */
  title: string
  /**
   * Questions and answers, at most 100.
   */
  message_count: number
  created_at: string
  /**
   * When the last question was asked or answered.
   */
  updated_at: string
  scope: LibraryScope
}

export interface LibraryConversationList {
  conversations: LibraryConversation[]
  pagination: Pagination
}

export interface LibraryConversationWithMessages {
  conversation_id: string
  /**
   * The beginning of the first question.
   */
  title: string
  /**
   * Questions and answers, at most 100.
   */
  message_count: number
  created_at: string
  /**
   * When the last question was asked or answered.
   */
  updated_at: string
  scope: LibraryScope
  /**
   * Each question with its answer, oldest first.
   */
  messages: LibraryChatMessage[]
}

export interface LibraryDeltaStreamEvent {
  event: 'delta'
  id: string
  data: ChatDelta
}

export interface LibraryDoneStreamEvent {
  event: 'done'
  id: string
  data: CompletedLibraryAnswer
}

export interface LibraryErrorStreamEvent {
  event: 'error'
  id: string
  data: JobError
}

export interface LibraryHit {
  /**
   * The newest completed job of the video.
   */
  job_id: string
  video_id: string
  video_url: string
  video_title: string
  channel: {
    id: string
    name: string
    url: string
  }
  published_at?: string
  /**
   * Those that fit best, the best first.
   *
   * @minItems 1
   * @maxItems 3
   */
  passages: LibraryPassage[]
}

export interface LibraryMoment {
  job_id: string
  /**
   * Seconds.
   */
  start: number
  /**
   * The moment of the video.
   */
  url: string
}

export interface LibraryPassage {
  /**
   * Seconds.
   */
  start: number
  /**
   * Seconds.
   */
  end: number
  /**
   * The moment of the video.
   */
  url: string
  /**
   * Consecutive segments. None is in two passages.
   */
  segment_ids: number[]
  /**
   * The segments, joined by one blank.
   */
  text: string
  /**
   * What matches, from the first of its UTF-16 code units in `text` to the one after the last: whole words as they are said, in their order.
   */
  highlights: never[][]
}

/**
 * The completed videos of a batch, of some jobs, of a source, or all of your library. Jobs that are not completed are left out.
 */
export type LibraryScope =
  | {
      batch_id: string
    }
  | {
      /**
       * @minItems 1
       * @maxItems 500
       */
      job_ids: string[]
    }
  | {
      source_id: string
    }
  | {
      all: true
    }

export type LibrarySearchKind = 'words' | 'question'

export interface LibrarySearchResult {
  /**
   * The videos that fit best, the best first.
   */
  hits: LibraryHit[]
  searched: LibrarySearched
  pagination: CursorPagination
}

export interface LibrarySearched {
  /**
   * Number of videos to which the filters apply.
   */
  videos: number
}

export interface LibraryTableRequest {
  /**
   * Completed jobs, each once. They are the rows.
   *
   * @minItems 1
   * @maxItems 20
   */
  job_ids: string[]
  /**
   * Its properties are the columns.
   */
  template?: string
  /**
   * Each is a column. The answers are sentences that the lines of the video carry.
   *
   * @minItems 1
   * @maxItems 10
   */
  questions?: string[]
}

export type LiveNotEndedReason = 'upcoming' | 'live' | 'offline'

export interface MentionCounts {
  total: number
  /**
   * Months in their order; channels and videos by mentions.
   */
  groups: MentionGroup[]
}

export interface MentionGroup {
  /**
   * The month (UTC), such as `2026-11`; the ID of the channel or, if it has none, its name; the `video_id`.
   */
  key: string
  mentions: number
  /**
   * Number of videos with a mention.
   */
  videos: number
  /**
   * The first mention in the first of the videos by time.
   */
  first: LibraryMoment
  /**
   * The last mention in the last of the videos by time.
   */
  last: LibraryMoment
}

export type MentionGrouping = 'month' | 'channel' | 'video'

export type MessageStatus = 'pending' | 'complete' | 'failed'

export interface Meta {
  request_id: string
  timestamp: string
  version: 'v1'
  warnings?: Warning[]
}

export interface ModeUsage {
  mode: SummaryMode
  /**
   * Summaries of the jobs that completed in the range, including reused ones.
   */
  summaries: number
  /**
   * Tokens of the summaries that were written for these jobs.
   */
  total_tokens: number
  /**
   * US dollars, with 6 decimals: the cost of these summaries.
   */
  total_cost: number
}

export interface ModelSpending {
  model: string
  /**
   * US dollars, to 6 decimals.
   */
  cost_usd: number
  input_tokens: number
  output_tokens: number
  cached_input_tokens: number
}

export interface NewFeed {
  subscription_id?: string
  source_id?: string
  all?: true
  name?: string
}

export interface NewKey {
  /**
   * What the key is for.
   */
  name: string
  /**
   * What the key may do. `read` and `write` do not imply each other.
   *
   * @minItems 1
   */
  scopes?: GrantableScope[]
  /**
   * When the key stops working. Without it, the key does not expire.
   */
  expires_at?: string
}

export interface NewSubscription {
  /**
   * From `POST /sources`.
   */
  source_id?: string
  /**
   * Instead of `source_id`: what `POST /sources` takes.
   */
  url?: string
  action: SubscriptionAction
  /**
   * As in `POST /videos/process`.
   */
  options?: VideoOptions
  priority?: Priority
  filter?: SubscriptionFilter
  match?: SubscriptionMatch
  /**
   * How many of the newest videos that exist already are treated as new.
   */
  catch_up?: number
  /**
   * Maximum number of videos per UTC day. Others wait until the next one.
   */
  max_per_day?: number
  deliver?: SubscriptionDelivery
}

export interface OperatedAccount {
  id: string
  email: string
  name: string
  plan: Plan
  operator: boolean
  email_verified: boolean
  /**
   * Null unless the account is suspended.
   */
  suspended_at: string | null
  created_at: string
  /**
   * Jobs that still exist.
   */
  jobs_accepted: number
  jobs_failed: number
  /**
   * Keys that are not revoked, newest first; at most 25.
   */
  keys: AccountKey[]
}

export interface OperatedAccountDeletion {
  /**
   * The email address of the account.
   */
  confirm: string
}

export interface OperatedAccountDetails {
  id: string
  email: string
  name: string
  plan: Plan
  operator: boolean
  email_verified: boolean
  /**
   * Null unless the account is suspended.
   */
  suspended_at: string | null
  created_at: string
  /**
   * Jobs that still exist.
   */
  jobs_accepted: number
  jobs_failed: number
  /**
   * Keys that are not revoked, newest first; at most 25.
   */
  keys: AccountKey[]
  /**
   * The reason for the suspension, if one was given.
   */
  suspended_for: string | null
  quotas: {
    daily: QuotaStatus
    monthly: QuotaStatus
  }
  own_quotas: OwnQuotas
  /**
   * Jobs that wait or run. At most 10,000 are counted.
   */
  jobs_unfinished: number
  /**
   * Browsers in which someone is signed in.
   */
  sessions: number
  connected_apps: number
}

export interface OperatedAccountList {
  accounts: OperatedAccount[]
  pagination: Pagination
}

export interface OperatedAccountUpdate {
  plan?: Plan
  quotas?: {
    /**
     * Videos per UTC day. Null: as the plan says. Without the field, it stays as it is.
     */
    daily?: number | null
    /**
     * Videos per calendar month. Null: as the plan says. Without the field, it stays as it is.
     */
    monthly?: number | null
  }
}

export interface Operations {
  lanes: LaneDemand[]
  webhooks: {
    /**
     * Deliveries whose next attempt is due. At most 10,000 of a kind are counted.
     */
    due: number
    /**
     * Deliveries that wait for the time of their next attempt.
     */
    scheduled: number
    in_progress: number
    /**
     * For how long the oldest delivery has been due that a further process could make; 0 if there is none.
     */
    oldest_due_seconds: number
    /**
     * The latest 100 to fail, latest failure first.
     *
     * @maxItems 100
     */
    failing_endpoints: FailingEndpoint[]
  }
  spending: {
    /**
     * The receipts of all accounts in the last 30 UTC days, newest first. A summary that several accounts requested is in the receipt of each, but was paid for once.
     *
     * @minItems 30
     * @maxItems 30
     */
    days: {
      date: string
      videos: number
      tokens: number
      /**
       * US dollars, to 6 decimals.
       */
      cost_usd: number
    }[]
    /**
     * What was spent in the last 60 minutes, by model, largest cost first.
     */
    models_last_hour: ModelSpending[]
  }
  accounts: {
    total: number
    by_plan: {
      free: number
      plus: number
      pro: number
    }
  }
  keys: {
    active: number
    disabled: number
    expired: number
    revoked: number
  }
}

export interface OperatorAction {
  id: string
  action: OperatorActionName
  /**
   * The account of the operator. Null for a command.
   */
  operator_id: string | null
  /**
   * Null for a command, and if that account was deleted.
   */
  operator_email: string | null
  /**
   * User and machine, if it was an admin command.
   */
  command_by: string | null
  /**
   * The account that it was done to. Null if there was none.
   */
  account_id: string | null
  /**
   * Null if that account was deleted.
   */
  account_email: string | null
  /**
   * What changed, and why.
   */
  details: {
    [k: string]: unknown
  }
  created_at: string
}

export interface OperatorActionList {
  actions: OperatorAction[]
  pagination: Pagination
}

export type OperatorActionName =
  | 'create_first_owner'
  | 'create_owner_link'
  | 'create_support_link'
  | 'change_account'
  | 'suspend_account'
  | 'restore_account'
  | 'delete_account'
  | 'set_operator'
  | 'invite'
  | 'create_key'
  | 'change_key'
  | 'rotate_webhook_secret'

/**
 * Quotas that an operator has given the account. Null: as its plan says.
 */
export interface OwnQuotas {
  daily: number | null
  monthly: number | null
}

export interface Pagination {
  /**
   * Exact number of entries in the whole list.
   */
  total: number
  limit: number
  /**
   * Entries before this page; with a cursor, those read so far.
   */
  offset: number
  has_more: boolean
  /**
   * `offset` of the next page; null on the last one.
   */
  next_offset: number | null
  /**
   * `cursor` of the next page; null on the last one.
   */
  next_cursor: string | null
}

export type PaperSize = 'a4' | 'letter'

export type Plan = 'free' | 'plus' | 'pro'

export type Priority = 'normal' | 'high'

export interface ProgressStreamEvent {
  event: 'progress'
  id: string
  data: Job
}

export type QueryBoolean = 'true' | 'false'

export interface QuotaStatus {
  /**
   * Videos per period. Null if there is no limit.
   */
  limit: number | null
  /**
   * Videos accepted in the period and not returned to the quota. What is accepted without a limit, as for admin keys, does not count.
   */
  used: number
  /**
   * Null if there is no limit.
   */
  remaining: number | null
  /**
   * When the next period begins.
   */
  reset_at: string
}

export interface RateLimitStatus {
  limit: number
  used: number
  remaining: number
  /**
   * When the next period begins.
   */
  reset_at: string
}

export type ReceiptAction =
  | 'reserve'
  | 'release'
  | 'summary'
  | 'notes'
  | 'infographic'
  | 'extraction'
  | 'attempt'
  | 'chat'
  | 'digest'
  | 'fetch'
  | 'total'

export type ReceiptFormat = 'json' | 'csv' | 'ndjson'

export type ReceiptKind = 'quota' | 'model' | 'platform'

export interface ReceiptLine {
  at: string
  kind: ReceiptKind
  action: ReceiptAction
  /**
   * Absent if the line belongs to no single summary.
   */
  mode?: SummaryMode
  /**
   * Present in lines of the kind `model`, except for the sum of a deleted job.
   */
  model?: string
  /**
   * In `unit`. Negative for a video returned to the quota, 0 for work that cost nothing.
   */
  quantity: number
  unit: ReceiptUnit
  /**
   * US dollars, with 6 decimals.
   */
  cost_usd: number
  /**
   * What the line would have cost if nothing had been reused.
   */
  saved_usd?: number
  reason: ReceiptReason
  /**
   * The reason as a sentence.
   */
  message: string
  /**
   * In the receipt of a batch: the job that the line belongs to.
   */
  job_id?: string
  /**
   * In the receipt of a batch: the digest that the line belongs to.
   */
  digest_id?: string
  /**
   * In the receipt of a conversation: the answer.
   */
  message_id?: string
}

export interface ReceiptList {
  receipts: UsageReceipt[]
  pagination: CursorPagination
}

export type ReceiptOutcome = 'completed' | 'failed'

export type ReceiptReason =
  | 'accepted'
  | 'unlimited'
  | 'derived'
  | 'job_failed'
  | 'job_cancelled'
  | 'summary_delivered'
  | 'model_paid'
  | 'written'
  | 'extractive'
  | 'reused'
  | 'source'
  | 'long_video'
  | 'drawn'
  | 'extracted'
  | 'refused'
  | 'unusable'
  | 'interrupted'
  | 'answered'
  | 'passages'
  | 'digested'
  | 'requested'
  | 'available'
  | 'deleted'
  | 'source_transcript'

export type ReceiptSubject = 'job' | 'chat_message' | 'digest'

/**
 * Sums over the lines.
 */
export interface ReceiptTotal {
  cost_usd: number
  tokens: number
}

export type ReceiptUnit = 'video' | 'token' | 'request'

export type RecordingKind = 'video' | 'import' | 'podcast'

export interface ReplaceTemplate {
  /**
   * What the template is for.
   */
  description?: string
  /**
   * What to look for. The schema alone decides what comes out.
   */
  instructions?: string
  schema: FormSchema
}

export type RequestedFormat =
  'json' | 'markdown' | 'text' | 'html' | 'csv' | 'srt' | 'vtt' | 'obsidian' | 'chunks' | 'anki'

export interface ResultQuality {
  /**
   * Share of the five-minute windows of the transcript that are cited, 0 to 1.
   */
  coverage: number | null
  /**
   * Share of the citations of the model that are shown, 0 to 1: they exist, are in order, and belong to a claim that passed the checks. A claim is checked against all lines that it cites together, so that one of several lines may say nothing of it. Null if there were no citations.
   */
  citation_precision: number | null
  /**
   * Number of claims and headings that were left out, because the segments they cite do not carry them: their words, numbers, units, dates, names, negations, opposites or shares (`all` for `some`) differ, two names have changed places, or what they quote is not there. In another language than the captions, only quotations, numbers, dates, names and negations are compared.
   */
  unsupported_claims: number
  strategy: SummaryStrategy | null
  /**
   * Whether the summaries are based on a part of the transcript only, because it was cut or only passages of it were read.
   */
  truncated: boolean
  /**
   * Whether the video contains what looks like instructions to a language model. They were treated as speech.
   */
  injection_suspected: boolean
}

export interface ResultUsage {
  /**
   * Fresh tokens, and those written to the cache.
   */
  input_tokens: number
  output_tokens: number
  /**
   * Tokens read from the cache of the model, as far as earlier calls of your account had written them there.
   */
  cached_input_tokens: number
  /**
   * The part of the input tokens that was written to the cache.
   */
  cache_write_tokens?: number
  total_tokens: number
  cost_usd: number
  /**
   * The model that was paid, even if none of its answers could be used. Otherwise the author of the summaries (`extractive` if no model wrote them), or `none`.
   */
  model: string
  /**
   * Whether every summary was written for earlier jobs of your account, so that this job cost nothing.
   */
  cached: boolean
  /**
   * Tokens and cost of each summary; zero for one that was written for an earlier job of your account.
   */
  by_mode?: {
    tldr?: TokenReceipt
    detailed?: TokenReceipt
    study_notes?: TokenReceipt
    timestamped?: TokenReceipt
    key_insights?: TokenReceipt
  }
  /**
   * Tokens and cost that belong to no single summary: notes on the parts of a long video, refused and unusable answers.
   */
  overhead?: TokenReceipt
}

export interface RotatedWebhookSecret {
  /**
   * `whsec_` and 32 bytes in base64. It is shown only in this response.
   */
  secret: string
  /**
   * The first characters of the secret, by which you can recognize it.
   */
  prefix: string
  created_at: string
  /**
   * Until then, the previous secret is also used for signing. Null if there was none.
   */
  previous_expires_at: string | null
}

export type Scope = 'read' | 'write' | 'admin'

export interface Segment {
  /**
   * Position in the transcript, starting at 1. Citations refer to it.
   */
  id: number
  /**
   * Seconds.
   */
  start: number
  /**
   * Seconds.
   */
  duration: number
  text: string
  /**
   * Who speaks, where the captions say it.
   */
  speaker?: string
}

export type SelectionReason =
  | 'manual_exact_language'
  | 'manual_language_variant'
  | 'auto_exact_language'
  | 'auto_language_variant'
  | 'manual_spoken_language'
  | 'manual_platform_default'
  | 'manual_english'
  | 'manual_first'
  | 'auto_spoken_language'
  | 'auto_platform_default'
  | 'auto_english'
  | 'auto_first'
  | 'imported'

export interface ServiceIndex {
  name: string
  description: string
  documentation: {
    reference: string
    quick_start: string
    errors: string
    openapi: string
    /**
     * The documentation for language models.
     */
    llms: string
  }
  resources: {
    name: string
    description: string
    operations: {
      method: HttpMethod
      /**
       * The path, with the names of its parameters in braces.
       */
      url: string
      /**
       * As in the OpenAPI document.
       */
      operation_id: string
      summary: string
    }[]
  }[]
}

export type SignInWay = 'password' | 'magic_link' | 'oidc' | 'github' | 'google'

export interface Source {
  source_id: string
  kind: SourceKind
  /**
   * The source on the platform, or the feed of a podcast.
   */
  url: string
  title?: string
  status: SourceStatus
  /**
   * When its videos were last listed as a whole.
   */
  listed_at?: string
  /**
   * Number of videos that are listed, at most 5,000.
   */
  videos_total?: number
  /**
   * Whether the source has more videos than are listed.
   */
  truncated?: boolean
  coverage?: SourceCoverage
  /**
   * Why it could not be listed. Of a source that is `ready`: why its last refresh failed.
   */
  error?: JobError
}

export interface SourceCheck {
  checked_at: string
  method: SourceCheckMethod
  /**
   * Why the source was listed: `first`, `requested`, `daily`, `playlist`, `feed` (podcasts), `rss_failed`, `all_new`, `details`.
   */
  reason?: string
  outcome: SourceCheckOutcome
  videos_seen?: number
  new_videos?: number
  error?: JobError
}

export type SourceCheckMethod = 'rss' | 'listing'

export type SourceCheckOutcome = 'ok' | 'failed'

export interface SourceChecks {
  checks: SourceCheck[]
  pagination: CursorPagination
}

/**
 * Of a podcast: few feeds name transcripts of their episodes.
 */
export interface SourceCoverage {
  episodes: number
  /**
   * Episodes that can be processed.
   */
  with_transcript: number
}

export type SourceFault = 'not_found' | 'private' | 'terminated' | 'not_a_feed' | 'too_large'

export type SourceKind = 'playlist' | 'channel' | 'podcast'

export interface SourceList {
  sources: Source[]
  pagination: Pagination
}

/**
 * Which videos are meant. All conditions have to be met.
 */
export interface SourceSelect {
  /**
   * Only so many of those that fit, the newest.
   */
  newest?: number
  /**
   * Only these. One that the source does not list is refused.
   *
   * @minItems 1
   * @maxItems 5000
   */
  video_ids?: string[]
  /**
   * Only videos of these types.
   *
   * @minItems 1
   * @maxItems 4
   */
  types?: SourceVideoType[]
  /**
   * Only videos that you have neither processed nor are processing.
   */
  not_processed?: boolean
  /**
   * Only videos that are known to be so long.
   */
  min_duration_seconds?: number
  /**
   * Only videos that are known not to be longer.
   */
  max_duration_seconds?: number
  /**
   * Only videos published from this day (UTC) or time on, as far as the platform says.
   */
  published_after?: string
}

export interface SourceSelection {
  /**
   * From `POST /sources`.
   */
  source_id: string
  select?: SourceSelect
}

/**
 * `listing`: its videos are being listed for the first time. `ready`: they can be read, also while they are listed anew. `failed`: they could not be listed; `error` says why.
 */
export type SourceStatus = 'listing' | 'ready' | 'failed'

export interface SourceVideo {
  video_id: string
  video_url: string
  title: string
  duration_seconds?: number
  published_at?: string
  /**
   * Present if `published_at` was computed from a text such as `3 days ago`.
   */
  published_at_approximate?: true
  /**
   * Place in the source: of a channel, the newest video has 1.
   */
  position: number
  type: SourceVideoType
  state: SourceVideoState
  reason?: SourceVideoReason
  /**
   * Your latest job of this video.
   */
  job_id?: string
  job_status?: JobStatus
}

/**
 * `no_captions`: the feed names no transcript of the episode.
 */
export type SourceVideoReason = 'members_only' | 'not_started' | 'live' | 'private' | 'deleted' | 'no_captions'

/**
 * `unavailable`: cannot be processed now; `reason` says why.
 */
export type SourceVideoState = 'listed' | 'unavailable'

/**
 * `short`: a short video. `live`: a stream or the recording of one. `episode`: of a podcast. Everything in a playlist is a `video`.
 */
export type SourceVideoType = 'video' | 'short' | 'live' | 'episode'

export interface SourceVideos {
  videos: SourceVideo[]
  pagination: CursorPagination
}

/**
 * US dollars, with 6 decimals.
 */
export interface SpendingStatus {
  /**
   * The limit of the account. Null if there is none.
   */
  limit_usd: number | null
  /**
   * What receipts say: the calls of the language model in the period.
   */
  used_usd: number
  /**
   * The highest possible cost of the calls that are running, and of those whose end is unknown, because something crashed.
   */
  reserved_usd: number
  /**
   * When the next period begins.
   */
  reset_at: string
}

export interface StoredAssistantMessage {
  message_id: string
  role: 'assistant'
  /**
   * Plain text; empty until the answer is complete.
   */
  content: string
  status: MessageStatus
  answer_kind?: AnswerKind
  /**
   * In the order of `content`.
   */
  citations: ChatCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model?: string
  usage?: ChatUsage
  warnings?: Warning[]
  created_at: string
}

export interface StoredLibraryAnswer {
  message_id: string
  role: 'assistant'
  /**
   * Plain text; empty until the answer is complete.
   */
  content: string
  status: MessageStatus
  answer_kind?: AnswerKind
  /**
   * In the order of `content`. A sentence that says something of two videos cites both.
   */
  citations: LibraryCitation[]
  /**
   * The model that wrote the answer; `extractive` for passages, which need no model.
   */
  model?: string
  usage?: ChatUsage
  warnings?: Warning[]
  created_at: string
}

export interface StructuredResult {
  job_id: string
  /**
   * As in the status of the job and in `job.failed`.
   */
  status: 'completed'
  video_info: VideoInfo
  /**
   * Top comments, if `include_comments` is set and they are available.
   */
  comments?: VideoComment[]
  /**
   * By name of the template, if `options.templates` are set. One that could not be filled is missing, with a warning: `MODEL_REQUIRED`, `EXTRACTION_INVALID` or `SUMMARY_MODE_UNAVAILABLE`.
   */
  extractions?: {
    [k: string]: ExtractionResult
  }
  /**
   * Picture of the result, if `generate_infographic` is set and it could be made. The link works without a key for at least seven days; each result has a new one.
   */
  infographic_url?: string
  /**
   * The content of the picture in words.
   */
  infographic_alt_text?: string
  /**
   * Seconds from the start of processing to its end.
   */
  processing_time: number
  completed_at: string
  usage: ResultUsage
  quality: ResultQuality
  service_name?: string
  agent_name?: string
  client_reference?: string
  format: 'json'
  transcript: {
    language: string
    kind: TrackKind
    name: string
    /**
     * Why this caption track was selected: its kind, and the rule it matched. `exact_language` and `language_variant` refer to `options.language`; `first` is the first track of the platform.
     */
    selection_reason: SelectionReason
    truncated: boolean
    cleaning?: CleaningReport
    segments: Segment[]
  }
  /**
   * By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing.
   */
  summaries: {
    tldr?: StructuredSummary
    detailed?: StructuredSummary
    study_notes?: StructuredSummary
    timestamped?: StructuredSummary
    key_insights?: StructuredSummary
  }
}

export interface StructuredSummary {
  text: string
  citations: Citation[]
  model: string
  quality: SummaryQuality
}

export interface SubmitBatch {
  /**
   * Jobs are numbered in this order, and a video can occur more than once. The deprecated names of fields (`video_url`, `summary_mode`, `summary_type`) are accepted here as well.
   *
   * @minItems 1
   * @maxItems 100
   */
  videos: BatchVideo[]
  /**
   * Public http(s) URL that receives one event when all jobs have ended.
   */
  webhook_url?: string
  /**
   * What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.
   */
  max_cost_usd?: number
  /**
   * Accepted without effect: single jobs take precedence over those of batches.
   */
  priority?: Priority
  /**
   * Makes a digest when the batch has ended. Its ID is in the status of the batch.
   */
  digest?: boolean
  /**
   * Accepted without effect.
   */
  parallel_processing?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface SubmitSourceBatch {
  /**
   * Videos of a source in place of `videos`: the first 100 that fit.
   */
  source: SourceSelection
  /**
   * With `source`: the options of all its videos.
   */
  options?: VideoOptions
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
  /**
   * Public http(s) URL that receives one event when all jobs have ended.
   */
  webhook_url?: string
  /**
   * What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job.
   */
  max_cost_usd?: number
  /**
   * Accepted without effect: single jobs take precedence over those of batches.
   */
  priority?: Priority
  /**
   * Makes a digest when the batch has ended. Its ID is in the status of the batch.
   */
  digest?: boolean
  /**
   * Accepted without effect.
   */
  parallel_processing?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface SubmitSourceVideo {
  /**
   * A video of a source, in place of `url`.
   */
  source: VideoOfSource
  options?: VideoOptions
  /**
   * Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
   */
  webhook_url?: string
  /**
   * Jobs of priority `high` start first. `high` requires the Pro plan.
   */
  priority?: Priority
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
  /**
   * `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
   */
  use_proxy?: boolean | null
  /**
   * Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
   */
  force_refresh?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface SubmitVideo {
  /**
   * URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters.
   */
  url: string
  options?: VideoOptions
  /**
   * Public http(s) URL that receives an event when the job ends. Requires the Pro plan.
   */
  webhook_url?: string
  /**
   * Jobs of priority `high` start first. `high` requires the Pro plan.
   */
  priority?: Priority
  /**
   * What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan.
   */
  custom_instructions?: string
  /**
   * `true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked.
   */
  use_proxy?: boolean | null
  /**
   * Fetches the captions again and rewrites the summaries, instead of reusing stored ones.
   */
  force_refresh?: boolean
  service_name?: string
  agent_name?: string
  client_reference?: string
  /**
   * @deprecated
   * Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning.
   */
  summary_mode?: SummaryMode
  /**
   * @deprecated
   * Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning.
   */
  summary_type?: SummaryMode
}

export interface SubmittedBatch {
  batch_id: string
  status: BatchStatus
  total_jobs: number
  jobs: SubmittedBatchJob[]
  status_url: string
  results_url: string
  created_at: string
  /**
   * The source that the videos were selected from.
   */
  source_id?: string
  /**
   * With `source`: number of videos that were selected.
   */
  selected?: number
  /**
   * With `source`: number of videos that fit as well, but are too many for one batch.
   */
  remaining?: number
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface SubmittedBatchJob {
  /**
   * Position in the request, starting at 0.
   */
  index: number
  job_id: string
}

export interface SubmittedJob {
  job_id: string
  status: JobStatus
  video_id: string
  video_url: string
  priority: Priority
  /**
   * ID of the completed job from which this one is derived. It may have been deleted since.
   */
  derived_from?: string
  status_url: string
  result_url: string
  created_at: string
  service_name?: string
  agent_name?: string
  client_reference?: string
}

export interface Subscription {
  subscription_id: string
  source_id: string
  source_title?: string
  source_url: string
  action: SubscriptionAction
  options: SubscriptionOptions
  priority: Priority
  filter?: SubscriptionFilter
  match?: SubscriptionMatch
  catch_up: number
  max_per_day?: number
  deliver?: SubscriptionDelivery
  status: SubscriptionStatus
  reason?: SubscriptionPauseReason
  last_checked_at?: string
  /**
   * When its source is looked at next. May have passed.
   */
  next_check_at?: string
  created_at: string
  updated_at: string
}

/**
 * `process`: new videos are processed like those you submit. `notify`: they are only reported.
 */
export type SubscriptionAction = 'process' | 'notify'

export interface SubscriptionDelivery {
  /**
   * Public http(s) URL that receives the `subscription.*` events.
   */
  webhook_url?: string
  format?: SubscriptionFormat
  email?: SubscriptionEmail
}

/**
 * `each`: an email for every video. `daily`, `weekly`: a digest at 07:00 in the time zone of your account, weekly on Mondays.
 */
export type SubscriptionEmail = 'each' | 'daily' | 'weekly'

/**
 * All conditions have to be met. Other videos are skipped.
 */
export interface SubscriptionFilter {
  /**
   * Only videos of these types.
   *
   * @minItems 1
   * @maxItems 4
   */
  types?: SourceVideoType[]
  /**
   * Only videos that are known to be so long.
   */
  min_duration_seconds?: number
  /**
   * Only videos that are known not to be longer.
   */
  max_duration_seconds?: number
  /**
   * Only videos with any of these in their titles, in any case.
   *
   * @minItems 1
   * @maxItems 20
   */
  title_contains?: string[]
  /**
   * Only videos with none of these in their titles.
   *
   * @minItems 1
   * @maxItems 20
   */
  title_excludes?: string[]
}

/**
 * `slack` and `discord` send the same facts in the body that incoming webhooks of those services take.
 */
export type SubscriptionFormat = 'event' | 'slack' | 'discord'

/**
 * `quota`, `spend`: its items wait until there is some left. `plan`: it is paused.
 */
export type SubscriptionHoldReason = 'quota' | 'spend' | 'plan'

export interface SubscriptionItem {
  video_id: string
  video_url: string
  title: string
  type: SourceVideoType
  published_at?: string
  state: SubscriptionItemState
  /**
   * Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for.
   */
  reason?: string
  next_try_at?: string
  job_id?: string
  /**
   * Where the words and phrases are said, if the subscription looks for any. At most 20.
   */
  matches?: SubscriptionMatchMoment[]
  first_seen_at: string
  updated_at: string
}

/**
 * `waiting`: it is going to be processed; `reason` says what it waits for.
 */
export type SubscriptionItemState = 'processed' | 'notified' | 'skipped' | 'waiting' | 'failed'

export interface SubscriptionItems {
  items: SubscriptionItem[]
  pagination: CursorPagination
}

export interface SubscriptionList {
  subscriptions: Subscription[]
  pagination: Pagination
}

/**
 * Words and phrases to look for in what is said, as whole words and folded as in searches of the library. Needs `action: "process"`.
 */
export interface SubscriptionMatch {
  /**
   * @minItems 1
   * @maxItems 20
   */
  any: string[]
}

export interface SubscriptionMatchMoment {
  /**
   * Seconds.
   */
  start: number
  /**
   * Link to the moment.
   */
  url: string
  text: string
}

export interface SubscriptionMatchedEvent {
  id: string
  event: 'subscription.matched'
  created_at: string
  api_version: 'v1'
  data: {
    subscription_id: string
    source_id: string
    video_id: string
    video_url: string
    title: string
    state: SubscriptionItemState
    /**
     * Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for.
     */
    reason?: string
    job_id?: string
    /**
     * Of a video that was processed, as with `format=json`.
     */
    result?: StructuredResult
    matches: SubscriptionMatchMoment[]
  }
}

export interface SubscriptionOptions {
  /**
   * Maximum size of the transcript in UTF-8 bytes. A longer one is cut between two captions, keeping at least the first, and marked as `truncated`.
   */
  max_transcript_length: number
  /**
   * Adds the top comments, if there are any.
   */
  include_comments: boolean
  language?: string
  /**
   * Which captions come first. `manual`: those written by people, then automatic ones. `spoken_language`: if none in `language` were requested or found, those in the spoken language, then the others. `automatic`: automatic ones, then those written by people; with `language`, all in that language before others.
   */
  track_preference?: TrackPreference
  summary_modes: SummaryMode[]
  output_language?: string
  /**
   * What the job may cost, in US dollars. Before a call of the model, its highest possible cost must fit. What does not fit is left out, with the warning `COST_LIMIT_REACHED`; the transcript is delivered in any case.
   */
  max_cost_usd?: number
  templates?: string[]
  /**
   * Makes a picture of what the video says, for sharing: `infographic_url` of the result. If it cannot be made, the job completes with the warning `INFOGRAPHIC_UNAVAILABLE`. Requires the Pro plan.
   */
  generate_infographic: boolean
}

/**
 * `requested`: you have paused it. `plan`: the plan of your account no longer includes subscriptions.
 */
export type SubscriptionPauseReason = 'requested' | 'plan'

export interface SubscriptionPausedEvent {
  id: string
  event: 'subscription.paused'
  created_at: string
  api_version: 'v1'
  data: {
    subscription_id: string
    source_id: string
    reason: SubscriptionHoldReason
  }
}

export type SubscriptionStatus = 'active' | 'paused'

export interface SubscriptionUpdate {
  action?: SubscriptionAction
  /**
   * As in `POST /videos/process`.
   */
  options?: VideoOptions
  priority?: Priority
  /**
   * `null` removes it.
   */
  filter?: SubscriptionFilter | null
  /**
   * `null` removes it.
   */
  match?: SubscriptionMatch | null
  /**
   * Maximum number of videos per UTC day. Others wait until the next one. `null`: no limit.
   */
  max_per_day?: number | null
  /**
   * Replaces it as a whole. `null` removes it.
   */
  deliver?: SubscriptionDelivery | null
}

export interface SubscriptionVideoEvent {
  id: string
  event: 'subscription.video'
  created_at: string
  api_version: 'v1'
  data: {
    subscription_id: string
    source_id: string
    video_id: string
    video_url: string
    title: string
    state: SubscriptionItemState
    /**
     * Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for.
     */
    reason?: string
    job_id?: string
    /**
     * Of a video that was processed, as with `format=json`.
     */
    result?: StructuredResult
  }
}

export type SummaryMode = 'tldr' | 'detailed' | 'study_notes' | 'timestamped' | 'key_insights'

export interface SummaryQuality {
  /**
   * Share of the five-minute windows of the transcript that are cited, 0 to 1.
   */
  coverage: number | null
  /**
   * Share of the citations of the model that are shown, 0 to 1: they exist, are in order, and belong to a claim that passed the checks. A claim is checked against all lines that it cites together, so that one of several lines may say nothing of it. Null if there were no citations.
   */
  citation_precision: number | null
  /**
   * Number of claims and headings that were left out, because the segments they cite do not carry them: their words, numbers, units, dates, names, negations, opposites or shares (`all` for `some`) differ, two names have changed places, or what they quote is not there. In another language than the captions, only quotations, numbers, dates, names and negations are compared.
   */
  unsupported_claims: number
  strategy: SummaryStrategy | null
}

/**
 * `combined`: one model call for all modes. `per_mode`: one call per mode. `map_reduce`: notes on the parts of a long video, then one call per mode. `extractive`: without a language model.
 */
export type SummaryStrategy = 'combined' | 'per_mode' | 'map_reduce' | 'extractive'

export interface SummaryStreamEvent {
  event: 'summary'
  id: string
  data: FinishedSummary
}

export interface SupportLink {
  /**
   * It is shown only in this response.
   */
  url: string
  expires_at: string
}

export interface SupportRequest {
  /**
   * Why. It is recorded, and the owner finds it in the export of the account.
   */
  reason?: string
}

export interface TableCell {
  /**
   * As in `data` of an extraction: a string, a number, a list, an object.
   */
  value: {
    [k: string]: unknown
  }
  citations: TableCitation[]
}

export interface TableCitation {
  segment_id: number
  /**
   * Seconds.
   */
  start: number
  url: string
  quote: string
}

export type TableFormat = 'json' | 'csv' | 'markdown'

export interface TableRow {
  job_id: string
  video_id: string
  video_url: string
  video_title: string | null
  /**
   * By column. Null: not said, or not known yet.
   */
  cells: {
    [k: string]: TableCell | null
  }
}

export type TableStatus = 'processing' | 'completed'

export interface Template {
  /**
   * Absent for a built-in template.
   */
  template_id?: string
  name: string
  version: number
  /**
   * The latest version. They are numbered from 1.
   */
  versions: number
  built_in: boolean
  description?: string
  instructions?: string
  schema: FormSchema
  /**
   * When this version was created.
   */
  created_at?: string
}

export interface TemplateList {
  templates: Template[]
  built_in: Template[]
}

export interface TestWebhook {
  /**
   * Public http(s) URL of your receiver.
   */
  url: string
}

export interface Thumbnail {
  url: string
  width: number
  height: number
}

export interface Thumbnails {
  video_id: string
  video_url: string
  thumbnails: {
    default: Thumbnail
    medium: Thumbnail
    high: Thumbnail
    standard?: Thumbnail
    maxres?: Thumbnail
  }
}

export interface TokenReceipt {
  fresh_input_tokens: number
  cache_write_tokens: number
  /**
   * Tokens read from the cache of the model, as far as earlier calls of your account had written them there.
   */
  cached_input_tokens: number
  output_tokens: number
  cost_usd: number
}

export type TrackKind = 'manual' | 'auto'

export type TrackPreference = 'manual' | 'spoken_language' | 'automatic'

export type TrackRole = 'dub' | 'forced'

export type TranscriptUnavailableReason =
  'no_captions' | 'captions_disabled' | 'private' | 'not_yet_captioned' | 'unreadable'

export interface UsageBreakdown {
  /**
   * First instant of the range.
   */
  start_date: string
  /**
   * First instant after the range.
   */
  end_date: string
  /**
   * Most frequent first.
   */
  endpoints: EndpointUsage[]
  /**
   * Most expensive first. Answers in chats, infographics and failed attempts belong to no mode.
   */
  modes: ModeUsage[]
  /**
   * Most frequent first. A key sees only itself.
   */
  keys: KeyUsage[]
}

export interface UsageHistory {
  /**
   * Newest first, without gaps: periods without usage are included.
   */
  periods: UsagePeriod[]
  /**
   * Sums over the periods in this response.
   */
  summary: {
    total_periods: number
    total_requests: number
    total_tokens: number
    /**
     * US dollars, to 6 decimals.
     */
    total_cost: number
    /**
     * 0 if there are no periods.
     */
    avg_requests_per_period: number
    granularity: Granularity
  }
  query_info: {
    /**
     * First instant of the range; null if it is open.
     */
    start_date: string | null
    /**
     * First instant after the range.
     */
    end_date: string
    limit: number
    offset: number
    /**
     * Whether there is usage in the range before the oldest of these periods.
     */
    has_more: boolean
  }
}

export interface UsagePeriod {
  /**
   * First instant of the period.
   */
  start_date: string
  /**
   * First instant after the period. May be in the future.
   */
  end_date: string
  /**
   * All requests with a valid key or session.
   */
  total_requests: number
  /**
   * Requests with a response status below 400.
   */
  successful_requests: number
  /**
   * All other requests, including those refused with 429.
   */
  failed_requests: number
  /**
   * Tokens of the jobs that ended in the period: input, output and cached input.
   */
  total_tokens: number
  /**
   * Cost in US dollars, with 6 decimals, of the jobs that ended in the period, including failed ones.
   */
  total_cost: number
  /**
   * Jobs that completed in the period.
   */
  videos_processed: number
}

export interface UsageReceipt {
  subject: ReceiptSubject
  /**
   * Absent for answers about many videos, and for digests.
   */
  job_id?: string
  /**
   * Absent if you have deleted the job.
   */
  video_id?: string
  batch_id?: string
  /**
   * ID of the completed job from which this one is derived. It may have been deleted since.
   */
  derived_from?: string
  client_reference?: string
  conversation_id?: string
  message_id?: string
  digest_id?: string
  outcome: ReceiptOutcome
  ended_at: string
  /**
   * In chronological order.
   */
  lines: ReceiptLine[]
  total: ReceiptTotal
  /**
   * Videos that count toward the quota: those reserved less those returned.
   */
  quota_effect: number
}

export interface UserMessage {
  role: 'user'
  /**
   * Plain text.
   */
  content: string
  created_at: string
}

export interface ValidationIssue {
  /**
   * Path in the request, such as `options.summary_modes.0`.
   */
  path: string
  /**
   * A sentence that names the field and says what it must be.
   */
  message: string
  /**
   * Kind of issue, such as `required`, `unknown_field` or `too_big`.
   */
  code: string
}

export interface VideoComment {
  author: string
  text: string
  /**
   * As the platform shows it, such as `1.2K`. Empty for none.
   */
  like_count: string
  /**
   * As the platform shows it, such as `2 days ago`.
   */
  published: string
  is_pinned: boolean
  /**
   * Whether the owner of the video wrote it.
   */
  is_by_channel: boolean
}

export interface VideoEstimate {
  video_id: string
  /**
   * Whether the same request would be accepted now.
   */
  would_accept: boolean
  /**
   * Why it would be refused; all reasons at once.
   */
  violations: EstimateViolation[]
  quota: EstimateQuota
  cached: EstimateCache
  cost_usd: CostRange
  tokens: EstimateTokens
  /**
   * Expected time to completion.
   */
  seconds: number
  basis: EstimateBasis
}

export interface VideoInfo {
  video_id: string
  url: string
  title: string
  channel: {
    id: string
    name: string
    url: string
  }
  description: string
  /**
   * ISO 8601, or null if the platform does not say.
   */
  published_at: string | null
  duration_seconds: number
  thumbnail_url: string
  /**
   * Spoken language (BCP-47), or null if unknown.
   */
  language: string | null
  is_live_archive: boolean
  /**
   * Where the captions are from: a video of the platform, or an import. Always present.
   */
  source?: {
    kind: RecordingKind
  }
  chapters: {
    title: string
    /**
     * Seconds.
     */
    start: number
  }[]
  /**
   * All caption tracks of the video, in the order of the platform. Machine translations are not listed.
   */
  available_tracks?: AvailableTrack[]
}

export type VideoNotAccessibleReason = 'members' | 'payment'

/**
 * A video of a source: the only way to name an episode of a podcast.
 */
export interface VideoOfSource {
  /**
   * From `POST /sources`.
   */
  source_id: string
  /**
   * From `GET /sources/{source_id}/videos`.
   */
  video_id: string
}

export interface VideoOptions {
  /**
   * Maximum size of the transcript in UTF-8 bytes. A longer one is cut between two captions, keeping at least the first, and marked as `truncated`.
   */
  max_transcript_length?: number
  /**
   * Adds the top comments, if there are any.
   */
  include_comments?: boolean
  /**
   * Preferred language of the captions (BCP-47).
   */
  language?: string
  /**
   * Which captions come first. `manual`: those written by people, then automatic ones. `spoken_language`: if none in `language` were requested or found, those in the spoken language, then the others. `automatic`: automatic ones, then those written by people; with `language`, all in that language before others.
   */
  track_preference?: TrackPreference
  /**
   * Each mode gives one summary; duplicates are ignored. `[]`: the transcript alone, which needs no language model, costs nothing and is included in every plan. The Free plan includes only `tldr`.
   *
   * @minItems 0
   * @maxItems 20
   */
  summary_modes?: SummaryMode[]
  /**
   * Language of the summaries and of filled templates (BCP-47). Default: that of the transcript.
   */
  output_language?: string
  /**
   * What the job may cost, in US dollars. Before a call of the model, its highest possible cost must fit. What does not fit is left out, with the warning `COST_LIMIT_REACHED`; the transcript is delivered in any case.
   */
  max_cost_usd?: number
  /**
   * Forms to be filled from the transcript, with evidence for every value: `name` for the latest version of a template, or `name@2`. The result has them in `extractions`. Built in: `quotes`, `chapters`, `action_items`, `flashcards` (Requires the Plus plan.) Those of your account: Requires the Pro plan.
   *
   * @minItems 1
   * @maxItems 5
   */
  templates?: string[]
  /**
   * Makes a picture of what the video says, for sharing: `infographic_url` of the result. If it cannot be made, the job completes with the warning `INFOGRAPHIC_UNAVAILABLE`. Requires the Pro plan.
   */
  generate_infographic?: boolean
}

export interface VideoTable {
  table_id: string
  status: TableStatus
  columns: string[]
  rows: TableRow[]
  created_at: string
}

export interface Warning {
  code: WarningCode
  message: string
  /**
   * The job that it concerns, in the results of a batch.
   */
  job_id?: string
}

export type WarningCode =
  | 'LANGUAGE_NOT_AVAILABLE'
  | 'NOT_IN_SPOKEN_LANGUAGE'
  | 'DUBBED_CAPTIONS'
  | 'FORCED_CAPTIONS'
  | 'TRACK_WITHOUT_SPEECH'
  | 'INFOGRAPHIC_UNAVAILABLE'
  | 'DEPRECATED_FIELD'
  | 'TRANSCRIPT_TRUNCATED'
  | 'EXTRACTIVE_SUMMARY'
  | 'COST_LIMIT_REACHED'
  | 'SUMMARY_MODE_UNAVAILABLE'
  | 'EXTRACTION_INVALID'
  | 'MODEL_REQUIRED'
  | 'COMMENTS_UNAVAILABLE'
  | 'OUTPUT_LANGUAGE_NOT_AVAILABLE'
  | 'INJECTION_SUSPECTED'
  | 'TRANSCRIPT_SAMPLED'
  | 'QUOTA_KEPT'
  | 'MODEL_UNAVAILABLE'
  | 'ANSWER_DECLINED'
  | 'MENTIONS_CAPPED'
  | 'WATERMARK_NOT_FOUND'
  | 'CITED_VIDEO_DELETED'
  | 'ANSWER_INCOMPLETE'

export interface WebhookDelivery {
  delivery_id: string
  /**
   * The `id` in the body and the `webhook-id` header of every attempt.
   */
  event_id: string
  event: WebhookEventType
  /**
   * The job that ended, for `job.*` events.
   */
  job_id?: string
  /**
   * The batch that ended, for `batch.*` events.
   */
  batch_id?: string
  /**
   * Receiver of the delivery.
   */
  url: string
  status: DeliveryStatus
  /**
   * Attempts made so far.
   */
  attempt_count: number
  last_attempt?: DeliveryAttempt
  /**
   * Time of the next attempt. Absent during an attempt and after the last one.
   */
  next_attempt_at?: string
  created_at: string
  updated_at: string
}

export interface WebhookDeliveryList {
  deliveries: WebhookDelivery[]
  pagination: Pagination
}

export interface WebhookDeliveryWithAttempts {
  delivery_id: string
  /**
   * The `id` in the body and the `webhook-id` header of every attempt.
   */
  event_id: string
  event: WebhookEventType
  /**
   * The job that ended, for `job.*` events.
   */
  job_id?: string
  /**
   * The batch that ended, for `batch.*` events.
   */
  batch_id?: string
  /**
   * Receiver of the delivery.
   */
  url: string
  status: DeliveryStatus
  /**
   * Attempts made so far.
   */
  attempt_count: number
  last_attempt?: DeliveryAttempt
  /**
   * Time of the next attempt. Absent during an attempt and after the last one.
   */
  next_attempt_at?: string
  created_at: string
  updated_at: string
  /**
   * The last 100 attempts, oldest first.
   */
  attempts: AnsweredDeliveryAttempt[]
  /**
   * The body that every attempt sends, byte for byte; of one above 100,000 bytes, the beginning.
   */
  request_body: string
  /**
   * Size of the whole body.
   */
  request_bytes: number
}

export type WebhookEventType =
  | 'job.completed'
  | 'job.failed'
  | 'batch.completed'
  | 'digest.completed'
  | 'subscription.video'
  | 'subscription.matched'
  | 'subscription.paused'
  | 'webhook.test'

export interface WebhookSecret {
  /**
   * The first characters of the secret, by which you can recognize it.
   */
  prefix: string
  created_at: string
  /**
   * Previous secrets that are still used for signing, newest first.
   */
  previous: {
    /**
     * The first characters of the secret, by which you can recognize it.
     */
    prefix: string
    created_at: string
    /**
     * Until then, it signs `webhook-signature` in addition to the current secret.
     */
    expires_at: string
  }[]
}

export interface WebhookTestEvent {
  id: string
  event: 'webhook.test'
  created_at: string
  api_version: 'v1'
  data: {
    test: true
    /**
     * A text for people.
     */
    message: string
  }
}

/**
 * Content of `details` by error code.
 */
export interface ErrorDetails {
  CAPTIONS_UNREADABLE: {
    reason: CaptionsProblem
    /**
     * Where the problem was found, counted from 1.
     */
    line?: number
    /**
     * In a batch: all captions that cannot be read.
     */
    issues?: ValidationIssue[]
  }
  INSUFFICIENT_SCOPE: {
    required_scope: Scope
    /**
     * Scopes of the key.
     */
    scopes: Scope[]
  }
  INVALID_VIDEO_URL: {
    issues: ValidationIssue[]
  }
  JOB_NOT_COMPLETED: {
    status: JobStatus
    progress_percentage: number
  }
  KEY_ALREADY_CREATED: {
    /**
     * ID of the key that was created.
     */
    id: string
    /**
     * The first characters of the key that was created.
     */
    prefix: string
    /**
     * The last characters of the key that was created.
     */
    last_four: string
  }
  LIVE_NOT_ENDED?: {
    reason: LiveNotEndedReason
  }
  NOT_ACCEPTABLE: {
    /**
     * Media types that the endpoint can produce.
     */
    available: string[]
  }
  PAYLOAD_TOO_LARGE: {
    limit_bytes: number
  }
  PLAN_UPGRADE_REQUIRED: {
    /**
     * The feature of the first violation.
     */
    feature: string
    current_plan: Plan
    /**
     * The lowest plan that includes everything the request asks for.
     */
    required_plan: Plan
    /**
     * All features of the request that the plan does not include.
     */
    violations: {
      feature: string
      /**
       * Field of the request that uses the feature; absent when the request as a whole does.
       */
      field?: string
      /**
       * The lowest plan that includes the feature.
       */
      required_plan: Plan
    }[]
  }
  PROCESSING_TIMEOUT?: {
    /**
     * The job keeps running; follow it by this ID.
     */
    job_id: string
  }
  QUOTA_EXCEEDED: {
    quota: ExceededQuota
    /**
     * Videos, questions, listings or US dollars per period, or jobs derived from one job.
     */
    limit: number
    used: number
    /**
     * Null for `derive`, which is never reset.
     */
    reset_at: string | null
    /**
     * Number of videos in the batch that was refused.
     */
    requested?: number
  }
  RATE_LIMITED?: {
    /**
     * Requests per window.
     */
    limit: number
    used: number
    reset_at: string
  }
  SOURCE_UNAVAILABLE: {
    reason: SourceFault
  }
  TRANSCRIPT_UNAVAILABLE: {
    reason: TranscriptUnavailableReason
  }
  VALIDATION_ERROR: {
    issues: ValidationIssue[]
  }
  VIDEO_NOT_ACCESSIBLE?: {
    reason: VideoNotAccessibleReason
  }
}

/**
 * An event as it is delivered. `event` tells which one it is.
 */
export type WebhookEvent =
  | JobCompletedEvent
  | JobFailedEvent
  | BatchCompletedEvent
  | DigestCompletedEvent
  | SubscriptionVideoEvent
  | SubscriptionMatchedEvent
  | SubscriptionPausedEvent
  | WebhookTestEvent
