import { randomBytes, randomUUID } from 'node:crypto'
import {
  type CaptionTrack,
  type Cue,
  type ServiceError,
  type SubmitBatch,
  type SummaryContent,
  type SummaryMode,
  type VideoInfo,
  VideoOptions,
  type Warning,
} from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { submitBatch } from '@subtext/core/batches'
import { markInfographicDrawn, saveInfographic } from '@subtext/core/infographics'
import { claimJobById, completeJob, failJob, type NewJob } from '@subtext/core/jobs'
import type { NewEntry } from '@subtext/core/library'
import { addJobSummary, saveSummary } from '@subtext/core/summaries'
import { newJob } from '@subtext/core/testing'
import { saveTranscript } from '@subtext/core/transcripts'
import { buildSample } from '@subtext/documents/testing'
import { buildIndexTerms, foldTranscript } from '@subtext/search'
import type { ApiContext } from '../context.ts'
import { holderOf } from './accounts.ts'

export const VIDEO_URL = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const VIDEO_ID = 'dQw4w9WgXcQ'
const LEASE_SECONDS = 60

export const TRACK: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }

const VIDEO: VideoInfo = { ...newVideoInfo(VIDEO_ID), title: 'Rivers & the sea', duration_seconds: 9 }

const CONTENT: SummaryContent = { overview: [{ text: 'Rivers follow the slope.', segmentIds: [2] }], sections: [] }

export const CUES: Cue[] = ['Rain falls.', 'Rivers flow 日本.', 'They end in the sea.'].map((text, index) => ({
  startMs: index * 3_000,
  durationMs: 3_000,
  text,
}))

/** Accepts a job for the owner of the key, as the submit route does. Returns its ID. */
export async function acceptTestJob(ctx: ApiContext, key: string, overrides: Partial<NewJob> = {}): Promise<string> {
  const { userId, apiKeyId } = await holderOf(ctx, key)
  const job = newJob({ userId, apiKeyId, videoId: VIDEO_ID, ...overrides })
  await ctx.accept(job)
  return job.id
}

/** Accepts a batch of jobs for the owner of the key, without checking plan and quota. Returns its ID. */
export async function acceptTestBatch(
  ctx: ApiContext,
  key: string,
  total = 1,
  overrides: Partial<SubmitBatch> = {},
): Promise<string> {
  const holder = await holderOf(ctx, key)
  const admin = { ...holder, scopes: ['admin' as const] }
  const videos = Array.from({ length: total }, () => ({ url: VIDEO_URL, options: VideoOptions.parse({}) }))
  const { id } = await submitBatch(
    ctx,
    admin,
    { videos, priority: 'normal', ...overrides },
    { signal: new AbortController().signal },
  )
  return id
}

export const claimTestJob = async (ctx: ApiContext, jobId: string) => {
  const claimed = await claimJobById(ctx, jobId, { leaseSeconds: LEASE_SECONDS })
  if (!claimed) throw new Error(`Job ${jobId} could not be claimed.`)
  return { ...claimed.lease, job: claimed.job }
}

/** Stores a transcript for summaries to refer to. Returns its ID. */
export const saveTestTranscript = async (ctx: ApiContext, cues: Cue[] = CUES, language = 'en'): Promise<string> => {
  const track = { ...TRACK, language }
  return (await saveTranscript(ctx.db, { id: randomUUID(), videoId: VIDEO_ID, track, cues })).id
}

/** Gives a job a finished summary, as a worker does before the job ends. */
export async function addTestSummary(
  ctx: ApiContext,
  jobId: string,
  transcriptId: string,
  mode: SummaryMode = 'tldr',
): Promise<void> {
  const id = randomUUID()
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
  await saveSummary(ctx.db, {
    id,
    cacheKey: Buffer.from(id),
    transcriptId,
    mode,
    model: 'model-a',
    content: CONTENT,
    usage,
  })
  await addJobSummary(ctx.db, { jobId, mode, summaryId: id, reused: false })
}

interface EndOptions {
  cueCount?: number
  warnings?: Warning[]
  entry?: NewEntry | null
  info?: Partial<VideoInfo>
}

/** Completes a job that has its summaries, as a worker does. */
export async function endTestJob(
  ctx: ApiContext,
  lease: Awaited<ReturnType<typeof claimTestJob>>,
  transcriptId: string,
  { cueCount = CUES.length, warnings = [], entry = null, info = {} }: EndOptions = {},
): Promise<void> {
  const completed = await completeJob(
    ctx,
    { job: lease.job, lease },
    {
      result: {
        jobId: lease.jobId,
        transcriptId,
        cueCount,
        truncated: false,
        videoInfo: { ...VIDEO, ...info },
        selectionReason: 'manual_spoken_language',
        citedStarts: { 2: 3_000 },
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          cached_input_tokens: 0,
          total_tokens: 15,
          cost_usd: 0.001,
          model: 'model-a',
          cached: false,
        },
        processingMs: 4_500,
        completedAt: ctx.clock(),
      },
      warnings,
      event: null,
      entry,
    },
  )
  if (!completed) throw new Error('The lease was lost.')
}

interface CompleteOptions extends Pick<EndOptions, 'warnings' | 'info'> {
  cues?: Cue[]
  mode?: SummaryMode
  /** Of the transcript. */
  language?: string
}

/** Takes a job from the queue to its result, as a worker does. */
export async function completeTestJob(
  ctx: ApiContext,
  jobId: string,
  { cues = CUES, warnings = [], mode = 'tldr', language = 'en', info }: CompleteOptions = {},
): Promise<void> {
  const lease = await claimTestJob(ctx, jobId)
  const transcriptId = await saveTestTranscript(ctx, cues, language)
  await addTestSummary(ctx, jobId, transcriptId, mode)
  const noPace = async (): Promise<void> => {}
  const entry = { language, ...(await buildIndexTerms(await foldTranscript(cues, language, noPace), noPace)) }
  await endTestJob(ctx, lease, transcriptId, { cueCount: cues.length, warnings, entry, info })
}

/** Fails a job, as a worker does. */
export async function failTestJob(ctx: ApiContext, jobId: string, error: ServiceError): Promise<void> {
  const lease = await claimTestJob(ctx, jobId)
  if (!(await failJob(ctx, lease, { error, completedAt: ctx.clock() }))) throw new Error('The lease was lost.')
}

/** Adds an infographic to a job, whose picture could be drawn unless `isDrawn` is false. */
export async function addTestInfographic(ctx: ApiContext, jobId: string, isDrawn = true): Promise<void> {
  const { content } = buildSample('en')
  const infographic = { jobId, cacheKey: randomBytes(32), content, altText: 'In words.', linkKey: randomBytes(32) }
  await saveInfographic(ctx.db, infographic, ctx.clock())
  if (isDrawn) await markInfographicDrawn(ctx.db, jobId, ctx.clock())
}
