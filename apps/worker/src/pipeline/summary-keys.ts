import { createHash } from 'node:crypto'
import type { CaptionTrack, Cue, Summary, SummaryMode, VideoInfo } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import type { SpendingSubject } from '@subtext/core/spending'
import { buildSummaryKey, selectSummaryLanguage } from '@subtext/summarize'
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

/** A job, and what its summaries are written from. */
export interface SummarySubject {
  ctx: WorkerContext
  job: Job
  transcript: TranscriptForSummaries
}

/** Returns for whom the model is called. */
export const spendingSubjectOf = ({ userId, id, createdAt, batchId, options }: Job): SpendingSubject => ({
  userId,
  job: { id, createdAt, batchId, maxCostUsd: options.max_cost_usd ?? null },
})

/** Returns the time before which summaries and notes must not have been written to be reused. */
export const oldestReusable = ({ job }: SummarySubject): Date => (job.forceRefresh ? job.createdAt : new Date(0))

/** Returns the language of the summaries, or null if it is the language of the transcript. */
export const selectLanguage = ({ ctx, job, transcript }: SummarySubject): string | null =>
  selectSummaryLanguage(job.options.output_language, transcript.track.language, ctx.summarizer)

/** Whether only the account of the job may know what is written about the transcript. */
const isPersonal = ({ job, transcript }: SummarySubject): boolean =>
  job.customInstructions !== null || transcript.info.source?.kind === 'import'

/**
 * Returns the accounts whose summaries the job may reuse, its own one first; null stands for those that all accounts share.
 * Accounts share only what is written about videos of the platform, without instructions and from the whole transcript. Anything else would reveal, by its
 * figures or by how soon it is ready, that another account had made the same request, so it is reused only within its account.
 */
export const listSharers = (subject: SummarySubject): (string | null)[] =>
  isPersonal(subject) ? [subject.job.userId] : [subject.job.userId, null]

/** Returns the only account that may reuse a summary, or null if all may. */
const ownerOf = (subject: SummarySubject, summary: Summary): string | null =>
  isPersonal(subject) || summary.quality?.strategy === 'map_reduce' ? subject.job.userId : null

/** Returns the key of a mode's summary in the language of the job, written by the configured model. */
export const buildCacheKey = (subject: SummarySubject, account: string | null, mode: SummaryMode): Buffer =>
  buildKey(subject, { account, mode, model: subject.ctx.summarizer.model })

/**
 * Returns the key of a summary that was just written. It names the model that wrote the summary, so that later jobs do not mistake
 * a fallback for the language model's answer.
 */
export const buildWrittenKey = (subject: SummarySubject, summary: Summary): Buffer =>
  buildKey(subject, { account: ownerOf(subject, summary), mode: summary.mode, model: summary.model })

/**
 * Returns the name under which jobs agree on which of them writes the summaries. Accounts that cannot share summaries need not
 * wait for each other.
 */
export function buildFlightKey(subject: SummarySubject): string {
  const { ctx, job, transcript } = subject
  const isOwn = isPersonal(subject) || (ctx.summarizer.readsInParts?.(transcript.cues) ?? false)
  const account = isOwn ? job.userId : null
  return `summaries:${buildKey(subject, { account, mode: 'all', model: ctx.summarizer.model }).toString('base64')}`
}

interface KeyParts {
  account: string | null
  mode: SummaryMode | 'all'
  model: string
}

const buildKey = (subject: SummarySubject, parts: KeyParts): Buffer =>
  buildSummaryKey({
    ...parts,
    transcriptId: subject.transcript.id,
    cueCount: subject.transcript.cues.length,
    instructions: subject.job.customInstructions,
    promptVersion: subject.ctx.summarizer.promptVersion,
    language: selectLanguage(subject),
  })

/** Returns the address of the account's notes that have this key. */
export const addressNotes = ({ job, transcript }: SummarySubject, key: Buffer) => ({
  userId: job.userId,
  transcriptId: transcript.id,
  key: createHash('sha256').update(job.userId).update(key).digest(),
})
