import { createHash, randomBytes } from 'node:crypto'
import type { Cue, InfographicContent, Warning } from '@subtext/contracts'
import { keepBlob } from '@subtext/core/blobs'
import { isDatabaseUnavailable, retryThroughOutage } from '@subtext/core/coordination'
import {
  findEarlierInfographic,
  findInfographic,
  markInfographicDrawn,
  type StoredInfographic,
  saveInfographic,
} from '@subtext/core/infographics'
import type { Job } from '@subtext/core/jobs'
import { createReserver } from '@subtext/core/spending'
import type { JobSummary } from '@subtext/core/summaries'
import { describeInfographic, nameInfographicFile } from '@subtext/documents'
import { buildInfographicKey, type InfographicWriter } from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import type { Infographics } from '../infographics.ts'
import { selectLanguage, spendingSubjectOf, type TranscriptForSummaries } from './summary-keys.ts'
import { storeSpending } from './summary-stores.ts'

const LINK_KEY_BYTES = 32

/** The picture that `infographic_url` links to. Other layouts are drawn on request. */
const LOOK = { layout: 'card', theme: 'light' } as const

const buildWarning = (message: string): Warning => ({ code: 'INFOGRAPHIC_UNAVAILABLE', message })
const DISABLED = 'Infographics are switched off on this installation.'
const WORDLESS = 'The infographic could not be made: the transcript has no statement to show.'
const FAILED = 'The infographic could not be made.'
const OVER_LIMIT: Warning = {
  code: 'COST_LIMIT_REACHED',
  message:
    'The infographic shows words of the transcript or the summaries, because the cost of a model would not fit into a spending limit.',
}

interface InfographicJob {
  job: Job
  transcript: TranscriptForSummaries & { cues: Cue[] }
  summaries: JobSummary[]
  signal: AbortSignal
}

/**
 * Makes the infographic of a job, unless it has one from an earlier attempt. Returns the warnings with which the job completes: why
 * it cannot be made, or what it lacks. Rejects only with an error that ends the job: its signal's reason, or an unavailable database.
 */
export async function makeInfographic(ctx: WorkerContext, work: InfographicJob): Promise<Warning[]> {
  if (!ctx.infographics) return [buildWarning(DISABLED)]
  const found: Warning[] = []
  try {
    const stored = await obtainContent(ctx, ctx.infographics, { ...work, onOverLimit: () => found.push(OVER_LIMIT) })
    if (!stored) {
      ctx.infographics.count({ outcome: 'empty' })
      return [...found, buildWarning(WORDLESS)]
    }
    if (!stored.drawnAt) await drawPicture(ctx, ctx.infographics, work, stored)
    ctx.infographics.count({ outcome: 'made' })
    return found
  } catch (error) {
    if (work.signal.aborted || isDatabaseUnavailable(error)) throw error
    ctx.log.warn('infographic not made', { video_id: work.job.videoId, error: (error as Error).message })
    ctx.infographics.count({ outcome: 'failed' })
    return [...found, buildWarning(FAILED)]
  }
}

/**
 * Returns the content of the infographic. The content is stored before anything is drawn, so that no later attempt pays for it
 * again.
 */
async function obtainContent(
  ctx: WorkerContext,
  { writer }: Infographics,
  work: InfographicJob & { onOverLimit: () => void },
): Promise<StoredInfographic | null> {
  const { job, transcript, signal } = work
  const find = () => retryThroughOutage(signal, () => findInfographic(ctx.db, job.id))
  const stored = await find()
  if (stored) return stored
  const cacheKey = buildCacheKey(ctx, writer, work)
  let isOverLimit = false
  const onOverLimit = () => {
    isOverLimit = true
    work.onOverLimit()
  }
  const content = (await findEarlier(ctx, job, cacheKey)) ?? (await write(ctx, writer, { ...work, onOverLimit }))
  if (!content) return null
  const altText = describeInfographic(content, transcript.info)
  // A later job may be allowed to pay for better words, so it must not find these.
  const storedKey = isOverLimit ? createHash('sha256').update(cacheKey).update('over limit').digest() : cacheKey
  const infographic = { jobId: job.id, cacheKey: storedKey, content, altText, linkKey: randomBytes(LINK_KEY_BYTES) }
  await retryThroughOutage(signal, () => saveInfographic(ctx.db, infographic, ctx.clock()))
  // Another worker that held the job before may have stored one.
  return find()
}

const findEarlier = (ctx: WorkerContext, job: Job, cacheKey: Buffer): Promise<InfographicContent | null> =>
  findEarlierInfographic(ctx.db, job.userId, cacheKey, job.forceRefresh ? job.createdAt : new Date(0))

const write = (
  ctx: WorkerContext,
  writer: InfographicWriter,
  { job, transcript, summaries, signal, onOverLimit }: InfographicJob & { onOverLimit: () => void },
): Promise<InfographicContent | null> =>
  writer.write(
    {
      video: transcript.info,
      track: transcript.track,
      cues: transcript.cues,
      instructions: job.customInstructions,
      outputLanguage: selectLanguage({ ctx, job, transcript }),
    },
    summaries,
    {
      signal,
      reserve: createReserver(ctx, spendingSubjectOf(job), { signal }),
      onOverLimit,
      onSpending: (spending) => storeSpending({ ctx, job, signal }, spending),
    },
  )

const buildCacheKey = (
  ctx: WorkerContext,
  { version, model }: InfographicWriter,
  { job, transcript, summaries }: InfographicJob,
): Buffer =>
  buildInfographicKey({
    version,
    model,
    transcriptId: transcript.id,
    cueCount: transcript.cues.length,
    instructions: job.customInstructions,
    language: selectLanguage({ ctx, job, transcript }),
    summaryIds: summaries.map(({ id }) => id),
  })

async function drawPicture(
  ctx: WorkerContext,
  { draw }: Infographics,
  { job, transcript, signal }: InfographicJob,
  { content }: StoredInfographic,
): Promise<void> {
  const png = await draw({ content, video: transcript.info, ...LOOK }, signal)
  const file = { jobId: job.id, name: nameInfographicFile(LOOK, 'png'), contentType: 'image/png' }
  // A picture that could not be stored is drawn again on request.
  await keepBlob(ctx, file, png).catch((error: Error) =>
    ctx.log.warn('infographic not stored', { video_id: job.videoId, error: error.message }),
  )
  await retryThroughOutage(signal, () => markInfographicDrawn(ctx.db, job.id, ctx.clock()))
}
