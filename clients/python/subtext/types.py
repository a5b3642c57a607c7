# Generated from the OpenAPI document by `npm run generate`. Do not edit.

"""The data of requests and responses."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

WebhookEvent: TypeAlias = "JobCompletedEvent | JobFailedEvent | BatchCompletedEvent | DigestCompletedEvent | SubscriptionVideoEvent | SubscriptionMatchedEvent | SubscriptionPausedEvent | WebhookTestEvent"
"""An event as it is delivered. `event` tells which one it is."""


AnswerKind: TypeAlias = "Literal[\"answer\", \"not_in_video\", \"passages\"]"
"""`answer`: sentences that the transcript supports. `not_in_video`: the video does not answer the question. `passages`: the passages of the transcript that fit best, because no language model is available."""


class AnsweredDeliveryAttempt(TypedDict):
    attempt: int
    """Number of the attempt. Redeliveries continue the count."""
    started_at: str
    duration_ms: int
    status_code: int | None
    """The receiver's HTTP status; null if it did not respond."""
    error: str | None
    """Why there was no response: `dns`, `refused`, `unreachable`, `tls`, `reset`, `timeout`, `invalid_response`, `address_refused`, or `connection` for anything else."""
    response_body: str | None
    """The first 2,000 bytes of the receiver's response as text, as far as they arrived with its status; null if there was no response. The receiver chooses what it contains: escape it."""


class AskForSource(TypedDict):
    url: str
    """Address of a playlist or of a channel in any of the forms that the platform uses, with or without a tab, or only the ID (`PL...`, `UC...`) or the `@handle`; or the http(s) URL of the feed of a podcast."""
    refresh: NotRequired[bool]
    """Lists it anew even if it was listed a moment ago."""


class AskLibrary(TypedDict):
    message: str
    """The question, in any language."""
    conversation_id: NotRequired[str]
    """The conversation that the question continues. Default: a new one."""
    stream: NotRequired[bool]
    """Sends the answer as Server-Sent Events while it is written."""
    regenerate: NotRequired[bool]
    """Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one."""
    scope: NotRequired[LibraryScope]
    """Required in the first message of a conversation, which keeps it."""


class AskQuestion(TypedDict):
    message: str
    """The question, in any language."""
    conversation_id: NotRequired[str]
    """The conversation that the question continues. Default: a new one."""
    stream: NotRequired[bool]
    """Sends the answer as Server-Sent Events while it is written."""
    regenerate: NotRequired[bool]
    """Replaces the last question of the conversation and its answer, once the new answer is complete. Send the same `message` for another answer, or a better one."""


class AssistantMessage(TypedDict):
    message_id: str
    role: Literal["assistant"]
    content: str
    """Plain text."""
    created_at: str


class AvailableTrack(TypedDict):
    language: str
    """BCP-47. Can be requested with `options.language`."""
    kind: TrackKind
    name: str
    is_default: bool
    """Whether the platform shows this track unless the viewer chooses another."""
    role: NotRequired[TrackRole]
    """`dub`: captions of audio that was dubbed by a machine. `forced`: translations of only the lines in another language. Such tracks are used only if there are no others."""


class Batch(TypedDict):
    batch_id: str
    status: BatchStatus
    progress_percentage: float
    summary_stats: BatchStats
    created_at: str
    started_at: NotRequired[str]
    """When its first job started."""
    completed_at: NotRequired[str]
    """When its last job ended."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class BatchCompletedEvent(TypedDict):
    id: str
    event: Literal["batch.completed"]
    created_at: str
    api_version: Literal["v1"]
    data: BatchCompletedEventData


class BatchCompletedEventData(TypedDict):
    batch_id: str
    status: FinishedBatchStatus
    summary_stats: BatchStats
    jobs: list[BatchCompletedEventDataJobsItem]


class BatchCompletedEventDataJobsItem(TypedDict):
    index: int
    """Position in the request, starting at 0."""
    job_id: str
    video_id: str
    video_url: str
    video_title: NotRequired[str]
    """Title of the video. Absent until the platform has named it."""
    status: FinishedJobStatus
    progress_percentage: float
    error: NotRequired[JobError]


class BatchEstimate(TypedDict):
    would_accept: bool
    """Whether the same request would be accepted now."""
    violations: list[EstimateViolation]
    """Why it would be refused; all reasons at once."""
    quota: EstimateQuota
    cached: EstimateCache
    """Values that apply to every video."""
    cost_usd: CostRange
    tokens: EstimateTokens
    seconds: float
    """Expected time to completion."""
    basis: EstimateBasis
    """The least certain basis of all videos."""
    videos: list[BatchVideoEstimate]
    """A summary that several videos of the batch share is charged to the first one."""


class BatchImport(TypedDict):
    captions: str
    """The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues."""
    format: NotRequired[CaptionFormat]
    """Default: recognized from the content."""
    title: str
    """What the recording is called."""
    language: NotRequired[str]
    """Language of the captions (BCP-47). Default: what the captions say, or else what is detected."""
    media_url: NotRequired[str]
    """Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched."""
    channel_name: NotRequired[str]
    """Who published the recording."""
    published_at: NotRequired[str]
    """When the recording was published: a date or a date-time (ISO 8601)."""
    speakers: NotRequired[list[str]]
    """Names that are speakers where a cue begins with one of them and a colon."""
    options: NotRequired[VideoOptions]


class BatchJob(TypedDict):
    index: int
    """Position in the request, starting at 0."""
    job_id: str
    video_id: str
    video_url: str
    video_title: NotRequired[str]
    """Title of the video. Absent until the platform has named it."""
    status: JobStatus
    progress_percentage: float
    error: NotRequired[JobError]


class BatchProcessing(TypedDict):
    started_at: str | None
    """When the first job started; null if none has."""
    completed_at: str | None
    """When the last job ended; null until then."""
    total_processing_time: float | None
    """Seconds between the two; null until the last job has ended."""


class BatchReceipt(TypedDict):
    batch_id: str
    status: BatchStatus
    is_final: bool
    """Whether everything has ended. Until then, lines can be added."""
    lines: list[ReceiptLine]
    """In chronological order."""
    total: ReceiptTotal
    quota_effect: int
    """Videos that count toward the quota: those reserved less those returned."""


class BatchResults(TypedDict):
    batch_id: str
    status: BatchStatus
    summary_stats: BatchStats
    processing: BatchProcessing
    failed_jobs: list[FailedBatchJob]
    """Filled only with `include_failed=true`."""
    successful_jobs: list[DefaultResult | StructuredResult]
    """Results of the completed jobs by `index`, each as returned by `GET /videos/result/{job_id}`."""


class BatchStats(TypedDict):
    total: int
    """All jobs of the batch."""
    queued: int
    """Waiting."""
    processing: int
    """In progress."""
    successful: int
    """Completed."""
    failed: int
    """Failed or cancelled."""


BatchStatus: TypeAlias = "Literal[\"processing\", \"completed\", \"partial_failure\", \"failed\"]"


class BatchTableRequest(TypedDict):
    template: NotRequired[str]
    """Its properties are the columns."""
    questions: NotRequired[list[str]]
    """Each is a column. The answers are sentences that the lines of the video carry."""


BatchVideo = TypedDict("BatchVideo", {
    "url": "NotRequired[str]",
    "options": "NotRequired[VideoOptions]",
    "import": "NotRequired[BatchImport]",
})


class BatchVideoEstimate(TypedDict):
    index: int
    """Position in the request, starting at 0."""
    video_id: str
    cached: EstimateCache
    cost_usd: CostRange
    basis: EstimateBasis


class BatchWithJobs(TypedDict):
    batch_id: str
    status: BatchStatus
    progress_percentage: float
    summary_stats: BatchStats
    created_at: str
    started_at: NotRequired[str]
    """When its first job started."""
    completed_at: NotRequired[str]
    """When its last job ended."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]
    jobs: list[BatchJob]
    digest_id: NotRequired[str]
    """The latest digest of the batch."""


CaptionFormat: TypeAlias = "Literal[\"srt\", \"vtt\", \"sbv\", \"ttml\", \"json\", \"text\"]"


class ChatAnswer(TypedDict):
    conversation_id: str
    message: AssistantMessage
    answer_kind: AnswerKind
    citations: list[ChatCitation]
    """In the order of `content`."""
    model: str
    """The model that wrote the answer; `extractive` for passages, which need no model."""
    usage: ChatUsage


class ChatCitation(TypedDict):
    segment_id: int
    """Position of the segment in the transcript, starting at 1."""
    start: float
    """Seconds."""
    url: str
    """The moment of the video."""
    text: str
    """The words of the segment or, where `content` quotes a whole passage, those of the passage, which begins with the segment."""
    position: int
    """Where the citation belongs: the end of the sentence or passage that it supports, in UTF-16 code units from the beginning of `content`."""


ChatMessage: TypeAlias = "UserMessage | StoredAssistantMessage"


class ChatUsage(TypedDict):
    input_tokens: int
    """Fresh tokens, and those written to the cache."""
    output_tokens: int
    cached_input_tokens: int
    """Tokens read from the cache of the model, as far as earlier calls of your account had written them there."""
    cache_write_tokens: int
    """The part of the input tokens that was written to the cache."""
    total_tokens: int
    cost_usd: float
    model: str
    """As in the answer."""


