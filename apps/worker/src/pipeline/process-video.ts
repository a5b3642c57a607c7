import { isLanguageAsked } from '@subtext/captions'
import {
  type CaptionTrack,
  type CleaningReport,
  type Cue,
  type JobStep,
  ServiceError,
  type VideoComment,
  type Warning,
} from '@subtext/contracts'
import { retryDelay } from '@subtext/core/jobs'
import { type Job, type JobSummary, listJobSpendings, readCues, type StoredResult } from '@subtext/db'
import { selectCitedSegments } from '@subtext/render'
import { createPacer, EXTRACTIVE, type UnwrittenReason } from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import { buildUsage } from './build-usage.ts'
import { cutTranscript } from './cut-transcript.ts'
import { type ObtainedTranscript, obtainTranscript } from './obtain-transcript.ts'
import { type WrittenSummaries, writeSummaries } from './write-summaries.ts'

export type Report = (step: JobStep, progress: number) => Promise<void>

export interface ProcessedVideo {
  result: StoredResult
  summaries: JobSummary[]
  warnings: Warning[]
  track: CaptionTrack
  cleaning: CleaningReport | null
  cues: Cue[]
}

interface ProcessOptions<T> {
  report: Report
  signal: AbortSignal
  conclude: (done: ProcessedVideo) => Promise<T>
}

/** Progress when a step begins; the summaries share what is left. */
const PROGRESS = { video: 5, captions: 15, summaries: 40, end: 95 }

/**
 * The whole way from a video to its result, stage after stage; `conclude` receives it while the job still holds its capacity.
 * Throws `ServiceError` with the reason it cannot be gone, or `NoCapacityError`.
 */
export async function processVideo<T>(
  ctx: WorkerContext,
  job: Job,
  { report, signal, conclude }: ProcessOptions<T>,
): Promise<T> {
  const capacity = ctx.largeVideos.open()
  try {
    await report('fetching_video', PROGRESS.video)
    const obtained = await obtainTranscript(ctx, job, {
      signal,
      capacity,
      onFetchingCaptions: () => report('fetching_captions', PROGRESS.captions),
    })
    const { cueCount, cleaning } = obtained.transcript
    capacity.claim({ cues: cueCount, characters: cleaning?.characters_after })
    return await conclude(await writeResult(ctx, job, obtained, { report, signal }))
  } finally {
    capacity.release()
  }
}

async function writeResult(
  ctx: WorkerContext,
  job: Job,
  { info, transcript, selectionReason, warnings }: ObtainedTranscript,
  { report, signal }: Pick<ProcessOptions<never>, 'report' | 'signal'>,
): Promise<ProcessedVideo> {
  const fetchingComments = fetchComments(ctx, job, signal)
  await report('summarizing', PROGRESS.summaries)
  const whole: Cue[] = []
  for await (const part of readCues(ctx.db, transcript.id, transcript.cueCount)) whole.push(...part)
  const cues = await cutTranscript(whole, job.options.max_transcript_length, createPacer(signal))
  const modes = job.options.summary_modes.length
  const written = await writeSummaries(
    ctx,
    job,
    { ...transcript, info, cues },
    {
      signal,
      onProgress: (ready) =>
        report('summarizing', Math.round(PROGRESS.summaries + ((PROGRESS.end - PROGRESS.summaries) * ready) / modes)),
    },
  )
  assertSettled(ctx, job, written)

  const { summaries } = written
  const comments = await fetchingComments
  const usage = buildUsage(summaries, await listJobSpendings(ctx.db, job.id))
  const cited = selectCitedSegments(summaries.map((summary) => summary.content))
  const completedAt = ctx.clock()
  const truncated = cues.length < transcript.cueCount
  return {
    summaries,
    track: transcript.track,
    cleaning: transcript.cleaning,
    cues,
    warnings: [
      ...warnings,
      ...listWarnings(ctx, job, written, { truncated, comments, language: transcript.track.language }),
    ],
    result: {
      jobId: job.id,
      transcriptId: transcript.id,
      cueCount: cues.length,
      truncated,
      selectionReason,
      videoInfo: info,
      citedStarts: startsOf(cited, cues),
      usage,
      comments,
      processingMs: Math.max(0, completedAt.getTime() - (job.startedAt ?? completedAt).getTime()),
      completedAt,
    },
  }
}

