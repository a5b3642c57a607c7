import { ServiceError } from '@subtext/contracts'
import { type FlightLease, retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import type { Job } from '@subtext/core/jobs'
import { createReserver } from '@subtext/core/spending'
import { findNotes, findOwnCache, listJobWork, saveNotes } from '@subtext/core/summaries'
import type { SummarizeOptions, UnwrittenSummary } from '@subtext/summarize'
import { v7 as newId } from 'uuid'
import type { WorkerContext } from '../context.ts'
import { isQuick, type ReusedSummaries, reuseNothing, reuseSummaries, type SummaryRequest } from './reuse-summaries.ts'
import {
  addressNotes,
  buildFlightKey,
  buildWrittenKey,
  oldestReusable,
  selectLanguage,
  spendingSubjectOf,
  type TranscriptForSummaries,
} from './summary-keys.ts'
import type { ListedWork } from './summary-stores.ts'

export interface WrittenSummaries extends ListedWork {
  unwritten: UnwrittenSummary[]
}

/**
 * Returns the summaries of a job and what it paid for. Reuses summaries that were written before. The rest is written by one
 * worker at a time and stored for other jobs, as are the notes on long transcripts.
 */
export async function writeSummaries(
  ctx: WorkerContext,
  job: Job,
  transcript: TranscriptForSummaries,
  options: Pick<SummaryRequest, 'signal' | 'endsNext' | 'onProgress'>,
): Promise<WrittenSummaries> {
  if (job.options.summary_modes.length === 0) return keepSummaries(ctx, job)
  const request: SummaryRequest = { ...options, ctx, job, transcript }
  if (isQuick(request)) {
    const reused = await (transcript.isNew ? reuseNothing(request) : reuseSummaries(request, null))
    return writeMissing(request, reused, null)
  }
  let reused = await reuseNothing(request)
  return singleFlight<WrittenSummaries>(ctx, buildFlightKey(request), options.signal, {
    async start(lease) {
      reused = await reuseSummaries(request, lease)
      return reused.missing.length > 0 ? { lease: reused.lease } : { found: await writeMissing(request, reused, null) }
    },
    produce: (lease) => writeMissing(request, reused, lease),
    leaseSeconds: ctx.work.leaseSeconds,
  })
}

/** Returns what a job has that asks for no summary. Only those that extend another job have something. */
async function keepSummaries({ db }: WorkerContext, { id, derivedFrom }: Job): Promise<WrittenSummaries> {
  const work = derivedFrom ? await listJobWork(db, id) : { summaries: [], spendings: [] }
  return { ...work, unsaved: null, unwritten: [] }
}

/** Has the missing summaries written, and returns everything that the job has then. */
async function writeMissing(
  request: SummaryRequest,
  reused: ReusedSummaries,
  lease: FlightLease | null,
): Promise<WrittenSummaries> {
  const { store, missing, overLimit } = reused
  const tooExpensive = overLimit.map(
    (mode): UnwrittenSummary => ({
      mode,
      reason: 'over-limit',
      error: new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false }),
    }),
  )
  if (missing.length === 0) return { ...(await store.list(lease)), unwritten: tooExpensive }
  const { ctx, job, transcript } = request
  const source = {
    ...transcript,
    video: transcript.info,
    instructions: job.customInstructions,
    outputLanguage: selectLanguage(request),
  }
  const unwritten = await ctx.summarizer.summarize(source, missing, buildOptions(request, reused, lease))
  return { ...(await store.list(lease)), unwritten: [...tooExpensive, ...unwritten] }
}

/** Returns what connects the summarizer to the store. */
function buildOptions(
  request: SummaryRequest,
  { store, missing }: ReusedSummaries,
  lease: FlightLease | null,
): SummarizeOptions {
  const { ctx, job, transcript, signal, onProgress } = request
  const { length: requested } = job.options.summary_modes
  const notBefore = oldestReusable(request)
  let ready = requested - missing.length
  return {
    signal,
    async onSummary(summary) {
      const cacheKey = buildWrittenKey(request, summary)
      const written = { quality: null, ...summary, id: newId(), transcriptId: transcript.id, cacheKey }
      await store.save(written, ready + 1 === requested ? lease : null)
      onProgress(++ready)
    },
    findOwnCache: () =>
      retryThroughOutage(signal, () =>
        findOwnCache(ctx.db, { userId: job.userId, transcriptId: transcript.id, jobId: job.derivedFrom ?? job.id }),
      ),
    reserve: createReserver(ctx, spendingSubjectOf(job), { signal }),
    onSpending: store.saveSpending,
    notes: {
      // An error here would abort calls for other parts, which are already paid for.
      find: (key) => retryThroughOutage(signal, () => findNotes(ctx.db, addressNotes(request, key), notBefore)),
      save: (key, notes) =>
        retryThroughOutage(signal, () => saveNotes(ctx.db, { ...addressNotes(request, key), notes }, notBefore)),
    },
  }
}