class Citation(TypedDict):
    segment_id: int
    start: float
    """Seconds."""
    url: str


class CleaningReport(TypedDict):
    """What was removed from the caption track to leave only what is said."""
    removed_duplicates: int
    """Lines that rolling or animated captions repeat."""
    removed_non_speech: int
    """Descriptions of sounds, such as `[Music]`."""
    characters_before: int
    """UTF-16 code units of all captions of the track before cleaning."""
    characters_after: int
    """UTF-16 code units after cleaning, before the transcript is cut."""


class Conversation(TypedDict):
    conversation_id: str
    title: str
    """The beginning of the first question."""
    message_count: int
    """Questions and answers, at most 100."""
    created_at: str
    updated_at: str
    """When the last question was asked or answered."""


class ConversationReceipt(TypedDict):
    job_id: str
    conversation_id: str
    lines: list[ReceiptLine]
    """In chronological order."""
    total: ReceiptTotal
    quota_effect: int
    """Videos that count toward the quota: those reserved less those returned."""


class ConversationWithMessages(TypedDict):
    conversation_id: str
    title: str
    """The beginning of the first question."""
    message_count: int
    """Questions and answers, at most 100."""
    created_at: str
    updated_at: str
    """When the last question was asked or answered."""
    messages: list[ChatMessage]
    """Each question with its answer, oldest first."""


class CostRange(TypedDict):
    """US dollars, with 6 decimals."""
    low: float
    """The cost is rarely lower."""
    expected: float
    """The most probable cost."""
    high: float
    """The cost is rarely higher."""


class CreateDigest(TypedDict):
    instructions: NotRequired[str]
    """What the digest should emphasize."""
    output_language: NotRequired[str]
    """Language of headings and questions (BCP-47). Points stay as their summaries have them."""


class CreateTemplate(TypedDict):
    name: str
    description: NotRequired[str]
    """What the template is for."""
    instructions: NotRequired[str]
    """What to look for. The schema alone decides what comes out."""
    schema: FormSchema


class CreatedDigest(TypedDict):
    digest_id: str
    batch_id: str
    status: DigestStatus
    created_at: str


class CreatedFeed(TypedDict):
    feed_id: str
    name: NotRequired[str]
    subscription_id: NotRequired[str]
    source_id: NotRequired[str]
    all: NotRequired[Literal[True]]
    created_at: str
    url_json: str
    """JSON Feed 1.1. Shown only in this response."""
    url_atom: str
    """Atom. Shown only in this response."""


class CurrentUsage(TypedDict):
    current_period: UsagePeriod
    """Sums over the whole account in the current calendar month (UTC)."""
    rate_limits: CurrentUsageRateLimits
    plan: Plan
    quotas: CurrentUsageQuotas
    spending: CurrentUsageSpending


class CurrentUsageQuotas(TypedDict):
    daily: QuotaStatus
    monthly: QuotaStatus


class CurrentUsageRateLimits(TypedDict):
    requests_per_hour: RateLimitStatus
    """The current window of this key or person, including this request."""


class CurrentUsageSpending(TypedDict):
    month: SpendingStatus


class DefaultResult(TypedDict):
    job_id: str
    status: Literal["completed"]
    """As in the status of the job and in `job.failed`."""
    video_info: VideoInfo
    comments: NotRequired[list[VideoComment]]
    """Top comments, if `include_comments` is set and they are available."""
    extractions: NotRequired[dict[str, ExtractionResult]]
    """By name of the template, if `options.templates` are set. One that could not be filled is missing, with a warning: `MODEL_REQUIRED`, `EXTRACTION_INVALID` or `SUMMARY_MODE_UNAVAILABLE`."""
    infographic_url: NotRequired[str]
    """Picture of the result, if `generate_infographic` is set and it could be made. The link works without a key for at least seven days; each result has a new one."""
    infographic_alt_text: NotRequired[str]
    """The content of the picture in words."""
    processing_time: float
    """Seconds from the start of processing to its end."""
    completed_at: str
    usage: ResultUsage
    quality: ResultQuality
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]
    format: Literal["markdown"]
    transcript: DefaultResultTranscript
    summaries: DefaultResultSummaries
    """By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing. Each claim is followed by the time of the passage it is based on, as a link to the video."""


class DefaultResultSummaries(TypedDict):
    """By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing. Each claim is followed by the time of the passage it is based on, as a link to the video."""
    tldr: NotRequired[str]
    detailed: NotRequired[str]
    study_notes: NotRequired[str]
    timestamped: NotRequired[str]
    key_insights: NotRequired[str]


class DefaultResultTranscript(TypedDict):
    language: str
    kind: TrackKind
    name: str
    selection_reason: SelectionReason
    """Why this caption track was selected: its kind, and the rule it matched. `exact_language` and `language_variant` refer to `options.language`; `first` is the first track of the platform."""
    truncated: bool
    cleaning: NotRequired[CleaningReport]
    text: str


class DeletedConversation(TypedDict):
    conversation_id: str
    deleted: Literal[True]


class DeliveryAttempt(TypedDict):
    attempt: int
    """Number of the attempt. Redeliveries continue the count."""
    started_at: str
    duration_ms: int
    status_code: int | None
    """The receiver's HTTP status; null if it did not respond."""
    error: str | None
    """Why there was no response: `dns`, `refused`, `unreachable`, `tls`, `reset`, `timeout`, `invalid_response`, `address_refused`, or `connection` for anything else."""


DeliveryStatus: TypeAlias = "Literal[\"pending\", \"delivered\", \"failed\", \"skipped\"]"