/** Comments are an extra: where they cannot be had, the result comes without them. */
async function fetchComments(ctx: WorkerContext, job: Job, signal: AbortSignal): Promise<VideoComment[] | null> {
  if (!job.options.include_comments) return null
  try {
    return await ctx.source.fetchComments(job.videoId, { signal, useProxy: job.useProxy })
  } catch (error) {
    ctx.log.warn('comments not fetched', { video_id: job.videoId, error: (error as Error).message })
    return null
  }
}

/** A citation that points nowhere gets no time, and is dropped where it would be shown. */
function startsOf(segmentIds: number[], cues: Cue[]): Record<number, number> {
  const starts: Record<number, number> = {}
  for (const id of segmentIds) {
    const cue = cues[id - 1]
    if (cue) starts[id] = cue.startMs
  }
  return starts
}

/**
 * A mode that may still be written is worth another try: what is written already is kept and not paid for twice. Only
 * when the tries are used up, or the refusal is final, the result goes out without the mode. Without any, it does so when
 * that is because of the video, whose transcript is all there will ever be; else the job fails, and may be submitted again.
 */
function assertSettled(ctx: WorkerContext, job: Job, { summaries, unwritten }: WrittenSummaries): void {
  const again = unwritten.find(({ error }) => retryDelay(error, job.attempts, ctx.work.retrySchedule) !== null)
  if (again) throw again.error
  if (summaries.length > 0) return
  const unavailable = unwritten.find(({ reason }) => reason === 'unavailable')
  if (unavailable || unwritten.length === 0) throw unavailable?.error ?? new ServiceError('SUMMARY_UNAVAILABLE')
}

/** What summaries made of the transcript's own sentences cannot be. */
function listExtractiveWarnings(ctx: WorkerContext, job: Job, summaries: JobSummary[], language: string): Warning[] {
  const extractive = summaries.filter((summary) => summary.model === EXTRACTIVE).map(({ mode }) => `\`${mode}\``)
  if (extractive.length === 0) return []
  const isSubstitute = ctx.summarizer.model !== EXTRACTIVE
  const message = isSubstitute
    ? `The language model gave no usable answer for ${extractive.join(', ')}: made of sentences of the transcript instead.`
    : 'The summaries are made of sentences of the transcript; no language model is configured.'
  const warnings: Warning[] = [{ code: 'EXTRACTIVE_SUMMARY', message }]
  const wanted = job.options.output_language
  if (wanted && !isLanguageAsked(wanted, language)) {
    const which = isSubstitute ? extractive.join(', ') : 'The summaries'
    warnings.push({
      code: 'OUTPUT_LANGUAGE_NOT_AVAILABLE',
      message: `In \`${language}\`: ${which}. Without a language model they cannot be in another language.`,
    })
  }
  return warnings
}

const WHY_UNWRITTEN: Record<UnwrittenReason, string> = {
  declined: 'the language model declined to summarize this video',
  'too-long': 'the transcript is too long for the language model',
  unusable: 'the language model gave no usable answer',
  wordless: 'the transcript has no words to summarize',
  unavailable: 'the language model could not be used at present',
}

function listWarnings(
  ctx: WorkerContext,
  job: Job,
  { summaries, unwritten }: WrittenSummaries,
  { truncated, comments, language }: { truncated: boolean; comments: VideoComment[] | null; language: string },
): Warning[] {
  const warnings: Warning[] = unwritten.map(({ mode, reason }) => ({
    code: 'SUMMARY_MODE_UNAVAILABLE',
    message: `The summary \`${mode}\` could not be written: ${WHY_UNWRITTEN[reason]}.`,
  }))
  if (truncated) {
    warnings.push({ code: 'TRANSCRIPT_TRUNCATED', message: 'The transcript was cut to `max_transcript_length`.' })
  }
  warnings.push(...listExtractiveWarnings(ctx, job, summaries, language))
  if (summaries.some(({ quality }) => quality?.injectionSuspected)) {
    warnings.push({
      code: 'INJECTION_SUSPECTED',
      message: 'The video holds what looks like orders to a language model. They were treated as speech.',
    })
  }
  if (summaries.some(({ quality }) => quality?.isSampled)) {
    warnings.push({
      code: 'TRANSCRIPT_SAMPLED',
      message: 'The transcript is too long to be read whole: the summaries rest on passages from all over it.',
    })
  }
  if (job.options.generate_infographic) {
    warnings.push({ code: 'INFOGRAPHIC_DISABLED', message: 'Infographics are switched off.' })
  }
  if (job.options.include_comments && !comments) {
    warnings.push({ code: 'COMMENTS_UNAVAILABLE', message: 'The comments could not be had.' })
  }
  return warnings
}
