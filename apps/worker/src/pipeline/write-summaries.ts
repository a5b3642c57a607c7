import type { CaptionTrack, Cue, SummaryMode, VideoInfo } from '@subtext/contracts'
import { retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import {
  addJobSpending,
  addJobSummary,
  addStoredSummary,
  findNotes,
  findSummaries,
  type Job,
  type JobSummary,
  listJobSummaries,
  saveNotes,
  saveSummary,
} from '@subtext/db'
import {
  buildSummaryKey,
  type SummarizeOptions,
  selectSummaryLanguage,
  type UnwrittenSummary,
} from '@subtext/summarize'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'

export interface TranscriptForSummaries {
  id: string
  info: VideoInfo
  track: CaptionTrack
  /** The cues to summarize: all of the transcript, unless the job asked for less. */
  cues: Cue[]
}

export interface WrittenSummaries {
  summaries: JobSummary[]
  unwritten: UnwrittenSummary[]
}

interface WriteOptions {
  signal: AbortSignal
  /** Called as summaries become ready, with the number of requested ones that are. */
  onProgress: (ready: number) => void
}

/** The writing of one job's summaries. */
interface Writing extends WriteOptions {
  ctx: WorkerContext
  job: Job
  transcript: TranscriptForSummaries
  /** Summaries and notes written earlier are not reused. */
  notBefore: Date
}

/**
 * Returns the summaries of a job. Reuses those written before for the same transcript, mode, instructions, model and
 * prompt. The rest is written by one worker at a time and stored for other jobs, as are the notes on long transcripts.
 */
export async function writeSummaries(
  ctx: WorkerContext,
  job: Job,
  transcript: TranscriptForSummaries,
  options: WriteOptions,
): Promise<WrittenSummaries> {
  const notBefore = job.forceRefresh ? job.createdAt : new Date(0)
  const writing: Writing = { ...options, ctx, job, transcript, notBefore }
  const flight = `summaries:${buildCacheKey(writing, 'all').toString('base64')}`
  return singleFlight(ctx, flight, options.signal, {
    find: () => reuseSummaries(writing),
    produce: () => writeMissing(writing),
    leaseSeconds: ctx.work.leaseSeconds,
  })
}

/** Adds stored summaries to the job. Returns all of its summaries if none is missing, otherwise null. */
async function reuseSummaries(writing: Writing): Promise<WrittenSummaries | null> {
  const { ctx, job, notBefore, onProgress } = writing
  const { own, missing } = await listOwn(writing)
  if (missing.length === 0) return { summaries: own, unwritten: [] }
  const keys = missing.map((mode) => buildCacheKey(writing, mode))
  const stored = await findSummaries(ctx.db, keys, notBefore)
  for (const { id, mode } of stored) await addStoredSummary(ctx.db, { jobId: job.id, mode, summaryId: id })
  if (stored.length > 0) onProgress(job.options.summary_modes.length - missing.length + stored.length)
  if (stored.length < missing.length) return null
  // Read again: a worker that had the job before may have added summaries of its own meanwhile, which are not reused.
  return { summaries: await listJobSummaries(ctx.db, job.id), unwritten: [] }
}

async function writeMissing(writing: Writing): Promise<WrittenSummaries> {
  const { ctx, job, transcript } = writing
  const { missing } = await listOwn(writing)
  const ready = job.options.summary_modes.length - missing.length
  const source = {
    ...transcript,
    video: transcript.info,
    instructions: job.customInstructions,
    outputLanguage: selectLanguage(writing),
  }
  const unwritten = await ctx.summarizer.summarize(source, missing, buildOptions(writing, ready))
  return { summaries: await listJobSummaries(ctx.db, job.id), unwritten }
}

/** Lists the summaries that the job has already, and the modes that it lacks. */
async function listOwn({ ctx, job }: Writing): Promise<{ own: JobSummary[]; missing: SummaryMode[] }> {
  const own = await listJobSummaries(ctx.db, job.id)
  const missing = job.options.summary_modes.filter((mode) => !own.some((summary) => summary.mode === mode))
  return { own, missing }
}

/** Stores what the summarizer produces at once, through outages of the database too: it is paid for. */
function buildOptions(writing: Writing, alreadyReady: number): SummarizeOptions {
  const { ctx, job, transcript, notBefore, signal, onProgress } = writing
  let ready = alreadyReady
  return {
    signal,
    async onSummary(summary) {
      const { mode, model } = summary
      // The key names the model that wrote it, so that later jobs do not take a fallback for an answer of the language model.
      const cacheKey = buildCacheKey(writing, mode, model)
      const stored = { ...summary, id: newId(), cacheKey, transcriptId: transcript.id }
      // In one transaction: a job that finds the summary must also find which account paid for it.
      await retryThroughOutage(signal, () =>
        ctx.db.transaction(async (sql) => {
          const summaryId = await saveSummary(sql, stored, notBefore)
          await addJobSummary(sql, { jobId: job.id, mode, summaryId, reused: false })
        }),
      )
      onProgress(++ready)
    },
    async onSpending(spending) {
      const entry = { ...spending, id: newId(), jobId: job.id }
      await retryThroughOutage(signal, () => addJobSpending(ctx.db, entry))
    },
    notes: {
      // Failing here would abort calls for other parts, which are paid for.
      find: (key) =>
        retryThroughOutage(signal, () => findNotes(ctx.db, { transcriptId: transcript.id, key }, notBefore)),
      save: (key, notes) =>
        retryThroughOutage(signal, () => saveNotes(ctx.db, { transcriptId: transcript.id, key, notes }, notBefore)),
    },
  }
}

function buildCacheKey(writing: Writing, mode: SummaryMode | 'all', model?: string): Buffer {
  const { ctx, job, transcript } = writing
  const { promptVersion, model: configuredModel } = ctx.summarizer
  return buildSummaryKey({
    transcriptId: transcript.id,
    cueCount: transcript.cues.length,
    mode,
    instructions: job.customInstructions,
    model: model ?? configuredModel,
    promptVersion,
    language: selectLanguage(writing),
  })
}

const selectLanguage = ({ ctx, job, transcript }: Writing): string | null =>
  selectSummaryLanguage(job.options.output_language, transcript.track.language, ctx.summarizer)
