import type { SummaryContent, SummaryMode, SummaryPoint, SummarySection } from '@subtext/contracts'
import { type Labels, selectLabels } from '@subtext/render'
import { at } from '@subtext/runtime'
import type { Analysis, Section } from './analysis.ts'
import { type Candidate, type Chooser, createChooser, type Uses } from './choose.ts'
import { LANGUAGE_CUES, occursIn } from './language-cues.ts'

const MAX_ACTIONS = 4
const QUESTION = /[?？؟]["'”’»)）」』]{0,3}$/u
const MAX_TIMELINE_POINTS = 40
/** The platform accepts no shorter chapters. */
const MIN_MOMENT_MS = 10_000

type SectionParts = Pick<Section, 'from' | 'to'>

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

/** Divides the sections until there are enough parts for the length of the video, and none is shorter than a moment. */
function divideSections({ sections, sentences }: Analysis): SectionParts[] {
  const startMs = sentences[0]?.startMs ?? 0
  const spanMs = Math.max(1, (sentences.at(-1)?.endMs ?? 0) - startMs)
  const partMs = Math.max(MIN_MOMENT_MS, spanMs / timelineLength(spanMs))
  return sections.flatMap(({ from, to }) => {
    const sectionMs = (sentences[to - 1]?.endMs ?? 0) - (sentences[from]?.startMs ?? 0)
    const count = clamp(Math.round(sectionMs / partMs), 1, to - from)
    return Array.from({ length: count }, (_, i) => ({
      from: from + Math.floor(((to - from) * i) / count),
      to: from + Math.floor(((to - from) * (i + 1)) / count),
    }))
  })
}

/** A moment of each part, cited from where the part begins, so that the times can be pasted as chapters. */
function layOutTimeline(analysis: Analysis, chooser: Chooser, headings: Labels): SummaryContent {
  const { sentences } = analysis
  const points: SummaryPoint[] = []
  let lastMs = -MIN_MOMENT_MS
  let lastId = 0
  for (const { from, to } of divideSections(analysis)) {
    const first = at(sentences, from)
    const firstId = first.segmentIds[0] ?? 0
    if (first.startMs - lastMs < MIN_MOMENT_MS || firstId <= lastId) continue
    const [point] = pointsOf(analysis, chooser.choose(selectWithin(analysis, from, to), 1))
    if (!point) continue
    points.push({ text: point.text, segmentIds: [...new Set([firstId, ...point.segmentIds])].sort((a, b) => a - b) })
    lastMs = first.startMs
    lastId = firstId
  }
  return { overview: [], sections: buildSection(headings.modes.timestamped, points) }
}

function layOutInsights(analysis: Analysis, chooser: Chooser, headings: Labels): SummaryContent {
  const { speech, sentences } = analysis
  const candidates = selectWinners(analysis)
  const takeaways = chooser.choose(candidates, clamp(Math.round(sentences.length / 5), 4, 6))
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const advice = candidates.filter(({ index }) => {
    const spoken = sentences[index]?.spoken ?? ''
    const isQuestion = QUESTION.test(spoken)
    return occursIn(cues?.actions, spoken) && !isQuestion && !occursIn(cues?.promotion, spoken)
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
 * Builds the summaries of the requested modes, which avoid each other's sentences. The shortest modes choose first. No summary
 * is empty, and none contains the same text twice.
 */
export function layOut(analysis: Analysis, modes: readonly SummaryMode[]): Map<SummaryMode, SummaryContent> {
  const labels = selectLabels(analysis.speech.tag)
  const uses: Uses = new Map()
  const contents = new Map<SummaryMode, SummaryContent>()
  const add = (mode: SummaryMode, build: (chooser: Chooser) => SummaryContent): void => {
    if (modes.includes(mode)) contents.set(mode, build(createChooser(analysis, uses)))
  }
  add('tldr', (chooser) => layOutTldr(analysis, chooser))
  const ofDetailed = createChooser(analysis, uses)
  const overview = modes.includes('detailed')
    ? buildOverview(analysis, ofDetailed, overviewLength(analysis.sentences.length))
    : []
  add('key_insights', (chooser) => layOutInsights(analysis, chooser, labels))
  add('timestamped', (chooser) => layOutTimeline(analysis, chooser, labels))
  add('detailed', () => ({ overview, sections: layOutSections(analysis, ofDetailed, 5) }))
  add('study_notes', (chooser) => layOutStudyNotes(analysis, chooser, labels))
  return contents
}
