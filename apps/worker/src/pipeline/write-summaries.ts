import { createHash } from 'node:crypto'
import { isLanguageAsked } from '@subtext/captions'
import type { CaptionTrack, Cue, SummaryMode, VideoInfo } from '@subtext/contracts'
import { retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import {
  addJobSpending,
  addJobSummary,
  findNotes,
  findSummaries,
  type Job,
  type JobSummary,
  listJobSummaries,
  saveNotes,
  saveSummary,
} from '@subtext/db'
import type { UnwrittenSummary } from '@subtext/summarize'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'

export interface TranscriptForSummaries {
  id: string
  info: VideoInfo
  track: CaptionTrack
  /** What the summaries may use; the whole transcript unless the job asked for less. */
  cues: Cue[]
}

export interface WrittenSummaries {
  summaries: JobSummary[]
  unwritten: UnwrittenSummary[]
}

interface WriteOptions {
  signal: AbortSignal
  /** Called as summaries are ready, with how many of the requested ones are. */
  onProgress: (ready: number) => Promise<void>
}

/**
 * The summaries of a job: those that were written before for the same transcript, mode, instructions, model and prompt are
 * taken, the rest is written, once over all workers, and kept for others, as are the notes it is written from.
 */
export async function writeSummaries(
  ctx: WorkerContext,
  job: Job,
  transcript: TranscriptForSummaries,
  { signal, onProgress }: WriteOptions,
): Promise<WrittenSummaries> {
  const modes = job.options.summary_modes
  const keys = new Map(modes.map((mode) => [mode, buildCacheKey(ctx, job, transcript, mode)]))
  const notBefore = job.forceRefresh ? job.createdAt : new Date(0)
  let unwritten: UnwrittenSummary[] = []

  /** Gives the job what is in the store; the list of it once nothing is missing. */
  const collect = async (): Promise<JobSummary[] | null> => {
    const own = await listJobSummaries(ctx.db, job.id)
    const missing = modes.filter((mode) => !own.some((summary) => summary.mode === mode))
    const kept =
      missing.length > 0
        ? await findSummaries(
            ctx.db,
            missing.map((mode) => keys.get(mode) as Buffer),
            notBefore,
          )
        : []
    for (const { id, mode } of kept) await addJobSummary(ctx.db, { jobId: job.id, mode, summaryId: id, reused: true })
    if (kept.length > 0) await onProgress(own.length + kept.length)
    if (kept.length < missing.length) return null
    // Somebody who had the job before may have added what he wrote in between: that was not reused.
    return kept.length > 0 ? listJobSummaries(ctx.db, job.id) : own
  }
  const produce = async (): Promise<JobSummary[]> => {
    const own = await listJobSummaries(ctx.db, job.id)
    const missing = modes.filter((mode) => !own.some((summary) => summary.mode === mode))
    let ready = own.length
    const source = {
      ...transcript,
      video: transcript.info,
      instructions: job.customInstructions,
      outputLanguage: selectLanguage(ctx, job, transcript),
    }
    unwritten = await ctx.summarizer.summarize(source, missing, {
      signal,
      onSummary: async (summary) => {
        const { mode, model } = summary
        // What stands in for an answer of the model must not be taken for one by later jobs.
        const cacheKey =
          model === ctx.summarizer.model ? (keys.get(mode) as Buffer) : buildCacheKey(ctx, job, transcript, mode, model)
        const made = { ...summary, id: newId(), cacheKey, transcriptId: transcript.id }
        // It is paid for: neither an outage nor the loss of the job is a reason to have it written again.
        await retryThroughOutage(signal, async () => {
          const summaryId = await saveSummary(ctx.db, made, notBefore)
          await addJobSummary(ctx.db, { jobId: job.id, mode, summaryId, reused: false })
        })
        const count = ++ready
        await retryThroughOutage(signal, () => onProgress(count))
      },
      onSpending: async (spending) => {
        const entry = { ...spending, id: newId(), jobId: job.id }
        await retryThroughOutage(signal, () => addJobSpending(ctx.db, entry))
      },
      notes: {
        // While the store is away other parts are under way, and paid for.
        find: (key) =>
          retryThroughOutage(signal, () => findNotes(ctx.db, { transcriptId: transcript.id, key }, notBefore)),
        save: (key, notes) =>
          retryThroughOutage(signal, () => saveNotes(ctx.db, { transcriptId: transcript.id, key, notes }, notBefore)),
      },
    })
    return listJobSummaries(ctx.db, job.id)
  }
  const flight = `summaries:${buildCacheKey(ctx, job, transcript, 'all').toString('base64')}`
  const { leaseSeconds } = ctx.work
  return { summaries: await singleFlight(ctx, flight, signal, { find: collect, produce, leaseSeconds }), unwritten }
}

/** Covers everything that could make the summary another one. */
function buildCacheKey(
  ctx: WorkerContext,
  job: Job,
  transcript: TranscriptForSummaries,
  mode: SummaryMode | 'all',
  model = ctx.summarizer.model,
): Buffer {
  const { promptVersion } = ctx.summarizer
  const language = selectLanguage(ctx, job, transcript)
  const { id, cues } = transcript
  const parts = [id, cues.length, mode, job.customInstructions, model, promptVersion, language]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Null where the summaries are in the language of the transcript, asked for or not. */
function selectLanguage(ctx: WorkerContext, job: Job, { track }: TranscriptForSummaries): string | null {
  const wanted = ctx.summarizer.canTranslate ? job.options.output_language : undefined
  return wanted === undefined || isLanguageAsked(wanted, track.language) ? null : wanted
}
