import { listPoints, type SummaryContent, type SummaryMode } from '@subtext/contracts'
import { selectLabels } from '@subtext/render'
import type { Summarizer } from '../../summarizer.ts'
import { measureRouge, type Rouge } from '../rouge.ts'
import { BASELINES, type Baseline, createBaselines } from './baselines.ts'
import { isFlawed } from './flaws.ts'
import { judgePoint } from './judge-point.ts'
import { isUnspaced, type SpokenDocument, speakDocument } from './spoken-document.ts'

const MODES: SummaryMode[] = ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights']
/** The modes that summarize the whole, as the references do. */
const COMPARED = new Set<SummaryMode>(['tldr', 'detailed', 'key_insights'])

/** Figures of the summaries of several documents. Each of the ROUGE is a list with one entry for each summary. */
export interface SummaryFigures {
  documents: number
  points: number
  complete: number
  one: number
  /** Points that are shown as quotations. */
  quoted: number
  /** English ones only. */
  flawed: number
  rouge: Record<'ours' | Baseline, Rouge[]>
}

const newFigures = (): SummaryFigures => ({
  documents: 0,
  points: 0,
  complete: 0,
  one: 0,
  quoted: 0,
  flawed: 0,
  rouge: { ours: [], lead: [], LexRank: [], title: [] },
})

/** Key terms repeat their term before a sentence, so that they are no sentences themselves. */
const listJudged = (content: SummaryContent, language: string) =>
  listPoints({
    ...content,
    sections: content.sections.filter(({ heading }) => heading !== selectLabels(language).keyTerms),
  })

async function measureDocument(document: SpokenDocument, summarizer: Summarizer, own: SummaryFigures): Promise<void> {
  const track = speakDocument(document)
  const reference = document.references?.[0]
  const baselines = reference === undefined ? null : await createBaselines(track)
  own.documents++
  await summarizer.summarize(track.source, MODES, {
    signal: new AbortController().signal,
    onSpending: async () => {},
    onSummary: async ({ mode, content }) => {
      const points = listJudged(content, document.language)
      for (const point of points) {
        const { isComplete, isOne } = judgePoint(track, point)
        own.points++
        if (isComplete) own.complete++
        if (isOne) own.one++
        if (point.text.startsWith('"...')) own.quoted++
        if (document.language === 'en' && isFlawed(point.text)) own.flawed++
      }
      if (reference === undefined || baselines === null || !COMPARED.has(mode)) return
      const summary = points.map(({ text }) => text).join(isUnspaced(document.language) ? '' : ' ')
      own.rouge.ours.push(measureRouge(summary, reference, document.language))
      for (const name of BASELINES)
        own.rouge[name].push(measureRouge(baselines[name](summary.length), reference, document.language))
    },
  })
}

/** Summarizes documents without their punctuation in all modes, and compares the points with their sentences and references. */
export async function measureSummaries(
  documents: readonly SpokenDocument[],
  summarizer: Summarizer,
): Promise<SummaryFigures> {
  const figures = newFigures()
  for (const document of documents) await measureDocument(document, summarizer, figures)
  return figures
}
