import { createHash } from 'node:crypto'
import type { CaptionTrack, Cue, Summary, SummaryMode, VideoInfo } from '@subtext/contracts'
import { type FlightLease, type FlightStart, retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import { findTogether } from '@subtext/core/jobs'
import {
  addJobSpending,
  addStoredSummaries,
  byMode,
  findNotes,
  findSummaries,
  findSummariesOrAcquire,
  hasOwnCache,
  type Job,
  type JobWork,
  type KnownSummaries,
  type LeaseRequest,
  listJobWork,
  type StoredChoice,
  saveJobSummary,
  saveNotes,
  type UnsavedWork,
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
  /** Whether this attempt at the job stored the transcript, so that no summaries of it can exist yet. */
  isNew?: boolean
}

export interface WrittenSummaries extends JobWork {
  unwritten: UnwrittenSummary[]
  /** Summaries that the statement ending the job has to store. Null if all are already stored. */
  unsaved: UnsavedWork | null
}

interface WriteOptions {
  signal: AbortSignal
  /**
   * Whether this is the first attempt at the job and its end comes next, so that storing summaries with the end delays nothing.
   * Default: no.
   */
  endsNext?: boolean
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
  /** Requested modes whose summaries the job lacks. */
  missing: SummaryMode[]
  /**
   * Everything that the job has and has paid for. Null if another attempt added some of it, so that it has to be read from the
   * store.
   */
  work: JobWork | null
  unsaved: UnsavedWork | null
}

/**
 * Returns the summaries of a job and what it paid for. Reuses summaries written before for the same transcript, mode,
 * instructions, model and prompt. The rest is written by one worker at a time and stored for other jobs, as are the notes on
 * long transcripts.
 *
 * Accounts share only what is written without instructions and from the whole transcript. Anything else would reveal, by its
 * figures or by how soon it is ready, that another account had made the same request, so it is reused only within its account.
 */
export async function writeSummaries(
  ctx: WorkerContext,
  job: Job,
  transcript: TranscriptForSummaries,
  options: WriteOptions,
): Promise<WrittenSummaries> {
  const notBefore = job.forceRefresh ? job.createdAt : new Date(0)
  const writing: Writing = { ...options, ctx, job, transcript, notBefore, missing: [], work: null, unsaved: null }
  if (options.endsNext && ctx.summarizer.isFree && transcript.cues.length <= MAX_UNSHARED_CUES)
    return writeAlone(writing)
  // Accounts that cannot share summaries need not wait for each other.
  const isAlone = isPersonal(job) || (ctx.summarizer.readsInParts?.(transcript.cues) ?? false)
  const account = isAlone ? job.userId : null
  const flight = `summaries:${buildCacheKey(writing, { account, mode: 'all' }).toString('base64')}`
  return singleFlight(ctx, flight, options.signal, {
    start: (lease) => reuseSummaries(writing, lease),
    produce: (lease) => writeMissing(writing, lease),
    leaseSeconds: ctx.work.leaseSeconds,
  })
}

/** A free summary of this length takes no longer than agreeing with other workers on which of them writes it. */
const MAX_UNSHARED_CUES = 1_000

/** Writes missing summaries without a lease, and leaves storing them to the statement that ends the job. */
async function writeAlone(writing: Writing): Promise<WrittenSummaries> {
  if (writing.transcript.isNew) {
    writing.missing = [...writing.job.options.summary_modes]
    writing.work = { summaries: [], spendings: [] }
  } else {
    const started = await reuseSummaries(writing, null)
    if ('found' in started) return started.found
  }
  if (writing.work) writing.unsaved = { written: [], reused: [] }
  return writeMissing(writing, null)
}

/** Jobs whose tasks arrived together look for their summaries together, too. */
const findWithOthers = findTogether({ findMany: findSummaries })

/** Adds stored summaries to the job. If others are missing, acquires the right to write them. */
async function reuseSummaries(writing: Writing, lease: LeaseRequest | null): Promise<FlightStart<WrittenSummaries>> {
  const { ctx, job, notBefore, onProgress } = writing
  const { summary_modes: modes } = job.options
  const accounts = job.customInstructions === null ? [job.userId, null] : [job.userId]
  const wanted = modes.flatMap((mode) =>
    accounts.map((account) => ({ mode, cacheKey: buildCacheKey(writing, { account, mode }) })),
  )
  const question = { jobId: job.id, userId: job.userId, wanted, notBefore }
  const known = await (lease ? findSummariesOrAcquire(ctx.db, question, lease) : findWithOthers(ctx.db, question))
  const has = new Set([...known.own, ...known.stored.map(({ summary }) => summary.mode)])
  writing.missing = modes.filter((mode) => !has.has(mode))
  const result = keepForEnd(writing, known) ?? (await addStored(writing, known))
  if (known.stored.length > 0) onProgress(modes.length - writing.missing.length)
  if (writing.missing.length > 0) return { lease: known.lease }
  return { found: result ?? { ...(await listJobWork(ctx.db, job.id)), unwritten: [], unsaved: null } }
}

/** Returns the stored summaries that the statement ending the job should add. Null if they must be added now. */
function keepForEnd({ endsNext, missing }: Writing, { stored, hasWork }: KnownSummaries): WrittenSummaries | null {
  if (!endsNext || hasWork || missing.length > 0 || stored.some(isCharged)) return null
  const summaries = stored.map(({ summary, isOwn }) => ({ ...summary, reused: isOwn })).sort(byMode)
  return { summaries, spendings: [], unwritten: [], unsaved: { written: [], reused: stored } }
}

/**
 * Whether the job is charged for a summary that another account paid for. Such a summary is added at once, so that the next job
 * of this account finds it and is not charged again.
 */
const isCharged = ({ isOwn, hasSpendings, summary: { usage } }: StoredChoice): boolean =>
  !isOwn && (hasSpendings || Object.values(usage).some((amount) => amount > 0))

/** Adds the stored summaries to the job. Returns null if the job has others that are not known here. */
async function addStored(writing: Writing, { stored, hasWork }: KnownSummaries): Promise<WrittenSummaries | null> {
  const chosen = stored.map(({ summary: { id, mode } }) => ({ id, mode }))
  const { ctx, job } = writing
  const added = chosen.length > 0 ? await addStoredSummaries(ctx.db, job.id, chosen) : { summaries: [], spendings: [] }
  writing.work = hasWork || added.summaries.length < chosen.length ? null : added
  return writing.work && { ...writing.work, unwritten: [], unsaved: null }
}

async function writeMissing(writing: Writing, lease: FlightLease | null): Promise<WrittenSummaries> {
  const { ctx, job, transcript, missing } = writing
  const ready = job.options.summary_modes.length - missing.length
  const source = {
    ...transcript,
    video: transcript.info,
    instructions: job.customInstructions,
    outputLanguage: selectLanguage(writing),
  }
  const unwritten = await ctx.summarizer.summarize(source, missing, buildOptions(writing, ready, lease))
  const { work, unsaved } = writing
  const isKnown =
    work && (unsaved || (unwritten.length === 0 && work.summaries.length >= job.options.summary_modes.length))
  if (isKnown) return { summaries: work.summaries.toSorted(byMode), spendings: work.spendings, unwritten, unsaved }
  // Some modes are still missing, or a worker that held the job before has added its own summaries.
  const list = (held?: LeaseRequest) => listJobWork(ctx.db, job.id, held)
  return { ...(await (lease ? lease.endWith(list) : list())), unwritten, unsaved: null }
}

/** Stores paid summaries as soon as the summarizer produces them, waiting out database outages. */
function buildOptions(writing: Writing, alreadyReady: number, lease: FlightLease | null): SummarizeOptions {
  const { ctx, job, transcript, notBefore, signal, onProgress, unsaved } = writing
  let ready = alreadyReady
  return {
    signal,
    async onSummary(summary) {
      const { mode, model } = summary
      // The key names the model that wrote the summary, so that later jobs do not mistake a fallback for the language model's
      // answer.
      const account = isPersonal(job, summary) ? job.userId : null
      const cacheKey = buildCacheKey(writing, { account, mode, model })
      const stored = { quality: null, ...summary, id: newId(), transcriptId: transcript.id }
      if (unsaved) {
        unsaved.written.push({ ...stored, cacheKey })
        writing.work?.summaries.push({ ...stored, reused: false })
        return onProgress(++ready)
      }
      const save = (held?: LeaseRequest) =>
        retryThroughOutage(signal, () => saveJobSummary(ctx.db, job.id, { ...stored, cacheKey }, notBefore, held))
      // Once the last one is stored, other jobs need not wait for this one.
      const isLast = ready + 1 === job.options.summary_modes.length
      const isAdded = isLast && lease ? await lease.endWith(save) : await save()
      if (isAdded) writing.work?.summaries.push({ ...stored, reused: false })
      else writing.work = null
      onProgress(++ready)
    },
    findOwnCache: () =>
      retryThroughOutage(signal, () =>
        hasOwnCache(ctx.db, { userId: job.userId, transcriptId: transcript.id, jobId: job.derivedFrom ?? job.id }),
      ),
    async onSpending(spending) {
      const entry = { ...spending, id: newId(), jobId: job.id }
      await retryThroughOutage(signal, () => addJobSpending(ctx.db, entry))
      writing.work?.spendings.push(spending)
    },
    notes: {
      // An error here would abort calls for other parts, which are already paid for.
      find: (key) => retryThroughOutage(signal, () => findNotes(ctx.db, addressNotes(writing, key), notBefore)),
      save: (key, notes) =>
        retryThroughOutage(signal, () => saveNotes(ctx.db, { ...addressNotes(writing, key), notes }, notBefore)),
    },
  }
}

/** Whether only the account of the job may reuse a summary. */
const isPersonal = ({ customInstructions }: Job, summary?: Summary): boolean =>
  customInstructions !== null || summary?.quality?.strategy === 'map_reduce'

const addressNotes = ({ job, transcript }: Writing, key: Buffer) => ({
  userId: job.userId,
  transcriptId: transcript.id,
  key: createHash('sha256').update(job.userId).update(key).digest(),
})

function buildCacheKey(
  writing: Writing,
  { account, mode, model }: { account: string | null; mode: SummaryMode | 'all'; model?: string },
): Buffer {
  const { ctx, job, transcript } = writing
  const { promptVersion, model: configuredModel } = ctx.summarizer
  return buildSummaryKey({
    account,
    transcriptId: transcript.id,
    cueCount: transcript.cues.length,
    mode,
    instructions: job.customInstructions,
    model: model ?? configuredModel,
    promptVersion,
    language: selectLanguage(writing),
  })
}

/** Returns the language of the summaries, or null if it is the language of the transcript. */
export const selectLanguage = ({ ctx, job, transcript }: Pick<Writing, 'ctx' | 'job' | 'transcript'>): string | null =>
  selectSummaryLanguage(job.options.output_language, transcript.track.language, ctx.summarizer)
