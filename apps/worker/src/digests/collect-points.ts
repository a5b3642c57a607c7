import type { Summary } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import type { DigestMaterial, SummarizedJob } from '@subtext/core/digests'
import { readAllCues } from '@subtext/core/transcripts'
import type { Summarizer } from '@subtext/summarize'
import { type CitedPoint, listStoredPoints } from '@subtext/summarize/digests'

const NO_SPENDING = async (): Promise<void> => {}

interface CollectContext {
  db: Context['db']
  /** Writes summaries without a model. */
  extractive: Summarizer
}

/**
 * Returns the points of the stored summaries, each once, video by video. Points of jobs without any are made without a model. They
 * are costless to make again, so nothing is stored of them.
 */
export async function collectPoints(
  ctx: CollectContext,
  { jobs }: DigestMaterial,
  signal: AbortSignal,
): Promise<CitedPoint[]> {
  const points: CitedPoint[] = []
  for (const job of jobs) {
    signal.throwIfAborted()
    const stored = listStoredPoints(job)
    points.push(...(stored.length > 0 ? stored : await writePoints(ctx, job, signal)))
  }
  return points
}

async function writePoints(
  { db, extractive }: CollectContext,
  job: SummarizedJob,
  signal: AbortSignal,
): Promise<CitedPoint[]> {
  const cues = await readAllCues(db, job.transcriptId, job.cueCount)
  const written: Summary[] = []
  const track = { key: job.language, language: job.language, kind: 'manual', name: '', isDefault: true } as const
  await extractive.summarize(
    { video: job.info, track, cues, instructions: null, outputLanguage: null },
    ['tldr', 'key_insights'],
    { signal, onSummary: async (summary) => void written.push(summary), onSpending: NO_SPENDING },
  )
  const starts = Object.fromEntries(cues.map(({ startMs }, nth) => [nth + 1, startMs]))
  return listStoredPoints({ ...job, summaries: written, citedStarts: starts })
}
