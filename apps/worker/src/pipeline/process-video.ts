import {
  type CaptionTrack,
  type CleaningReport,
  type Cue,
  EXTRACTIVE,
  type Extraction,
  type JobStep,
  type Plan,
  ServiceError,
  type VideoComment,
  type Warning,
} from '@subtext/contracts'
import type { RegisteredBlob } from '@subtext/core/blobs'
import {
  type ClaimLook,
  isImported,
  type Job,
  type ResultBasis,
  retryDelay,
  StaleResultError,
  type StoredResult,
} from '@subtext/core/jobs'
import type { NewEntry } from '@subtext/core/library'
import { type JobSummary, listJobWork, type UnsavedWork } from '@subtext/core/summaries'
import { readAllCues } from '@subtext/core/transcripts'
import { buildUsage } from '@subtext/core/usage'
import { selectCitedSegments, truncateTranscript } from '@subtext/render'
import { withSpan } from '@subtext/runtime'
import { createPacer, listSummaryWarnings } from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import { assertFilled, fillTemplates, listTemplateWarnings } from './fill-templates.ts'
import { findImport } from './find-import.ts'
import { findSource } from './find-source.ts'
import { keepThumbnail } from './keep-thumbnail.ts'
import { makeInfographic } from './make-infographic.ts'
import { type ObtainedTranscript, type ObtainOptions, obtainTranscript } from './obtain-transcript.ts'
import { type WrittenSummaries, writeSummaries } from './write-summaries.ts'

export type ReportProgress = (step: JobStep, progress: number, videoTitle?: string) => void

export interface ProcessedVideo {
  result: StoredResult
  summaries: JobSummary[]
  extractions: Extraction[]
  unsaved: UnsavedWork | null
  basis: ResultBasis
  /** What the library of the account has of the video. */
  entry: NewEntry
  warnings: Warning[]
  track: CaptionTrack
  cleaning: CleaningReport | null
  cues: Cue[]
  /** The thumbnail of the video, if one was stored. */
  thumbnail?: RegisteredBlob | null
}

interface ProcessOptions<T> {
  /** The plan of the account. Default: no plan, which includes nothing. */
  plan?: Plan | null
  /** What the statement that claimed the job found out about the video. */
  look?: ClaimLook
  report: ReportProgress
  signal: AbortSignal
  conclude: (done: ProcessedVideo) => Promise<T>
}

/** Percentage at the beginning of each step. Summaries divide the range up to the next step among themselves. */
const PROGRESS = { video: 5, captions: 15, summaries: 40, infographic: 85, end: 95 }

/**
 * Processes a video from its ID to its result. `conclude` receives the result while the job still holds its capacity for a
 * large video. Throws `ServiceError` with the reason of a failure, or `NoCapacityError`.
 */
export async function processVideo<T>(
  ctx: WorkerContext,
  job: Job,
  { plan = null, look, report, signal, conclude }: ProcessOptions<T>,
): Promise<T> {
  const capacity = ctx.largeVideos.open()
  try {
    report('fetching_video', PROGRESS.video)
    const obtained = await withSpan('obtain transcript', {}, () =>
      obtain(ctx, job, {
        signal,
        capacity,
        look,
        onFetchingCaptions: ({ title }) => report('fetching_captions', PROGRESS.captions, title),
      }),
    )
    const { cueCount, cleaning } = obtained.transcript
    capacity.claim({ cues: cueCount, characters: cleaning?.characters_after })
    const keepingThumbnail = obtained.source || job.imported ? null : keepThumbnail(ctx, job, { plan, signal })
    const write = async () => {
      const written = await writeResult(ctx, job, obtained, { report, signal })
      return conclude({ ...written, thumbnail: await keepingThumbnail })
    }
    // A worker that held the job before may add what it has paid for until the job ends. Nothing is written or paid for again.
    return await write().catch((error: unknown) => {
      if (error instanceof StaleResultError) return write()
      throw error
    })
  } finally {
    capacity.release()
  }
}

/**
 * Returns the video and its transcript: from the job that this one extends, from what it has imported, or from the platform or the
 * publisher of a podcast.
 */
