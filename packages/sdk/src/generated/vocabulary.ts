// Generated from the tables of packages/contracts by `npm run generate`. Do not edit.

/** The kinds of summary, in the order in which they are presented. */
export const SUMMARY_MODES = [
  "tldr",
  "detailed",
  "study_notes",
  "timestamped",
  "key_insights"
] as const

/** The plans, the smallest first. */
export const PLAN_NAMES = [
  "free",
  "plus",
  "pro"
] as const

/** The states of a job. */
export const JOB_STATUSES = [
  "queued",
  "processing",
  "completed",
  "failed"
] as const

/** The states of a delivery. */
export const DELIVERY_STATUSES = [
  "pending",
  "delivered",
  "failed",
  "skipped"
] as const

/** The names of the events. */
export const WEBHOOK_EVENT_TYPES = [
  "job.completed",
  "job.failed",
  "batch.completed",
  "digest.completed",
  "subscription.video",
  "subscription.matched",
  "subscription.paused",
  "webhook.test"
] as const

/** The formats that are documents rather than JSON, by their value of `?format=`. */
export const DOCUMENT_FORMATS = {
  "markdown": {
    "name": "Markdown",
    "extension": "md",
    "isTranscript": false,
    "commandName": "md"
  },
  "text": {
    "name": "Plain text",
    "extension": "txt",
    "isTranscript": false,
    "commandName": "txt"
  },
  "html": {
    "name": "Web page",
    "extension": "html",
    "isTranscript": false,
    "commandName": "html"
  },
  "csv": {
    "name": "CSV",
    "extension": "csv",
    "isTranscript": true,
    "commandName": "csv"
  },
  "srt": {
    "name": "Subtitles, SubRip",
    "extension": "srt",
    "isTranscript": true,
    "commandName": "srt"
  },
  "vtt": {
    "name": "Subtitles, WebVTT",
    "extension": "vtt",
    "isTranscript": true,
    "commandName": "vtt"
  },
  "obsidian": {
    "name": "Obsidian note",
    "extension": "md",
    "isTranscript": false,
    "commandName": "obsidian"
  },
  "chunks": {
    "name": "Passages for search",
    "extension": "ndjson",
    "isTranscript": true,
    "commandName": "chunks"
  }
} as const

/** The templates that everyone has, by name, with what they are for. */
export const BUILT_IN_TEMPLATES = {
  "quotes": "The most quotable statements, word for word.",
  "chapters": "The parts of the video with their titles. The first one starts at 0.",
  "action_items": "What is to be done, by whom, and by when.",
  "flashcards": "Questions and answers to learn from. `format=anki` returns them as cards."
} as const

/** The displayed name of the lowest plan with each feature. */
export const FEATURE_PLANS = {
  "api_keys": "Plus",
  "priority": "Pro",
  "webhooks": "Pro",
  "custom_instructions": "Pro",
  "batches": "Pro",
  "infographics": "Pro",
  "pdf_export": "Pro",
  "chat": "Pro",
  "built_in_templates": "Plus",
  "templates": "Pro",
  "subscriptions": "Pro"
} as const

/** The displayed name of the lowest plan with each summary mode. */
export const MODE_PLANS = {
  "tldr": "Free",
  "detailed": "Plus",
  "study_notes": "Plus",
  "timestamped": "Plus",
  "key_insights": "Plus"
} as const
