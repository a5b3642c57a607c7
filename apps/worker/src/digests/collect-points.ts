import { listPoints, SUMMARY_MODES, type Summary, type SummaryMode } from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import type { DigestMaterial, StoredDigestPoint, SummarizedJob } from '@subtext/core/digests'
import { readAllCues } from '@subtext/core/transcripts'
import { placeOf } from '@subtext/render'
import type { Summarizer } from '@subtext/summarize'
import type { SummarizedPoint } from '@subtext/summarize/digests'

/** A point of a stored summary, with the moments that support it. */
export type MaterialPoint = SummarizedPoint & StoredDigestPoint

/** The short ones first: they say what matters most. */
const ORDER: readonly SummaryMode[] = ['tldr', 'key_insights', 'detailed', 'study_notes', 'timestamped']
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
): Promise<MaterialPoint[]> {
  const points: MaterialPoint[] = []
  for (const job of jobs) {
    signal.throwIfAborted()
    const stored = toPoints(job, job.summaries, job.citedStarts)
    points.push(...(stored.length > 0 ? stored : await writePoints(ctx, job, signal)))
  }
  return points
}

function toPoints(
  { jobId, info }: SummarizedJob,
  summaries: readonly Summary[],
  starts: Readonly<Record<number, number>>,
): MaterialPoint[] {
  const place = placeOf(info)
  const known = new Set<string>()
  const inOrder = [...summaries].sort((a, b) => rank(a.mode) - rank(b.mode))
  return inOrder.flatMap(({ content }) =>
    listPoints(content).flatMap(({ text, segmentIds }) => {
      const citations = segmentIds.flatMap((segmentId) => {
        const startMs = starts[segmentId]
        return startMs === undefined ? [] : [{ jobId, segmentId, startMs, place }]
      })
      if (citations.length === 0 || known.has(text)) return []
      known.add(text)
      return [{ jobId, text, segmentIds, citations }]
    }),
  )
}

const rank = (mode: SummaryMode): number => {
  const place = ORDER.indexOf(mode)
  return place < 0 ? SUMMARY_MODES.length : place
}

async function writePoints(
  { db, extractive }: CollectContext,
  job: SummarizedJob,
  signal: AbortSignal,
): Promise<MaterialPoint[]> {
  const cues = await readAllCues(db, job.transcriptId, job.cueCount)
  const written: Summary[] = []
  const track = { key: job.language, language: job.language, kind: 'manual', name: '', isDefault: true } as const
  await extractive.summarize(
    { video: job.info, track, cues, instructions: null, outputLanguage: null },
    ['tldr', 'key_insights'],
    { signal, onSummary: async (summary) => void written.push(summary), onSpending: NO_SPENDING },
  )
  const starts = Object.fromEntries(cues.map(({ startMs }, nth) => [nth + 1, startMs]))
  return toPoints(job, written, starts)
}