function obtain(ctx: WorkerContext, job: Job, options: ObtainOptions): Promise<ObtainedTranscript> {
  if (job.derivedFrom) return findSource(ctx, job, job.derivedFrom)
  const { imported } = job
  return imported && isImported(imported) ? findImport(ctx, job, imported) : obtainTranscript(ctx, job, options)
}

async function writeResult(
  ctx: WorkerContext,
  job: Job,
  { info, transcript, cues: fetched, selectionReason, warnings, source }: ObtainedTranscript,
  { report, signal }: Pick<ProcessOptions<never>, 'report' | 'signal'>,
): Promise<ProcessedVideo> {
  const fetchingComments = source ? Promise.resolve(source.comments ?? null) : fetchComments(ctx, job, signal)
  report(isWriting(job) || source ? 'summarizing' : 'fetching_captions', PROGRESS.summaries, info.title)
  const allCues = fetched ?? (await readAllCues(ctx.db, transcript.id, transcript.cueCount))
  // A transcript that was cut for the source stays cut, so that both jobs have the same segments.
  const cues = source
    ? allCues
    : await truncateTranscript(allCues, job.options.max_transcript_length, createPacer(signal))
  const { generate_infographic: wantsInfographic } = job.options
  const onProgress = reportReady(job, report)
  const toSummarize = { ...transcript, info, cues, isNew: fetched !== undefined }
  const indexing = indexCues(ctx, { cues, language: transcript.track.language, jobId: job.id }, signal)
  const written = await withSpan(
    'write summaries',
    { attributes: { 'subtext.modes': job.options.summary_modes } },
    () => writeSummaries(ctx, job, toSummarize, { signal, onProgress, endsNext: endsNext(job) }),
  )
  assertSettled(ctx, job, written)

  const { summaries } = written
  const filled = await fillTemplates(ctx, { job, transcript: { ...transcript, info, cues }, signal })
  assertFilled(ctx, job, summaries, filled)
  const { extractions } = filled
  const comments = await fetchingComments
  let pictureWarnings: Warning[] = []
  if (wantsInfographic) {
    report('rendering_infographic', PROGRESS.infographic)
    pictureWarnings = await makeInfographic(ctx, { job, transcript: { ...transcript, info, cues }, summaries, signal })
    report('rendering_infographic', PROGRESS.end)
  }
  // Templates and the infographic may have added some.
  const spendings =
    wantsInfographic || job.options.pinned_templates ? (await listJobWork(ctx.db, job.id)).spendings : written.spendings
  const usage = buildUsage(summaries, spendings)
  const completedAt = ctx.clock()
  const truncated = source?.truncated ?? cues.length < transcript.cueCount
  return {
    summaries,
    extractions,
    unsaved: written.unsaved,
    basis: { summaries: summaries.length, spendings: spendings.length },
    entry: await indexing,
    track: transcript.track,
    cleaning: transcript.cleaning,
    cues,
    warnings: [
      ...warnings,
      ...listWarnings(ctx, job, written, { truncated, comments, language: transcript.track.language }),
      ...listTemplateWarnings(filled),
      ...pictureWarnings,
    ],
    result: {
      jobId: job.id,
      transcriptId: transcript.id,
      cueCount: cues.length,
      truncated,
      selectionReason,
      videoInfo: info,
      citedStarts: startsOf(listCited(summaries, extractions), cues),
      usage,
      comments,
      processingMs: measureProcessing(job, completedAt),
      completedAt,
    },
  }
}

/** Indexes a transcript. If that fails, the job does not: searches then look into the text. */
async function indexCues(
  ctx: WorkerContext,
  { cues, language, jobId }: { cues: Cue[]; language: string; jobId: string },
  signal: AbortSignal,
): Promise<NewEntry> {
  try {
    return { language, ...(await ctx.indexTranscript({ cues, language }, signal)) }
  } catch (error) {
    if (!signal.aborted) ctx.log.warn('transcript not indexed', { job_id: jobId, error: (error as Error).message })
    return { language, tsvector: null, isPartial: true }
  }
}

const TRUNCATED: Warning = {
  code: 'TRANSCRIPT_TRUNCATED',
  message: 'The transcript was cut to `max_transcript_length`.',
}
const NO_COMMENTS: Warning = { code: 'COMMENTS_UNAVAILABLE', message: 'The comments are not available.' }

