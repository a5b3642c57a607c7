import { randomUUID } from 'node:crypto'
import type { SummaryMode } from '@subtext/contracts'
import { addJobSummary, saveSummary } from '@subtext/core/summaries'
import { saveTranscript } from '@subtext/core/transcripts'
import { buildPromptVersion, buildSummaryKey } from '@subtext/summarize'
import type { ApiContext } from '../context.ts'
import { acceptTestJob, TRACK } from './jobs.ts'

/** The model of stored summaries. */
export const MODEL = 'claude-haiku-5-5'

let videos = 0
export const newVideoId = (): string => `estimate${String(++videos).padStart(3, '0')}`
export const urlOf = (id: string): string => `https://youtu.be/${id}`

/** Stores a transcript of a video, a few hours long. */
export async function storeTranscript(ctx: ApiContext, videoId: string, cues = 3_000): Promise<string> {
  const lines = Array.from({ length: cues }, (_, index) => ({
    startMs: index * 3_000,
    durationMs: 2_900,
    text: `Line ${index + 1} says something about rivers and the sea.`,
  }))
  return (await saveTranscript(ctx.db, { id: randomUUID(), videoId, track: TRACK, cues: lines })).id
}

interface StoredSummary {
  transcriptId: string
  mode: SummaryMode
  cueCount: number
  /** The only account that may reuse it. Default: all may. */
  account?: string | null
}

/** Stores a summary as a job of this key would have had it written. */
export async function storeSummary(
  ctx: ApiContext,
  apiKey: string,
  { transcriptId, mode, cueCount, account = null }: StoredSummary,
): Promise<{ id: string; jobId: string }> {
  const cacheKey = buildSummaryKey({
    account,
    transcriptId,
    cueCount,
    mode,
    instructions: null,
    language: null,
    model: MODEL,
    promptVersion: buildPromptVersion(),
  })
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.001 }
  const id = randomUUID()
  const content = { overview: [], sections: [] }
  await saveSummary(ctx.db, { id, cacheKey, transcriptId, mode, model: MODEL, content, usage })
  const jobId = await acceptTestJob(ctx, apiKey)
  await addJobSummary(ctx.db, { jobId, mode, summaryId: id, reused: false })
  return { id, jobId }
}
