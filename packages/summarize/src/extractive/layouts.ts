import type { SummaryContent, SummaryMode, SummaryPoint, SummarySection } from '@subtext/contracts'
import type { Analysis, Section } from './analysis.ts'
import { type Candidate, type Chooser, createChooser } from './choose.ts'
import { type FixedHeadings, fixedHeadingsFor } from './fixed-headings.ts'
import { LANGUAGE_CUES, occursIn } from './language-cues.ts'

const MAX_ACTIONS = 4
const MAX_TIMELINE_POINTS = 40

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
const ascending = (indexes: number[]): number[] => [...indexes].sort((a, b) => a - b)

const pointsOf = ({ sentences }: Analysis, indexes: number[]): SummaryPoint[] =>
  indexes.flatMap((index) => {
    const sentence = sentences[index]
    return sentence ? [{ text: sentence.text, segmentIds: sentence.segmentIds }] : []
  })

const standingForAll = ({ ranking }: Analysis): Candidate[] =>
  ranking.winners.map((index) => ({ index, score: ranking.global.get(index) ?? 0 }))

const within = ({ ranking }: Analysis, from: number, to: number): Candidate[] =>
  ranking.local.slice(from, to).map((score, i) => ({ index: from + i, score }))

const buildOverview = (analysis: Analysis, chooser: Chooser, count: number): SummaryPoint[] =>
  pointsOf(analysis, ascending(chooser.choose(standingForAll(analysis), count)))

const headed = (heading: string, points: SummaryPoint[]): SummarySection[] =>
  points.length > 0 ? [{ heading, points }] : []

const layOutSections = (analysis: Analysis, chooser: Chooser, most: number): SummarySection[] => {
  const limit = Math.max(3, most - (analysis.sections.length > 6 ? 1 : 0) - (analysis.sections.length > 10 ? 1 : 0))
  return analysis.sections.flatMap(({ from, to, heading }: Section) => {
    const count = clamp(Math.ceil((to - from) / 4), 3, limit)
    return headed(heading, pointsOf(analysis, ascending(chooser.choose(within(analysis, from, to), count))))
  })
}

const layOutTldr = (analysis: Analysis, chooser: Chooser): SummaryContent => ({
  overview: buildOverview(analysis, chooser, analysis.sentences.length < 8 ? 2 : 3),
  sections: [],
})

/** A short transcript must not spend all its sentences on the overview. */
const overviewCount = (sentences: number): number => (sentences >= 9 ? 3 : Math.max(1, Math.floor(sentences / 3)))

const layOutDetailed = (analysis: Analysis, chooser: Chooser): SummaryContent => ({
  overview: buildOverview(analysis, chooser, overviewCount(analysis.sentences.length)),
  sections: layOutSections(analysis, chooser, 5),
})

const layOutStudyNotes = (analysis: Analysis, chooser: Chooser, headings: FixedHeadings): SummaryContent => {
  const notes = layOutSections(analysis, chooser, 6)
  // A term that is itself one of the notes would be said twice.
  const told = new Set(notes.flatMap(({ points }) => points.map((point) => point.text.replace(/\P{L}+$/u, ''))))
  const terms = analysis.keyTerms.filter((term) => !told.has(term.text))
  return { overview: [], sections: [...notes, ...headed(headings.keyTerms, terms)] }
}

/** About 7 points for 3 minutes, 20 for an hour, 40 from 5 hours on. */
const timelineLength = (durationMs: number): number =>
  clamp(Math.round(4 + 2.1 * Math.sqrt(durationMs / 60_000)), 4, MAX_TIMELINE_POINTS)

const layOutTimeline = (analysis: Analysis, chooser: Chooser, headings: FixedHeadings): SummaryContent => {
  const { sentences } = analysis
  const startMs = sentences[0]?.startMs ?? 0
  const spanMs = Math.max(1, (sentences.at(-1)?.endMs ?? 0) - startMs)
  const slots = Math.min(timelineLength(spanMs), sentences.length)
  const chosen: number[] = []
  let from = 0
  for (let slot = 1; slot <= slots; slot++) {
    let to = from
    while (
      to < sentences.length &&
      (slot === slots || (sentences[to]?.startMs ?? 0) < startMs + (slot * spanMs) / slots)
    )
      to++
    const taken = sentences[chosen.at(-1) ?? -1]?.segmentIds[0] ?? 0
    const later = within(analysis, from, to).filter(({ index }) => (sentences[index]?.segmentIds[0] ?? 0) > taken)
    chosen.push(...chooser.choose(later, 1))
    from = to
  }
  return { overview: [], sections: headed(headings.timeline, pointsOf(analysis, chosen)) }
}

const layOutInsights = (analysis: Analysis, chooser: Chooser, headings: FixedHeadings): SummaryContent => {
  const { speech, sentences } = analysis
  const candidates = standingForAll(analysis)
  const takeaways = chooser.choose(candidates, clamp(Math.round(sentences.length / 5), 4, 6))
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const telling = candidates.filter(({ index }) => {
    const spoken = sentences[index]?.spoken ?? ''
    return occursIn(cues?.actions, spoken) && !occursIn(cues?.promotion, spoken)
  })
  const actions = chooser.choose(telling, MAX_ACTIONS)
  return {
    overview: [],
    sections: [
      ...headed(headings.takeaways, pointsOf(analysis, takeaways)),
      ...headed(headings.actions, pointsOf(analysis, actions)),
    ],
  }
}

const LAYOUTS: Record<SummaryMode, (analysis: Analysis, chooser: Chooser, headings: FixedHeadings) => SummaryContent> =
  {
    tldr: layOutTldr,
    detailed: layOutDetailed,
    study_notes: layOutStudyNotes,
    timestamped: layOutTimeline,
    key_insights: layOutInsights,
  }

/** Never empty; no text occurs twice. */
export const layOut = (mode: SummaryMode, analysis: Analysis): SummaryContent =>
  LAYOUTS[mode](analysis, createChooser(analysis), fixedHeadingsFor(analysis.speech.language))