/** Lists what the result does differently from what the job asked for. */
const listWarnings = (
  ctx: WorkerContext,
  { options }: Job,
  written: WrittenSummaries,
  { truncated, comments, language }: { truncated: boolean; comments: VideoComment[] | null; language: string },
): Warning[] => [
  ...(truncated ? [TRUNCATED] : []),
  ...listSummaryWarnings({
    ...written,
    hasModel: ctx.summarizer.model !== EXTRACTIVE,
    language,
    outputLanguage: options.output_language,
  }),
  ...(options.include_comments && !comments ? [NO_COMMENTS] : []),
]

/** Whether this is the first attempt at the job, and its summaries are the last step. */
const endsNext = ({ options, startedAt, updatedAt }: Job): boolean =>
  startedAt?.getTime() === updatedAt.getTime() &&
  !options.include_comments &&
  !options.generate_infographic &&
  options.pinned_templates === undefined

/** Returns the milliseconds since the job was first claimed, not counting the time it waited for the platform. */
function measureProcessing({ startedAt, waitingSince, updatedAt }: Job, completedAt: Date): number {
  // The row dates from the claim of this attempt, which ended the wait.
  const waitedMs = waitingSince ? updatedAt.getTime() - waitingSince.getTime() : 0
  return Math.max(0, completedAt.getTime() - (startedAt ?? completedAt).getTime() - waitedMs)
}

/** Fetches the comments. They are optional: if they are not available, the result is built without them. */
async function fetchComments(ctx: WorkerContext, job: Job, signal: AbortSignal): Promise<VideoComment[] | null> {
  if (!job.options.include_comments || job.imported) return null
  try {
    return await ctx.source.fetchComments(job.videoId, { signal, useProxy: job.useProxy })
  } catch (error) {
    ctx.log.warn('comments not fetched', { video_id: job.videoId, error: (error as Error).message })
    return null
  }
}

/** Lists the segments that summaries and filled templates cite. */
const listCited = (summaries: readonly JobSummary[], extractions: readonly Extraction[]): number[] => [
  ...selectCitedSegments(summaries.map((summary) => summary.content)),
  ...extractions.flatMap(({ evidence }) =>
    Object.values(evidence).flatMap((lines) => lines.map((line) => line.segmentId)),
  ),
]

/** Returns a function that reports how many of the summaries of a job are ready. */
function reportReady({ options }: Job, report: ReportProgress): (ready: number) => void {
  const { summary_modes: modes, pinned_templates: templates = [], generate_infographic: wantsInfographic } = options
  const range = (wantsInfographic ? PROGRESS.infographic : PROGRESS.end) - PROGRESS.summaries
  const steps = modes.length + templates.length
  return (ready) => report('summarizing', Math.round(PROGRESS.summaries + (range * ready) / steps))
}

const isWriting = ({ options }: Job): boolean =>
  options.summary_modes.length > 0 || (options.pinned_templates ?? []).length > 0

/** Looks up the start of each cited segment. An invalid citation gets no start, and is dropped when the result is rendered. */
function startsOf(segmentIds: number[], cues: Cue[]): Record<number, number> {
  const starts: Record<number, number> = {}
  for (const id of segmentIds) {
    const cue = cues[id - 1]
    if (cue) starts[id] = cue.startMs
  }
  return starts
}

/**
 * Throws if the job should be tried again or fail. A mode that could still be written is worth another attempt: summaries that
 * exist are stored and not paid for twice. Once the attempts are used up or the refusal is final, the result is delivered without
 * the mode. A result that lacks every requested summary is delivered only if the video or a spending limit is the reason, because
 * another attempt would not change that; otherwise the job fails and can be submitted again.
 */
function assertSettled(ctx: WorkerContext, job: Job, { summaries, unwritten }: WrittenSummaries): void {
  const requested = job.options.summary_modes
  const retryable = unwritten.find(({ error }) => retryDelay(error, job.attempts, ctx.work.retrySchedule) !== null)
  if (retryable) throw retryable.error
  if (requested.length === 0 || summaries.some(({ mode }) => requested.includes(mode))) return
  if (unwritten.some(({ reason }) => reason === 'over-limit')) return
  const unavailable = unwritten.find(({ reason }) => reason === 'unavailable')
  if (unavailable || unwritten.length === 0) throw unavailable?.error ?? new ServiceError('SUMMARY_UNAVAILABLE')
}
