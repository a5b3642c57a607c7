import type { SummaryContent, SummaryMode, SummaryPoint, SummarySection } from '@subtext/contracts'
import { type Labels, selectLabels } from '@subtext/render'
import { at } from '@subtext/runtime'
import type { Analysis, Section } from './analysis.ts'
import { type Candidate, type Chooser, createChooser, type Uses } from './choose.ts'
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

/** The sentences that represent the whole transcript. */
const selectWinners = ({ ranking }: Analysis): Candidate[] =>
  ranking.winners.map((index) => ({ index, score: ranking.global.get(index) ?? 0 }))

const selectWithin = ({ ranking }: Analysis, from: number, to: number): Candidate[] =>
  ranking.local.slice(from, to).map((score, i) => ({ index: from + i, score }))

const buildOverview = (analysis: Analysis, chooser: Chooser, count: number): SummaryPoint[] =>
  pointsOf(analysis, ascending(chooser.choose(selectWinners(analysis), count)))

/** Returns one section, or none if it would have no points. */
const buildSection = (heading: string, points: SummaryPoint[]): SummarySection[] =>
  points.length > 0 ? [{ heading, points }] : []

function layOutSections(analysis: Analysis, chooser: Chooser, maxPoints: number): SummarySection[] {
  const limit = Math.max(
    3,
    maxPoints - (analysis.sections.length > 6 ? 1 : 0) - (analysis.sections.length > 10 ? 1 : 0),
  )
  return analysis.sections.flatMap(({ from, to, heading }: Section) => {
    const count = clamp(Math.ceil((to - from) / 4), 3, limit)
    return buildSection(heading, pointsOf(analysis, ascending(chooser.choose(selectWithin(analysis, from, to), count))))
  })
}

const layOutTldr = (analysis: Analysis, chooser: Chooser): SummaryContent => ({
  overview: buildOverview(analysis, chooser, analysis.sentences.length < 8 ? 2 : 3),
  sections: [],
})

/** The length of the overview of `detailed`. It must not use up all sentences of a short transcript. */
const overviewLength = (sentences: number): number => (sentences >= 9 ? 3 : Math.max(1, Math.floor(sentences / 3)))

function layOutStudyNotes(analysis: Analysis, chooser: Chooser, headings: Labels): SummaryContent {
  for (const { sentence } of analysis.keyTerms) chooser.exclude(sentence)
  const notes = layOutSections(analysis, chooser, 6)
  const terms = analysis.keyTerms.map(({ text, segmentIds }) => ({ text, segmentIds }))
  return { overview: [], sections: [...notes, ...buildSection(headings.keyTerms, terms)] }
}

/** About 7 points for 3 minutes, 20 for an hour, 40 from 5 hours on. */
const timelineLength = (durationMs: number): number =>
  clamp(Math.round(4 + 2.1 * Math.sqrt(durationMs / 60_000)), 4, MAX_TIMELINE_POINTS)

function layOutTimeline(analysis: Analysis, chooser: Chooser, headings: Labels): SummaryContent {
  const { sentences } = analysis
  const startMs = sentences[0]?.startMs ?? 0
  const spanMs = Math.max(1, (sentences.at(-1)?.endMs ?? 0) - startMs)
  const slots = Math.min(timelineLength(spanMs), sentences.length)
  const chosen: number[] = []
  let from = 0
  for (let slot = 1; slot <= slots; slot++) {
    const endMs = slot === slots ? Number.POSITIVE_INFINITY : startMs + (slot * spanMs) / slots
    let to = from
    while (to < sentences.length && at(sentences, to).startMs < endMs) to++
    const taken = sentences[chosen.at(-1) ?? -1]?.segmentIds[0] ?? 0
    const later = selectWithin(analysis, from, to).filter(({ index }) => (sentences[index]?.segmentIds[0] ?? 0) > taken)
    chosen.push(...chooser.choose(later, 1))
    from = to
  }
  return { overview: [], sections: buildSection(headings.modes.timestamped, pointsOf(analysis, chosen)) }
}

function layOutInsights(analysis: Analysis, chooser: Chooser, headings: Labels): SummaryContent {
  const { speech, sentences } = analysis
  const candidates = selectWinners(analysis)
  const takeaways = chooser.choose(candidates, clamp(Math.round(sentences.length / 5), 4, 6))
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const advice = candidates.filter(({ index }) => {
    const spoken = sentences[index]?.spoken ?? ''
    return occursIn(cues?.actions, spoken) && !occursIn(cues?.promotion, spoken)
  })
  const actions = chooser.choose(advice, MAX_ACTIONS)
  return {
    overview: [],
    sections: [
      ...buildSection(headings.takeaways, pointsOf(analysis, takeaways)),
      ...buildSection(headings.actions, pointsOf(analysis, actions)),
    ],
  }
}

/**
 * Builds the summaries of all modes, even if only some are requested: modes avoid each other's sentences, and each must come
 * out the same every time. The shortest modes choose first. No summary is empty, and none contains the same text twice.
 */
export function layOutAll(analysis: Analysis): Record<SummaryMode, SummaryContent> {
  const labels = selectLabels(analysis.speech.language ?? 'en')
  const uses: Uses = new Map()
  const newChooser = (): Chooser => createChooser(analysis, uses)
  const tldr = layOutTldr(analysis, newChooser())
  const ofDetailed = newChooser()
  const overview = buildOverview(analysis, ofDetailed, overviewLength(analysis.sentences.length))
  const key_insights = layOutInsights(analysis, newChooser(), labels)
  const timestamped = layOutTimeline(analysis, newChooser(), labels)
  const detailed = { overview, sections: layOutSections(analysis, ofDetailed, 5) }
  const study_notes = layOutStudyNotes(analysis, newChooser(), labels)
  return { tldr, detailed, study_notes, timestamped, key_insights }
}