class DeriveJob(TypedDict):
    summary_modes: NotRequired[list[SummaryMode]]
    """Summaries to be added. Default: those of the source, if instructions or a language are given, otherwise none. A source that has none needs at least one mode here. The Free plan includes only `tldr`."""
    custom_instructions: NotRequired[str | None]
    """What the added summaries should focus on. Default: as in the source; `null`: nothing. Requires the Pro plan."""
    output_language: NotRequired[str | None]
    """Language of the added summaries (BCP-47). Default: as in the source; `null`: that of the transcript."""
    generate_infographic: NotRequired[bool]
    """Makes a picture of what the video says. Requires the Pro plan."""
    max_cost_usd: NotRequired[float]
    """What the new job may cost, in US dollars; see `options.max_cost_usd`. The limit of the source does not apply."""
    templates: NotRequired[list[str]]
    """Forms to be filled from the transcript, with evidence for every value: `name` for the latest version of a template, or `name@2`. The result has them in `extractions`. Built in: `quotes`, `chapters`, `action_items`, `flashcards` (Requires the Plus plan.) Those of your account: Requires the Pro plan."""
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives an event when the job ends. Requires the Pro plan."""


class Digest(TypedDict):
    """Its lists are empty until it is completed."""
    digest_id: str
    batch_id: str
    status: DigestStatus
    error: NotRequired[JobError]
    themes: list[DigestTheme]
    disagreements: list[DigestDisagreement]
    videos: list[DigestVideo]
    """Every video of the batch, in its order."""
    coverage: DigestCoverage
    created_at: str
    completed_at: NotRequired[str]
    warnings: NotRequired[list[Warning]]


class DigestCitation(TypedDict):
    job_id: str
    segment_id: int
    """Position of the segment in the transcript, starting at 1."""
    start: float
    """Seconds."""
    url: str
    """The moment of the video."""


class DigestCompletedEvent(TypedDict):
    id: str
    event: Literal["digest.completed"]
    created_at: str
    api_version: Literal["v1"]
    data: DigestCompletedEventData


class DigestCompletedEventData(TypedDict):
    digest_id: str
    batch_id: str


class DigestCoverage(TypedDict):
    videos: int
    failed: int
    """Videos that could not be processed."""
    points: int
    """Points of all summaries."""
    points_used: int
    """Points that the digest has."""


class DigestDisagreement(TypedDict):
    question: str
    positions: list[DigestPoint]
    """Of at least two videos."""


DigestFormat: TypeAlias = "Literal[\"json\", \"markdown\", \"html\", \"pdf\"]"


class DigestPoint(TypedDict):
    text: str
    """A point of a summary of the video, as it is stored."""
    citations: list[DigestCitation]


DigestStatus: TypeAlias = "Literal[\"queued\", \"processing\", \"completed\", \"failed\"]"


class DigestTheme(TypedDict):
    title: str
    points: list[DigestPoint]


class DigestVideo(TypedDict):
    job_id: str
    video_id: str
    video_url: str
    video_title: str
    status: JobStatus
    one_line: NotRequired[str]
    """A point of its summary."""


DocumentFormat: TypeAlias = "Literal[\"markdown\", \"text\", \"html\", \"csv\", \"srt\", \"vtt\", \"obsidian\", \"chunks\"]"


class EndpointUsage(TypedDict):
    endpoint: str
    """Method and path, such as `GET /videos/status/{job_id}`."""
    total_requests: int
    """Requests with a valid key or session."""
    successful_requests: int
    """Requests with a response status below 400."""
    failed_requests: int
    """All other requests."""


ErrorCode: TypeAlias = "Literal[\"VALIDATION_ERROR\", \"INVALID_JSON\", \"INVALID_VIDEO_URL\", \"UNAUTHORIZED\", \"PLAN_UPGRADE_REQUIRED\", \"INSUFFICIENT_SCOPE\", \"FORBIDDEN_ORIGIN\", \"SESSION_REQUIRED\", \"REAUTHENTICATION_REQUIRED\", \"HTTPS_REQUIRED\", \"NOT_FOUND\", \"METHOD_NOT_ALLOWED\", \"NOT_ACCEPTABLE\", \"JOB_NOT_COMPLETED\", \"IDEMPOTENCY_IN_PROGRESS\", \"KEY_LIMIT_REACHED\", \"TEMPLATE_LIMIT_REACHED\", \"KEY_ALREADY_CREATED\", \"SUBSCRIPTION_LIMIT_REACHED\", \"SOURCE_IN_USE\", \"CONVERSATION_BUSY\", \"PAYLOAD_TOO_LARGE\", \"UNSUPPORTED_MEDIA_TYPE\", \"TRANSCRIPT_UNAVAILABLE\", \"VIDEO_UNAVAILABLE\", \"AGE_RESTRICTED\", \"LIVE_NOT_ENDED\", \"GEO_BLOCKED\", \"VIDEO_NOT_ACCESSIBLE\", \"SOURCE_UNAVAILABLE\", \"NOTHING_SELECTED\", \"CAPTIONS_UNREADABLE\", \"IDEMPOTENCY_KEY_REUSED\", \"JOB_CANCELLED\", \"RATE_LIMITED\", \"QUOTA_EXCEEDED\", \"INTERNAL_ERROR\", \"UPSTREAM_BLOCKED\", \"UPSTREAM_UNAVAILABLE\", \"SUMMARY_UNAVAILABLE\", \"SERVICE_UNAVAILABLE\", \"PROCESSING_TIMEOUT\"]"


EstimateBasis: TypeAlias = "Literal[\"transcript\", \"duration\", \"typical\"]"
"""What the costs are derived from. `transcript`: the stored captions. `duration`: the length of the video. `typical`: videos of usual length, because nothing is known about this one."""


class EstimateCache(TypedDict):
    transcript: bool
    """Whether stored captions would be used."""
    modes: list[SummaryMode]
    """Requested summaries that were written for earlier jobs of your account, and that would cost nothing."""


class EstimateQuota(TypedDict):
    uses: int
    """Videos that the request would take from the quota."""
    daily_remaining: int | None
    """Before the request. Null if there is no limit."""
    monthly_remaining: int | None
    """Before the request. Null if there is no limit."""


class EstimateTokens(TypedDict):
    """As expected."""
    input: int
    """Including those read from the cache."""
    output: int


class EstimateViolation(TypedDict):
    code: EstimateViolationCode
    message: str
    feature: NotRequired[str]
    """For `PLAN_UPGRADE_REQUIRED`: the missing feature."""
    field: NotRequired[str]
    """Field of the request that uses the feature."""
    required_plan: NotRequired[Plan]
    """The lowest plan with the feature."""
    quota: NotRequired[EstimatedQuota]
    limit: NotRequired[float]
    """US dollars for `spend`."""
    used: NotRequired[float]
    reset_at: NotRequired[str]
    """When the quota or the request limit is reset."""


EstimateViolationCode: TypeAlias = "Literal[\"PLAN_UPGRADE_REQUIRED\", \"QUOTA_EXCEEDED\", \"RATE_LIMITED\"]"
"""The error code with which the request would be refused."""


EstimatedQuota: TypeAlias = "Literal[\"daily\", \"monthly\", \"spend\"]"


class ExtractionEvidence(TypedDict):
    segment_id: int
    start: float
    """Seconds."""
    url: str
    quote: str
    """Word for word from the segment."""


class ExtractionResult(TypedDict):
    template: str
    version: int
    schema: FormSchema
    data: ExtractionResultData
    """Always fits `schema`."""
    evidence: dict[str, list[ExtractionEvidence]]
    """The lines that carry each value of `data`, by its JSON pointer (RFC 6901)."""
    unsupported: list[str]
    """JSON pointers of what the model claimed and its lines do not carry. A value is null then, or left out; an element that was removed is named by the pointer of its list."""
    model: str


class ExtractionResultData(TypedDict):
    """Always fits `schema`."""
    pass


class FailedBatchJob(TypedDict):
    index: int
    """Position in the request, starting at 0."""
    job_id: str
    video_id: str
    video_url: str
    error: JobError


class Feed(TypedDict):
    """What it is about: a subscription, a source, or all videos of the account."""
    feed_id: str
    name: NotRequired[str]
    subscription_id: NotRequired[str]
    source_id: NotRequired[str]
    all: NotRequired[Literal[True]]
    created_at: str


class FeedList(TypedDict):
    feeds: list[Feed]


FinishedBatchStatus: TypeAlias = "Literal[\"completed\", \"partial_failure\", \"failed\"]"


FinishedJobStatus: TypeAlias = "Literal[\"completed\", \"failed\"]"


class FormSchema(TypedDict):
    """A part of JSON Schema: `type` (one, or one and `null`), `properties`, `required`, `items`, `enum`, `title`, `description`, `additionalProperties`, `format: date`."""
    type: FormType | list[FormType]
    title: NotRequired[str]
    description: NotRequired[str]
    properties: NotRequired[dict[str, FormSchema]]
    required: NotRequired[list[str]]
    additionalProperties: NotRequired[bool]
    items: NotRequired[FormSchema]
    enum: NotRequired[list[str | float | bool | None]]
    format: NotRequired[Literal["date"]]


FormType: TypeAlias = "Literal[\"string\", \"number\", \"integer\", \"boolean\", \"object\", \"array\", \"null\"]"


Granularity: TypeAlias = "Literal[\"hourly\", \"daily\", \"weekly\", \"monthly\"]"


class ImportCaptions(TypedDict):
    captions: str
    """The captions: SubRip, WebVTT, SBV, TTML, JSON of a speech service, or text with times. At most 10,000,000 bytes and 100,000 cues."""
    format: NotRequired[CaptionFormat]
    """Default: recognized from the content."""
    title: str
    """What the recording is called."""
    language: NotRequired[str]
    """Language of the captions (BCP-47). Default: what the captions say, or else what is detected."""
    media_url: NotRequired[str]
    """Where the recording can be watched or heard. Citations link to moments of it (`#t=12`); without it, to the page of the job. It is never fetched."""
    channel_name: NotRequired[str]
    """Who published the recording."""
    published_at: NotRequired[str]
    """When the recording was published: a date or a date-time (ISO 8601)."""
    speakers: NotRequired[list[str]]
    """Names that are speakers where a cue begins with one of them and a colon."""
    options: NotRequired[VideoOptions]
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives an event when the job ends. Requires the Pro plan."""
    priority: NotRequired[Priority]
    """Jobs of priority `high` start first. `high` requires the Pro plan."""
    custom_instructions: NotRequired[str]
    """What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


InfographicFormat: TypeAlias = "Literal[\"png\", \"svg\"]"


InfographicLayout: TypeAlias = "Literal[\"card\", \"wide\", \"story\"]"


InfographicTheme: TypeAlias = "Literal[\"light\", \"dark\"]"


class Job(TypedDict):
    job_id: str
    status: JobStatus
    progress_percentage: float
    current_step: JobStep
    estimated_time_remaining: float
    """Estimate in seconds, based on recent jobs."""
    video_id: str
    video_url: str
    video_title: NotRequired[str]
    """Title of the video. Absent until the platform has named it."""
    priority: Priority
    batch_id: NotRequired[str]
    derived_from: NotRequired[str]
    """ID of the completed job from which this one is derived. It may have been deleted since."""
    summary_modes: list[SummaryMode]
    """The summaries that were requested. Those of a derived job are added to those of its source."""
    generate_infographic: NotRequired[bool]
    """`true` if an infographic was requested; otherwise absent."""
    templates: NotRequired[list[str]]
    """The templates that were requested, if any."""
    language: NotRequired[str]
    """The language of the captions, if one was requested."""
    output_language: NotRequired[str]
    """The language of the summaries, if one was requested."""
    custom_instructions: NotRequired[str]
    created_at: str
    updated_at: str
    started_at: NotRequired[str]
    next_attempt_at: NotRequired[str]
    """When a paused job is attempted again: after a temporary error, or when the video platform may be asked again."""
    completed_at: NotRequired[str]
    error: NotRequired[JobError]
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class JobCompletedEvent(TypedDict):
    id: str
    event: Literal["job.completed"]
    created_at: str
    api_version: Literal["v1"]
    data: StructuredResult


class JobError(TypedDict):
    code: ErrorCode
    message: str
    details: NotRequired[dict[str, Any]]
    retryable: bool


class JobFailedEvent(TypedDict):
    id: str
    event: Literal["job.failed"]
    created_at: str
    api_version: Literal["v1"]
    data: JobFailedEventData


class JobFailedEventData(TypedDict):
    job_id: str
    video_id: str
    video_url: str
    status: Literal["failed"]
    error: JobFailedEventDataError
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class JobFailedEventDataError(TypedDict):
    code: ErrorCode
    message: str
    details: NotRequired[dict[str, Any]]
    retryable: bool


class JobReceipt(TypedDict):
    """Answers in chats about the job have receipts of their own."""
    job_id: str
    video_id: NotRequired[str]
    """Absent if you have deleted the job."""
    batch_id: NotRequired[str]
    derived_from: NotRequired[str]
    """ID of the completed job from which this one is derived. It may have been deleted since."""
    client_reference: NotRequired[str]
    status: JobStatus
    is_final: bool
    """Whether everything has ended. Until then, lines can be added."""
    ended_at: NotRequired[str]
    lines: list[ReceiptLine]
    """In chronological order."""
    total: ReceiptTotal
    quota_effect: int
    """Videos that count toward the quota: those reserved less those returned."""


JobStatus: TypeAlias = "Literal[\"queued\", \"processing\", \"completed\", \"failed\"]"


JobStep: TypeAlias = "Literal[\"queued\", \"fetching_video\", \"fetching_captions\", \"summarizing\", \"rendering_infographic\", \"completed\", \"failed\"]"


class KeyUsage(TypedDict):
    key_id: str | None
    """Null for requests with a session, such as those of the dashboard."""
    name: str | None
    """Null for keys that an operator created, and for sessions."""
    last_four: str | None
    """The last characters of the key; null for sessions."""
    total_requests: int
    """All requests with this key."""
    failed_requests: int
    """Requests with a response status of 400 or more."""
    videos_processed: int
    """Jobs that completed."""
    total_tokens: int
    """Tokens of jobs and answers."""
    total_cost: float
    """US dollars, with 6 decimals: the cost of jobs and answers."""


class LibraryAnswer(TypedDict):
    conversation_id: str
    message: AssistantMessage
    answer_kind: AnswerKind
    citations: list[LibraryCitation]
    """In the order of `content`. A sentence that says something of two videos cites both."""
    model: str
    """The model that wrote the answer; `extractive` for passages, which need no model."""
    usage: ChatUsage


LibraryChatMessage: TypeAlias = "UserMessage | StoredLibraryAnswer"


class LibraryCitation(TypedDict):
    segment_id: int
    """Position of the segment in the transcript, starting at 1."""
    start: float
    """Seconds."""
    url: str
    """The moment of the video."""
    text: str
    """The words of the segment or, where `content` quotes a whole passage, those of the passage, which begins with the segment."""
    position: int
    """Where the citation belongs: the end of the sentence or passage that it supports, in UTF-16 code units from the beginning of `content`."""
    job_id: str
    video_id: str
    video_title: str


class LibraryConversation(TypedDict):
    conversation_id: str
    title: str
    """The beginning of the first question."""
    message_count: int
    """Questions and answers, at most 100."""
    created_at: str
    updated_at: str
    """When the last question was asked or answered."""
    scope: LibraryScope


class LibraryConversationWithMessages(TypedDict):
    conversation_id: str
    title: str
    """The beginning of the first question."""
    message_count: int
    """Questions and answers, at most 100."""
    created_at: str
    updated_at: str
    """When the last question was asked or answered."""
    scope: LibraryScope
    messages: list[LibraryChatMessage]
    """Each question with its answer, oldest first."""


class LibraryHit(TypedDict):
    job_id: str
    """The newest completed job of the video."""
    video_id: str
    video_url: str
    video_title: str
    channel: LibraryHitChannel
    published_at: NotRequired[str]
    passages: list[LibraryPassage]
    """Those that fit best, the best first."""


class LibraryHitChannel(TypedDict):
    id: str
    name: str
    url: str


class LibraryMoment(TypedDict):
    job_id: str
    start: float
    """Seconds."""
    url: str
    """The moment of the video."""


class LibraryPassage(TypedDict):
    start: float
    """Seconds."""
    end: float
    """Seconds."""
    url: str
    """The moment of the video."""
    segment_ids: list[int]
    """Consecutive segments. None is in two passages."""
    text: str
    """The segments, joined by one blank."""
    highlights: list[list[Any]]
    """What matches, from the first of its UTF-16 code units in `text` to the one after the last: whole words as they are said, in their order."""


LibraryScope: TypeAlias = "LibraryScopeValue | LibraryScopeValue2 | LibraryScopeValue3 | LibraryScopeValue4"
"""The completed videos of a batch, of some jobs, of a source, or all of your library. Jobs that are not completed are left out."""


class LibraryScopeValue(TypedDict):
    batch_id: str


class LibraryScopeValue2(TypedDict):
    job_ids: list[str]


class LibraryScopeValue3(TypedDict):
    source_id: str


class LibraryScopeValue4(TypedDict):
    all: Literal[True]


LibrarySearchKind: TypeAlias = "Literal[\"words\", \"question\"]"


class LibraryTableRequest(TypedDict):
    job_ids: list[str]
    """Completed jobs, each once. They are the rows."""
    template: NotRequired[str]
    """Its properties are the columns."""
    questions: NotRequired[list[str]]
    """Each is a column. The answers are sentences that the lines of the video carry."""


class MentionCounts(TypedDict):
    total: int
    groups: list[MentionGroup]
    """Months in their order; channels and videos by mentions."""


class MentionGroup(TypedDict):
    key: str
    """The month (UTC), such as `2026-11`; the ID of the channel or, if it has none, its name; the `video_id`."""
    mentions: int
    videos: int
    """Number of videos with a mention."""
    first: LibraryMoment
    """The first mention in the first of the videos by time."""
    last: LibraryMoment
    """The last mention in the last of the videos by time."""


MentionGrouping: TypeAlias = "Literal[\"month\", \"channel\", \"video\"]"


MessageStatus: TypeAlias = "Literal[\"pending\", \"complete\", \"failed\"]"


class ModeUsage(TypedDict):
    mode: SummaryMode
    summaries: int
    """Summaries of the jobs that completed in the range, including reused ones."""
    total_tokens: int
    """Tokens of the summaries that were written for these jobs."""
    total_cost: float
    """US dollars, with 6 decimals: the cost of these summaries."""


class NewFeed(TypedDict):
    subscription_id: NotRequired[str]
    source_id: NotRequired[str]
    all: NotRequired[Literal[True]]
    name: NotRequired[str]


class NewSubscription(TypedDict):
    source_id: NotRequired[str]
    """From `POST /sources`."""
    url: NotRequired[str]
    """Instead of `source_id`: what `POST /sources` takes."""
    action: SubscriptionAction
    options: NotRequired[VideoOptions]
    """As in `POST /videos/process`."""
    priority: NotRequired[Priority]
    filter: NotRequired[SubscriptionFilter]
    match: NotRequired[SubscriptionMatch]
    catch_up: NotRequired[int]
    """How many of the newest videos that exist already are treated as new."""
    max_per_day: NotRequired[int]
    """Maximum number of videos per UTC day. Others wait until the next one."""
    deliver: NotRequired[SubscriptionDelivery]


PaperSize: TypeAlias = "Literal[\"a4\", \"letter\"]"


Plan: TypeAlias = "Literal[\"free\", \"plus\", \"pro\"]"


Priority: TypeAlias = "Literal[\"normal\", \"high\"]"


QueryBoolean: TypeAlias = "Literal[\"true\", \"false\"]"


class QuotaStatus(TypedDict):
    limit: int | None
    """Videos per period. Null if there is no limit."""
    used: int
    """Videos accepted in the period and not returned to the quota. What is accepted without a limit, as for admin keys, does not count."""
    remaining: int | None
    """Null if there is no limit."""
    reset_at: str
    """When the next period begins."""


class RateLimitStatus(TypedDict):
    limit: int
    used: int
    remaining: int
    reset_at: str
    """When the next period begins."""


ReceiptAction: TypeAlias = "Literal[\"reserve\", \"release\", \"summary\", \"notes\", \"infographic\", \"extraction\", \"attempt\", \"chat\", \"digest\", \"fetch\", \"total\"]"


ReceiptFormat: TypeAlias = "Literal[\"json\", \"csv\", \"ndjson\"]"


ReceiptKind: TypeAlias = "Literal[\"quota\", \"model\", \"platform\"]"


class ReceiptLine(TypedDict):
    at: str
    kind: ReceiptKind
    action: ReceiptAction
    mode: NotRequired[SummaryMode]
    """Absent if the line belongs to no single summary."""
    model: NotRequired[str]
    """Present in lines of the kind `model`, except for the sum of a deleted job."""
    quantity: int
    """In `unit`. Negative for a video returned to the quota, 0 for work that cost nothing."""
    unit: ReceiptUnit
    cost_usd: float
    """US dollars, with 6 decimals."""
    saved_usd: NotRequired[float]
    """What the line would have cost if nothing had been reused."""
    reason: ReceiptReason
    message: str
    """The reason as a sentence."""
    job_id: NotRequired[str]
    """In the receipt of a batch: the job that the line belongs to."""
    digest_id: NotRequired[str]
    """In the receipt of a batch: the digest that the line belongs to."""
    message_id: NotRequired[str]
    """In the receipt of a conversation: the answer."""


ReceiptOutcome: TypeAlias = "Literal[\"completed\", \"failed\"]"


ReceiptReason: TypeAlias = "Literal[\"accepted\", \"unlimited\", \"derived\", \"job_failed\", \"job_cancelled\", \"summary_delivered\", \"model_paid\", \"written\", \"extractive\", \"reused\", \"source\", \"long_video\", \"drawn\", \"extracted\", \"refused\", \"unusable\", \"interrupted\", \"answered\", \"passages\", \"digested\", \"requested\", \"available\", \"deleted\", \"source_transcript\"]"


ReceiptSubject: TypeAlias = "Literal[\"job\", \"chat_message\", \"digest\"]"


class ReceiptTotal(TypedDict):
    """Sums over the lines."""
    cost_usd: float
    tokens: int


ReceiptUnit: TypeAlias = "Literal[\"video\", \"token\", \"request\"]"


RecordingKind: TypeAlias = "Literal[\"video\", \"import\", \"podcast\"]"


class ReplaceTemplate(TypedDict):
    description: NotRequired[str]
    """What the template is for."""
    instructions: NotRequired[str]
    """What to look for. The schema alone decides what comes out."""
    schema: FormSchema


RequestedFormat: TypeAlias = "Literal[\"json\", \"markdown\", \"text\", \"html\", \"csv\", \"srt\", \"vtt\", \"obsidian\", \"chunks\", \"anki\"]"


class ResultQuality(TypedDict):
    coverage: float | None
    """Share of the five-minute windows of the transcript that are cited, 0 to 1."""
    citation_precision: float | None
    """Share of the citations of the model that are shown, 0 to 1: they exist, are in order, and belong to a claim that passed the checks. A claim is checked against all lines that it cites together, so that one of several lines may say nothing of it. Null if there were no citations."""
    unsupported_claims: int
    """Number of claims and headings that were left out, because the segments they cite do not carry them: their words, numbers, units, dates, names, negations, opposites or shares (`all` for `some`) differ, two names have changed places, or what they quote is not there. In another language than the captions, only quotations, numbers, dates, names and negations are compared."""
    strategy: SummaryStrategy | None
    truncated: bool
    """Whether the summaries are based on a part of the transcript only, because it was cut or only passages of it were read."""
    injection_suspected: bool
    """Whether the video contains what looks like instructions to a language model. They were treated as speech."""


class ResultUsage(TypedDict):
    input_tokens: int
    """Fresh tokens, and those written to the cache."""
    output_tokens: int
    cached_input_tokens: int
    """Tokens read from the cache of the model, as far as earlier calls of your account had written them there."""
    cache_write_tokens: NotRequired[int]
    """The part of the input tokens that was written to the cache."""
    total_tokens: int
    cost_usd: float
    model: str
    """The model that was paid, even if none of its answers could be used. Otherwise the author of the summaries (`extractive` if no model wrote them), or `none`."""
    cached: bool
    """Whether every summary was written for earlier jobs of your account, so that this job cost nothing."""
    by_mode: NotRequired[ResultUsageByMode]
    """Tokens and cost of each summary; zero for one that was written for an earlier job of your account."""
    overhead: NotRequired[TokenReceipt]
    """Tokens and cost that belong to no single summary: notes on the parts of a long video, refused and unusable answers."""


class ResultUsageByMode(TypedDict):
    """Tokens and cost of each summary; zero for one that was written for an earlier job of your account."""
    tldr: NotRequired[TokenReceipt]
    detailed: NotRequired[TokenReceipt]
    study_notes: NotRequired[TokenReceipt]
    timestamped: NotRequired[TokenReceipt]
    key_insights: NotRequired[TokenReceipt]


class RotatedWebhookSecret(TypedDict):
    secret: str
    """`whsec_` and 32 bytes in base64. It is shown only in this response."""
    prefix: str
    """The first characters of the secret, by which you can recognize it."""
    created_at: str
    previous_expires_at: str | None
    """Until then, the previous secret is also used for signing. Null if there was none."""


class Segment(TypedDict):
    id: int
    """Position in the transcript, starting at 1. Citations refer to it."""
    start: float
    """Seconds."""
    duration: float
    """Seconds."""
    text: str
    speaker: NotRequired[str]
    """Who speaks, where the captions say it."""


SelectionReason: TypeAlias = "Literal[\"manual_exact_language\", \"manual_language_variant\", \"auto_exact_language\", \"auto_language_variant\", \"manual_spoken_language\", \"manual_platform_default\", \"manual_english\", \"manual_first\", \"auto_spoken_language\", \"auto_platform_default\", \"auto_english\", \"auto_first\", \"imported\"]"


class Source(TypedDict):
    source_id: str
    kind: SourceKind
    url: str
    """The source on the platform, or the feed of a podcast."""
    title: NotRequired[str]
    status: SourceStatus
    listed_at: NotRequired[str]
    """When its videos were last listed as a whole."""
    videos_total: NotRequired[int]
    """Number of videos that are listed, at most 5,000."""
    truncated: NotRequired[bool]
    """Whether the source has more videos than are listed."""
    coverage: NotRequired[SourceCoverage]
    error: NotRequired[JobError]
    """Why it could not be listed. Of a source that is `ready`: why its last refresh failed."""


class SourceCheck(TypedDict):
    checked_at: str
    method: SourceCheckMethod
    reason: NotRequired[str]
    """Why the source was listed: `first`, `requested`, `daily`, `playlist`, `feed` (podcasts), `rss_failed`, `all_new`, `details`."""
    outcome: SourceCheckOutcome
    videos_seen: NotRequired[int]
    new_videos: NotRequired[int]
    error: NotRequired[JobError]


SourceCheckMethod: TypeAlias = "Literal[\"rss\", \"listing\"]"


SourceCheckOutcome: TypeAlias = "Literal[\"ok\", \"failed\"]"


class SourceCoverage(TypedDict):
    """Of a podcast: few feeds name transcripts of their episodes."""
    episodes: int
    with_transcript: int
    """Episodes that can be processed."""


SourceKind: TypeAlias = "Literal[\"playlist\", \"channel\", \"podcast\"]"


class SourceSelect(TypedDict):
    """Which videos are meant. All conditions have to be met."""
    newest: NotRequired[int]
    """Only so many of those that fit, the newest."""
    video_ids: NotRequired[list[str]]
    """Only these. One that the source does not list is refused."""
    types: NotRequired[list[SourceVideoType]]
    """Only videos of these types."""
    not_processed: NotRequired[bool]
    """Only videos that you have neither processed nor are processing."""
    min_duration_seconds: NotRequired[int]
    """Only videos that are known to be so long."""
    max_duration_seconds: NotRequired[int]
    """Only videos that are known not to be longer."""
    published_after: NotRequired[str]
    """Only videos published from this day (UTC) or time on, as far as the platform says."""


class SourceSelection(TypedDict):
    source_id: str
    """From `POST /sources`."""
    select: NotRequired[SourceSelect]


SourceStatus: TypeAlias = "Literal[\"listing\", \"ready\", \"failed\"]"
"""`listing`: its videos are being listed for the first time. `ready`: they can be read, also while they are listed anew. `failed`: they could not be listed; `error` says why."""


class SourceVideo(TypedDict):
    video_id: str
    video_url: str
    title: str
    duration_seconds: NotRequired[int]
    published_at: NotRequired[str]
    published_at_approximate: NotRequired[Literal[True]]
    """Present if `published_at` was computed from a text such as `3 days ago`."""
    position: int
    """Place in the source: of a channel, the newest video has 1."""
    type: SourceVideoType
    state: SourceVideoState
    reason: NotRequired[SourceVideoReason]
    job_id: NotRequired[str]
    """Your latest job of this video."""
    job_status: NotRequired[JobStatus]


SourceVideoReason: TypeAlias = "Literal[\"members_only\", \"not_started\", \"live\", \"private\", \"deleted\", \"no_captions\"]"
"""`no_captions`: the feed names no transcript of the episode."""


SourceVideoState: TypeAlias = "Literal[\"listed\", \"unavailable\"]"
"""`unavailable`: cannot be processed now; `reason` says why."""


SourceVideoType: TypeAlias = "Literal[\"video\", \"short\", \"live\", \"episode\"]"
"""`short`: a short video. `live`: a stream or the recording of one. `episode`: of a podcast. Everything in a playlist is a `video`."""


class SpendingStatus(TypedDict):
    """US dollars, with 6 decimals."""
    limit_usd: float | None
    """The limit of the account. Null if there is none."""
    used_usd: float
    """What receipts say: the calls of the language model in the period."""
    reserved_usd: float
    """The highest possible cost of the calls that are running, and of those whose end is unknown, because something crashed."""
    reset_at: str
    """When the next period begins."""


class StoredAssistantMessage(TypedDict):
    message_id: str
    role: Literal["assistant"]
    content: str
    """Plain text; empty until the answer is complete."""
    status: MessageStatus
    answer_kind: NotRequired[AnswerKind]
    citations: list[ChatCitation]
    """In the order of `content`."""
    model: NotRequired[str]
    """The model that wrote the answer; `extractive` for passages, which need no model."""
    usage: NotRequired[ChatUsage]
    warnings: NotRequired[list[Warning]]
    created_at: str


class StoredLibraryAnswer(TypedDict):
    message_id: str
    role: Literal["assistant"]
    content: str
    """Plain text; empty until the answer is complete."""
    status: MessageStatus
    answer_kind: NotRequired[AnswerKind]
    citations: list[LibraryCitation]
    """In the order of `content`. A sentence that says something of two videos cites both."""
    model: NotRequired[str]
    """The model that wrote the answer; `extractive` for passages, which need no model."""
    usage: NotRequired[ChatUsage]
    warnings: NotRequired[list[Warning]]
    created_at: str


class StructuredResult(TypedDict):
    job_id: str
    status: Literal["completed"]
    """As in the status of the job and in `job.failed`."""
    video_info: VideoInfo
    comments: NotRequired[list[VideoComment]]
    """Top comments, if `include_comments` is set and they are available."""
    extractions: NotRequired[dict[str, ExtractionResult]]
    """By name of the template, if `options.templates` are set. One that could not be filled is missing, with a warning: `MODEL_REQUIRED`, `EXTRACTION_INVALID` or `SUMMARY_MODE_UNAVAILABLE`."""
    infographic_url: NotRequired[str]
    """Picture of the result, if `generate_infographic` is set and it could be made. The link works without a key for at least seven days; each result has a new one."""
    infographic_alt_text: NotRequired[str]
    """The content of the picture in words."""
    processing_time: float
    """Seconds from the start of processing to its end."""
    completed_at: str
    usage: ResultUsage
    quality: ResultQuality
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]
    format: Literal["json"]
    transcript: StructuredResultTranscript
    summaries: StructuredResultSummaries
    """By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing."""


class StructuredResultSummaries(TypedDict):
    """By mode. A summary that could not be written is missing, with the warning `SUMMARY_MODE_UNAVAILABLE`. All can be missing."""
    tldr: NotRequired[StructuredSummary]
    detailed: NotRequired[StructuredSummary]
    study_notes: NotRequired[StructuredSummary]
    timestamped: NotRequired[StructuredSummary]
    key_insights: NotRequired[StructuredSummary]


class StructuredResultTranscript(TypedDict):
    language: str
    kind: TrackKind
    name: str
    selection_reason: SelectionReason
    """Why this caption track was selected: its kind, and the rule it matched. `exact_language` and `language_variant` refer to `options.language`; `first` is the first track of the platform."""
    truncated: bool
    cleaning: NotRequired[CleaningReport]
    segments: list[Segment]


class StructuredSummary(TypedDict):
    text: str
    citations: list[Citation]
    model: str
    quality: SummaryQuality


class SubmitBatch(TypedDict):
    videos: list[BatchVideo]
    """Jobs are numbered in this order, and a video can occur more than once. The deprecated names of fields (`video_url`, `summary_mode`, `summary_type`) are accepted here as well."""
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives one event when all jobs have ended."""
    max_cost_usd: NotRequired[float]
    """What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job."""
    priority: NotRequired[Priority]
    """Accepted without effect: single jobs take precedence over those of batches."""
    digest: NotRequired[bool]
    """Makes a digest when the batch has ended. Its ID is in the status of the batch."""
    parallel_processing: NotRequired[bool]
    """Accepted without effect."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class SubmitSourceBatch(TypedDict):
    source: SourceSelection
    """Videos of a source in place of `videos`: the first 100 that fit."""
    options: NotRequired[VideoOptions]
    """With `source`: the options of all its videos."""
    custom_instructions: NotRequired[str]
    """What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan."""
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives one event when all jobs have ended."""
    max_cost_usd: NotRequired[float]
    """What all jobs of the batch together may cost, in US dollars. Those of `options` apply as well, each to its job."""
    priority: NotRequired[Priority]
    """Accepted without effect: single jobs take precedence over those of batches."""
    digest: NotRequired[bool]
    """Makes a digest when the batch has ended. Its ID is in the status of the batch."""
    parallel_processing: NotRequired[bool]
    """Accepted without effect."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class SubmitSourceVideo(TypedDict):
    source: VideoOfSource
    """A video of a source, in place of `url`."""
    options: NotRequired[VideoOptions]
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives an event when the job ends. Requires the Pro plan."""
    priority: NotRequired[Priority]
    """Jobs of priority `high` start first. `high` requires the Pro plan."""
    custom_instructions: NotRequired[str]
    """What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan."""
    use_proxy: NotRequired[bool | None]
    """`true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked."""
    force_refresh: NotRequired[bool]
    """Fetches the captions again and rewrites the summaries, instead of reusing stored ones."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class SubmitVideo(TypedDict):
    url: str
    """URL of a public video, in any of the forms that the platform uses, or its ID of 11 characters."""
    options: NotRequired[VideoOptions]
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives an event when the job ends. Requires the Pro plan."""
    priority: NotRequired[Priority]
    """Jobs of priority `high` start first. `high` requires the Pro plan."""
    custom_instructions: NotRequired[str]
    """What the summaries should focus on. Only the mode decides their structure. Requires the Pro plan."""
    use_proxy: NotRequired[bool | None]
    """`true`: use proxies only. `false`: never use them. `null` or absent: use them when direct requests are blocked."""
    force_refresh: NotRequired[bool]
    """Fetches the captions again and rewrites the summaries, instead of reusing stored ones."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]
    summary_mode: NotRequired[SummaryMode]
    """Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning."""
    summary_type: NotRequired[SummaryMode]
    """Deprecated name of `options.summary_modes`, accepted until v2.0. Responses then carry a `Deprecation` header and a warning."""


class SubmittedBatch(TypedDict):
    batch_id: str
    status: BatchStatus
    total_jobs: int
    jobs: list[SubmittedBatchJob]
    status_url: str
    results_url: str
    created_at: str
    source_id: NotRequired[str]
    """The source that the videos were selected from."""
    selected: NotRequired[int]
    """With `source`: number of videos that were selected."""
    remaining: NotRequired[int]
    """With `source`: number of videos that fit as well, but are too many for one batch."""
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class SubmittedBatchJob(TypedDict):
    index: int
    """Position in the request, starting at 0."""
    job_id: str


class SubmittedJob(TypedDict):
    job_id: str
    status: JobStatus
    video_id: str
    video_url: str
    priority: Priority
    derived_from: NotRequired[str]
    """ID of the completed job from which this one is derived. It may have been deleted since."""
    status_url: str
    result_url: str
    created_at: str
    service_name: NotRequired[str]
    agent_name: NotRequired[str]
    client_reference: NotRequired[str]


class Subscription(TypedDict):
    subscription_id: str
    source_id: str
    source_title: NotRequired[str]
    source_url: str
    action: SubscriptionAction
    options: SubscriptionOptions
    priority: Priority
    filter: NotRequired[SubscriptionFilter]
    match: NotRequired[SubscriptionMatch]
    catch_up: int
    max_per_day: NotRequired[int]
    deliver: NotRequired[SubscriptionDelivery]
    status: SubscriptionStatus
    reason: NotRequired[SubscriptionPauseReason]
    last_checked_at: NotRequired[str]
    next_check_at: NotRequired[str]
    """When its source is looked at next. May have passed."""
    created_at: str
    updated_at: str


SubscriptionAction: TypeAlias = "Literal[\"process\", \"notify\"]"
"""`process`: new videos are processed like those you submit. `notify`: they are only reported."""


class SubscriptionDelivery(TypedDict):
    webhook_url: NotRequired[str]
    """Public http(s) URL that receives the `subscription.*` events."""
    format: NotRequired[SubscriptionFormat]
    email: NotRequired[SubscriptionEmail]


SubscriptionEmail: TypeAlias = "Literal[\"each\", \"daily\", \"weekly\"]"
"""`each`: an email for every video. `daily`, `weekly`: a digest at 07:00 in the time zone of your account, weekly on Mondays."""


class SubscriptionFilter(TypedDict):
    """All conditions have to be met. Other videos are skipped."""
    types: NotRequired[list[SourceVideoType]]
    """Only videos of these types."""
    min_duration_seconds: NotRequired[int]
    """Only videos that are known to be so long."""
    max_duration_seconds: NotRequired[int]
    """Only videos that are known not to be longer."""
    title_contains: NotRequired[list[str]]
    """Only videos with any of these in their titles, in any case."""
    title_excludes: NotRequired[list[str]]
    """Only videos with none of these in their titles."""


SubscriptionFormat: TypeAlias = "Literal[\"event\", \"slack\", \"discord\"]"
"""`slack` and `discord` send the same facts in the body that incoming webhooks of those services take."""


SubscriptionHoldReason: TypeAlias = "Literal[\"quota\", \"spend\", \"plan\"]"
"""`quota`, `spend`: its items wait until there is some left. `plan`: it is paused."""


class SubscriptionItem(TypedDict):
    video_id: str
    video_url: str
    title: str
    type: SourceVideoType
    published_at: NotRequired[str]
    state: SubscriptionItemState
    reason: NotRequired[str]
    """Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for."""
    next_try_at: NotRequired[str]
    job_id: NotRequired[str]
    matches: NotRequired[list[SubscriptionMatchMoment]]
    """Where the words and phrases are said, if the subscription looks for any. At most 20."""
    first_seen_at: str
    updated_at: str


SubscriptionItemState: TypeAlias = "Literal[\"processed\", \"notified\", \"skipped\", \"waiting\", \"failed\"]"
"""`waiting`: it is going to be processed; `reason` says what it waits for."""


class SubscriptionMatch(TypedDict):
    """Words and phrases to look for in what is said, as whole words and folded as in searches of the library. Needs `action: "process"`."""
    any: list[str]


class SubscriptionMatchMoment(TypedDict):
    start: float
    """Seconds."""
    url: str
    """Link to the moment."""
    text: str


class SubscriptionMatchedEvent(TypedDict):
    id: str
    event: Literal["subscription.matched"]
    created_at: str
    api_version: Literal["v1"]
    data: SubscriptionMatchedEventData


class SubscriptionMatchedEventData(TypedDict):
    subscription_id: str
    source_id: str
    video_id: str
    video_url: str
    title: str
    state: SubscriptionItemState
    reason: NotRequired[str]
    """Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for."""
    job_id: NotRequired[str]
    result: NotRequired[StructuredResult]
    """Of a video that was processed, as with `format=json`."""
    matches: list[SubscriptionMatchMoment]


class SubscriptionOptions(TypedDict):
    max_transcript_length: int
    """Maximum size of the transcript in UTF-8 bytes. A longer one is cut between two captions, keeping at least the first, and marked as `truncated`."""
    include_comments: bool
    """Adds the top comments, if there are any."""
    language: NotRequired[str]
    track_preference: NotRequired[TrackPreference]
    """Which captions come first. `manual`: those written by people, then automatic ones. `spoken_language`: if none in `language` were requested or found, those in the spoken language, then the others. `automatic`: automatic ones, then those written by people; with `language`, all in that language before others."""
    summary_modes: list[SummaryMode]
    output_language: NotRequired[str]
    max_cost_usd: NotRequired[float]
    """What the job may cost, in US dollars. Before a call of the model, its highest possible cost must fit. What does not fit is left out, with the warning `COST_LIMIT_REACHED`; the transcript is delivered in any case."""
    templates: NotRequired[list[str]]
    generate_infographic: bool
    """Makes a picture of what the video says, for sharing: `infographic_url` of the result. If it cannot be made, the job completes with the warning `INFOGRAPHIC_UNAVAILABLE`. Requires the Pro plan."""


SubscriptionPauseReason: TypeAlias = "Literal[\"requested\", \"plan\"]"
"""`requested`: you have paused it. `plan`: the plan of your account no longer includes subscriptions."""


class SubscriptionPausedEvent(TypedDict):
    id: str
    event: Literal["subscription.paused"]
    created_at: str
    api_version: Literal["v1"]
    data: SubscriptionPausedEventData


class SubscriptionPausedEventData(TypedDict):
    subscription_id: str
    source_id: str
    reason: SubscriptionHoldReason


SubscriptionStatus: TypeAlias = "Literal[\"active\", \"paused\"]"


class SubscriptionUpdate(TypedDict):
    action: NotRequired[SubscriptionAction]
    options: NotRequired[VideoOptions]
    """As in `POST /videos/process`."""
    priority: NotRequired[Priority]
    filter: NotRequired[SubscriptionFilter | None]
    """`null` removes it."""
    match: NotRequired[SubscriptionMatch | None]
    """`null` removes it."""
    max_per_day: NotRequired[int | None]
    """Maximum number of videos per UTC day. Others wait until the next one. `null`: no limit."""
    deliver: NotRequired[SubscriptionDelivery | None]
    """Replaces it as a whole. `null` removes it."""


class SubscriptionVideoEvent(TypedDict):
    id: str
    event: Literal["subscription.video"]
    created_at: str
    api_version: Literal["v1"]
    data: SubscriptionVideoEventData


class SubscriptionVideoEventData(TypedDict):
    subscription_id: str
    source_id: str
    video_id: str
    video_url: str
    title: str
    state: SubscriptionItemState
    reason: NotRequired[str]
    """Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...), `members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet), `not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for."""
    job_id: NotRequired[str]
    result: NotRequired[StructuredResult]
    """Of a video that was processed, as with `format=json`."""


SummaryMode: TypeAlias = "Literal[\"tldr\", \"detailed\", \"study_notes\", \"timestamped\", \"key_insights\"]"


class SummaryQuality(TypedDict):
    coverage: float | None
    """Share of the five-minute windows of the transcript that are cited, 0 to 1."""
    citation_precision: float | None
    """Share of the citations of the model that are shown, 0 to 1: they exist, are in order, and belong to a claim that passed the checks. A claim is checked against all lines that it cites together, so that one of several lines may say nothing of it. Null if there were no citations."""
    unsupported_claims: int
    """Number of claims and headings that were left out, because the segments they cite do not carry them: their words, numbers, units, dates, names, negations, opposites or shares (`all` for `some`) differ, two names have changed places, or what they quote is not there. In another language than the captions, only quotations, numbers, dates, names and negations are compared."""
    strategy: SummaryStrategy | None


SummaryStrategy: TypeAlias = "Literal[\"combined\", \"per_mode\", \"map_reduce\", \"extractive\"]"
"""`combined`: one model call for all modes. `per_mode`: one call per mode. `map_reduce`: notes on the parts of a long video, then one call per mode. `extractive`: without a language model."""


class TableCell(TypedDict):
    value: Any
    """As in `data` of an extraction: a string, a number, a list, an object."""
    citations: list[TableCitation]


class TableCitation(TypedDict):
    segment_id: int
    start: float
    """Seconds."""
    url: str
    quote: str


TableFormat: TypeAlias = "Literal[\"json\", \"csv\", \"markdown\"]"


class TableRow(TypedDict):
    job_id: str
    video_id: str
    video_url: str
    video_title: str | None
    cells: dict[str, TableCell | None]
    """By column. Null: not said, or not known yet."""


TableStatus: TypeAlias = "Literal[\"processing\", \"completed\"]"


class Template(TypedDict):
    template_id: NotRequired[str]
    """Absent for a built-in template."""
    name: str
    version: int
    versions: int
    """The latest version. They are numbered from 1."""
    built_in: bool
    description: NotRequired[str]
    instructions: NotRequired[str]
    schema: FormSchema
    created_at: NotRequired[str]
    """When this version was created."""


class TemplateList(TypedDict):
    templates: list[Template]
    built_in: list[Template]


class TestWebhook(TypedDict):
    url: str
    """Public http(s) URL of your receiver."""


class Thumbnail(TypedDict):
    url: str
    width: int
    height: int


class Thumbnails(TypedDict):
    video_id: str
    video_url: str
    thumbnails: ThumbnailsThumbnails


class ThumbnailsThumbnails(TypedDict):
    default: Thumbnail
    medium: Thumbnail
    high: Thumbnail
    standard: NotRequired[Thumbnail]
    maxres: NotRequired[Thumbnail]


class TokenReceipt(TypedDict):
    fresh_input_tokens: int
    cache_write_tokens: int
    cached_input_tokens: int
    """Tokens read from the cache of the model, as far as earlier calls of your account had written them there."""
    output_tokens: int
    cost_usd: float


TrackKind: TypeAlias = "Literal[\"manual\", \"auto\"]"


TrackPreference: TypeAlias = "Literal[\"manual\", \"spoken_language\", \"automatic\"]"


TrackRole: TypeAlias = "Literal[\"dub\", \"forced\"]"


class UsageBreakdown(TypedDict):
    start_date: str
    """First instant of the range."""
    end_date: str
    """First instant after the range."""
    endpoints: list[EndpointUsage]
    """Most frequent first."""
    modes: list[ModeUsage]
    """Most expensive first. Answers in chats, infographics and failed attempts belong to no mode."""
    keys: list[KeyUsage]
    """Most frequent first. A key sees only itself."""


class UsageHistory(TypedDict):
    periods: list[UsagePeriod]
    """Newest first, without gaps: periods without usage are included."""
    summary: UsageHistorySummary
    """Sums over the periods in this response."""
    query_info: UsageHistoryQueryInfo


class UsageHistoryQueryInfo(TypedDict):
    start_date: str | None
    """First instant of the range; null if it is open."""
    end_date: str
    """First instant after the range."""
    limit: int
    offset: int
    has_more: bool
    """Whether there is usage in the range before the oldest of these periods."""


class UsageHistorySummary(TypedDict):
    """Sums over the periods in this response."""
    total_periods: int
    total_requests: int
    total_tokens: int
    total_cost: float
    """US dollars, to 6 decimals."""
    avg_requests_per_period: float
    """0 if there are no periods."""
    granularity: Granularity


class UsagePeriod(TypedDict):
    start_date: str
    """First instant of the period."""
    end_date: str
    """First instant after the period. May be in the future."""
    total_requests: int
    """All requests with a valid key or session."""
    successful_requests: int
    """Requests with a response status below 400."""
    failed_requests: int
    """All other requests, including those refused with 429."""
    total_tokens: int
    """Tokens of the jobs that ended in the period: input, output and cached input."""
    total_cost: float
    """Cost in US dollars, with 6 decimals, of the jobs that ended in the period, including failed ones."""
    videos_processed: int
    """Jobs that completed in the period."""


class UsageReceipt(TypedDict):
    subject: ReceiptSubject
    job_id: NotRequired[str]
    """Absent for answers about many videos, and for digests."""
    video_id: NotRequired[str]
    """Absent if you have deleted the job."""
    batch_id: NotRequired[str]
    derived_from: NotRequired[str]
    """ID of the completed job from which this one is derived. It may have been deleted since."""
    client_reference: NotRequired[str]
    conversation_id: NotRequired[str]
    message_id: NotRequired[str]
    digest_id: NotRequired[str]
    outcome: ReceiptOutcome
    ended_at: str
    lines: list[ReceiptLine]
    """In chronological order."""
    total: ReceiptTotal
    quota_effect: int
    """Videos that count toward the quota: those reserved less those returned."""


class UserMessage(TypedDict):
    role: Literal["user"]
    content: str
    """Plain text."""
    created_at: str


class VideoComment(TypedDict):
    author: str
    text: str
    like_count: str
    """As the platform shows it, such as `1.2K`. Empty for none."""
    published: str
    """As the platform shows it, such as `2 days ago`."""
    is_pinned: bool
    is_by_channel: bool
    """Whether the owner of the video wrote it."""


class VideoEstimate(TypedDict):
    video_id: str
    would_accept: bool
    """Whether the same request would be accepted now."""
    violations: list[EstimateViolation]
    """Why it would be refused; all reasons at once."""
    quota: EstimateQuota
    cached: EstimateCache
    cost_usd: CostRange
    tokens: EstimateTokens
    seconds: float
    """Expected time to completion."""
    basis: EstimateBasis


class VideoInfo(TypedDict):
    video_id: str
    url: str
    title: str
    channel: VideoInfoChannel
    description: str
    published_at: str | None
    """ISO 8601, or null if the platform does not say."""
    duration_seconds: float
    thumbnail_url: str
    language: str | None
    """Spoken language (BCP-47), or null if unknown."""
    is_live_archive: bool
    source: NotRequired[VideoInfoSource]
    """Where the captions are from: a video of the platform, or an import. Always present."""
    chapters: list[VideoInfoChaptersItem]
    available_tracks: NotRequired[list[AvailableTrack]]
    """All caption tracks of the video, in the order of the platform. Machine translations are not listed."""


class VideoInfoChannel(TypedDict):
    id: str
    name: str
    url: str


class VideoInfoChaptersItem(TypedDict):
    title: str
    start: float
    """Seconds."""


class VideoInfoSource(TypedDict):
    """Where the captions are from: a video of the platform, or an import. Always present."""
    kind: RecordingKind


class VideoOfSource(TypedDict):
    """A video of a source: the only way to name an episode of a podcast."""
    source_id: str
    """From `POST /sources`."""
    video_id: str
    """From `GET /sources/{source_id}/videos`."""


class VideoOptions(TypedDict):
    max_transcript_length: NotRequired[int]
    """Maximum size of the transcript in UTF-8 bytes. A longer one is cut between two captions, keeping at least the first, and marked as `truncated`."""
    include_comments: NotRequired[bool]
    """Adds the top comments, if there are any."""
    language: NotRequired[str]
    """Preferred language of the captions (BCP-47)."""
    track_preference: NotRequired[TrackPreference]
    """Which captions come first. `manual`: those written by people, then automatic ones. `spoken_language`: if none in `language` were requested or found, those in the spoken language, then the others. `automatic`: automatic ones, then those written by people; with `language`, all in that language before others."""
    summary_modes: NotRequired[list[SummaryMode]]
    """Each mode gives one summary; duplicates are ignored. `[]`: the transcript alone, which needs no language model, costs nothing and is included in every plan. The Free plan includes only `tldr`."""
    output_language: NotRequired[str]
    """Language of the summaries and of filled templates (BCP-47). Default: that of the transcript."""
    max_cost_usd: NotRequired[float]
    """What the job may cost, in US dollars. Before a call of the model, its highest possible cost must fit. What does not fit is left out, with the warning `COST_LIMIT_REACHED`; the transcript is delivered in any case."""
    templates: NotRequired[list[str]]
    """Forms to be filled from the transcript, with evidence for every value: `name` for the latest version of a template, or `name@2`. The result has them in `extractions`. Built in: `quotes`, `chapters`, `action_items`, `flashcards` (Requires the Plus plan.) Those of your account: Requires the Pro plan."""
    generate_infographic: NotRequired[bool]
    """Makes a picture of what the video says, for sharing: `infographic_url` of the result. If it cannot be made, the job completes with the warning `INFOGRAPHIC_UNAVAILABLE`. Requires the Pro plan."""


class VideoTable(TypedDict):
    table_id: str
    status: TableStatus
    columns: list[str]
    rows: list[TableRow]
    created_at: str


class Warning(TypedDict):
    code: WarningCode
    message: str
    job_id: NotRequired[str]
    """The job that it concerns, in the results of a batch."""


WarningCode: TypeAlias = "Literal[\"LANGUAGE_NOT_AVAILABLE\", \"NOT_IN_SPOKEN_LANGUAGE\", \"DUBBED_CAPTIONS\", \"FORCED_CAPTIONS\", \"TRACK_WITHOUT_SPEECH\", \"INFOGRAPHIC_UNAVAILABLE\", \"DEPRECATED_FIELD\", \"TRANSCRIPT_TRUNCATED\", \"EXTRACTIVE_SUMMARY\", \"COST_LIMIT_REACHED\", \"SUMMARY_MODE_UNAVAILABLE\", \"EXTRACTION_INVALID\", \"MODEL_REQUIRED\", \"COMMENTS_UNAVAILABLE\", \"OUTPUT_LANGUAGE_NOT_AVAILABLE\", \"INJECTION_SUSPECTED\", \"TRANSCRIPT_SAMPLED\", \"QUOTA_KEPT\", \"MODEL_UNAVAILABLE\", \"ANSWER_DECLINED\", \"MENTIONS_CAPPED\", \"WATERMARK_NOT_FOUND\", \"CITED_VIDEO_DELETED\", \"ANSWER_INCOMPLETE\"]"


class WebhookDelivery(TypedDict):
    delivery_id: str
    event_id: str
    """The `id` in the body and the `webhook-id` header of every attempt."""
    event: WebhookEventType
    job_id: NotRequired[str]
    """The job that ended, for `job.*` events."""
    batch_id: NotRequired[str]
    """The batch that ended, for `batch.*` events."""
    url: str
    """Receiver of the delivery."""
    status: DeliveryStatus
    attempt_count: int
    """Attempts made so far."""
    last_attempt: NotRequired[DeliveryAttempt]
    next_attempt_at: NotRequired[str]
    """Time of the next attempt. Absent during an attempt and after the last one."""
    created_at: str
    updated_at: str


class WebhookDeliveryWithAttempts(TypedDict):
    delivery_id: str
    event_id: str
    """The `id` in the body and the `webhook-id` header of every attempt."""
    event: WebhookEventType
    job_id: NotRequired[str]
    """The job that ended, for `job.*` events."""
    batch_id: NotRequired[str]
    """The batch that ended, for `batch.*` events."""
    url: str
    """Receiver of the delivery."""
    status: DeliveryStatus
    attempt_count: int
    """Attempts made so far."""
    last_attempt: NotRequired[DeliveryAttempt]
    next_attempt_at: NotRequired[str]
    """Time of the next attempt. Absent during an attempt and after the last one."""
    created_at: str
    updated_at: str
    attempts: list[AnsweredDeliveryAttempt]
    """The last 100 attempts, oldest first."""
    request_body: str
    """The body that every attempt sends, byte for byte; of one above 100,000 bytes, the beginning."""
    request_bytes: int
    """Size of the whole body."""


WebhookEventType: TypeAlias = "Literal[\"job.completed\", \"job.failed\", \"batch.completed\", \"digest.completed\", \"subscription.video\", \"subscription.matched\", \"subscription.paused\", \"webhook.test\"]"


class WebhookSecret(TypedDict):
    prefix: str
    """The first characters of the secret, by which you can recognize it."""
    created_at: str
    previous: list[WebhookSecretPreviousItem]
    """Previous secrets that are still used for signing, newest first."""


class WebhookSecretPreviousItem(TypedDict):
    prefix: str
    """The first characters of the secret, by which you can recognize it."""
    created_at: str
    expires_at: str
    """Until then, it signs `webhook-signature` in addition to the current secret."""


class WebhookTestEvent(TypedDict):
    id: str
    event: Literal["webhook.test"]
    created_at: str
    api_version: Literal["v1"]
    data: WebhookTestEventData


class WebhookTestEventData(TypedDict):
    test: Literal[True]
    message: str
    """A text for people."""
