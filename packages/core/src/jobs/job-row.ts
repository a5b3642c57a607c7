import type {
  ErrorCode,
  ErrorDetails,
  JobOptions,
  JobStatus,
  JobStep,
  Lane,
  Quota,
  VideoInfo,
  Warning,
} from '@subtext/contracts'
import type { EpisodeTranscript } from '../sources/episode.ts'

export interface StoredError {
  code: ErrorCode
  message: string
  retryable: boolean
  details?: ErrorDetails
}

/** What caused the work, for logs and traces. Callers never see it. */
export interface WorkOrigin {
  traceparent: string | null
  requestId: string | null
}

/** What is asked for; it never changes. */
export interface JobRequest {
  id: string
  userId: string
  apiKeyId: string | null
  lane: Lane
  priority: Lane
  videoId: string
  /** Where an imported recording or an episode is. Null for videos of the platform. */
  videoUrl: string | null
  options: JobOptions
  customInstructions: string | null
  useProxy: boolean | null
  forceRefresh: boolean
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
}

/** What the job of an import works with: its transcript, and what its owner says about the recording. */
export interface ImportedRecording {
  transcriptId: string
  info: VideoInfo
}

/** The job of an episode of a podcast works with one of these transcripts. */
export interface EpisodeRecording {
  info: VideoInfo
  transcripts: EpisodeTranscript[]
}

/** Whether a recording was imported by its account. */
export const isImported = (recording: ImportedRecording | EpisodeRecording): recording is ImportedRecording =>
  'transcriptId' in recording

/** A job to be accepted. `quota` is null for accounts without one. */
export interface NewJob extends Omit<JobRequest, 'videoUrl'>, Partial<WorkOrigin> {
  /** Default: null. */
  videoUrl?: string | null
  quota: Quota | null
  imported?: ImportedRecording | EpisodeRecording
}

export interface Job extends JobRequest {
  batchId: string | null
  /** The finished job to which this one adds. */
  derivedFrom: string | null
  /** Null until the platform has named it. */
  videoTitle: string | null
  /** What is known of a recording that is not on the platform. Null for videos of the platform, and for derived jobs. */
  imported: ImportedRecording | EpisodeRecording | null
  status: JobStatus
  /** Percent. */
  progress: number
  step: JobStep
  /** Attempts so far, including the current one. One that a worker's death interrupts is repeated, not counted again. */
  attempts: number
  /** How many workers have died while they had the job. */
  deaths: number
  /** When the job first had to wait for the platform. Null if it never had to. */
  waitingSince: Date | null
  /** When a job that is paused is attempted again; null if it is not paused. */
  nextAttemptAt: Date | null
  error: StoredError | null
  warnings: Warning[]
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** When a paused job continues. */
export const NEXT_ATTEMPT = `CASE WHEN status = 'processing' AND lease_token IS NULL AND NOT held AND wake_at > now() THEN wake_at END`

/** The columns that requests about a job need. */
export type ShownJob = Omit<
  Job,
  'apiKeyId' | 'useProxy' | 'forceRefresh' | 'webhookUrl' | 'attempts' | 'deaths' | 'waitingSince' | 'imported'
>

export const SHOWN_COLUMNS = `id, user_id AS "userId", batch_id AS "batchId", derived_from AS "derivedFrom", status, lane, priority,
  video_id AS "videoId", video_title AS "videoTitle", video_url AS "videoUrl", options, custom_instructions AS "customInstructions", service_name AS "serviceName", agent_name AS "agentName",
  client_reference AS "clientReference", progress, step, ${NEXT_ATTEMPT} AS "nextAttemptAt", error, warnings,
  created_at AS "createdAt", updated_at AS "updatedAt", started_at AS "startedAt", completed_at AS "completedAt"`

export const JOB_COLUMNS = `${SHOWN_COLUMNS}, api_key_id AS "apiKeyId", use_proxy AS "useProxy", force_refresh AS "forceRefresh", webhook_url AS "webhookUrl", attempts, deaths,
  waiting_since AS "waitingSince", imported`

/** Identifies a claim: until its lease expires, no other worker may process the job. */
export interface Lease {
  jobId: string
  token: string
}

// Conditions on the row of a known ID, in words from which the planner cannot conclude that a partial index has the row. It
// would rather read the whole of a small index of unfinished jobs than look up the row by its ID, and the index may have
// grown by the time the plan is used again.
export const IS_UNFINISHED = `status::text IN ('queued', 'processing')`
/** Whether the claim with the token in this parameter holds the job. */
export const isHeldBy = (token: string): string =>
  `lease_token IS NOT DISTINCT FROM ${token} AND status::text = 'processing'`

export interface WakeableJob {
  id: string
  lane: Lane
}
