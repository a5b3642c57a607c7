import { listPoints, type SummaryContent, type SummaryMode, type SummaryPoint } from '@subtext/contracts'
import type { CitationTarget } from './citations.ts'
import { foldText } from './fold-text.ts'
import { type Moment, markdownSyntax, plainSyntax, type Syntax, type TimedClaim } from './syntax.ts'

interface Layout {
  syntax: Syntax
  target: CitationTarget
  /** Level of the summary's own headings. */
  level: number
}

const MAX_MOMENTS = 3

const hasText = (point: SummaryPoint): boolean => foldText(point.text) !== ''

/** Returns where the passages begin that a point rests on: neighboring segments are one passage. The first ones only. */
function findMoments({ segmentIds }: SummaryPoint, { place, startOf }: CitationTarget): Moment[] {
  const ids = [...new Set(segmentIds)].sort((a, b) => a - b)
  return ids
    .filter((id, index) => ids[index - 1] !== id - 1)
    .flatMap((segmentId) => {
      const startMs = startOf(segmentId)
      return startMs === undefined ? [] : [{ place, startMs, segmentId }]
    })
    .slice(0, MAX_MOMENTS)
}

const toClaim = (point: SummaryPoint, target: CitationTarget): TimedClaim => ({
  text: point.text,
  moments: findMoments(point, target),
})

const layOutParagraph = ({ syntax, target }: Layout, points: SummaryPoint[]): string =>
  syntax.claims(points.map((point) => toClaim(point, target)))

const layOutItems = ({ syntax, target }: Layout, points: SummaryPoint[], numbered: boolean): string =>
  syntax.list(
    points.filter(hasText).map((point) => syntax.claim(toClaim(point, target))),
    numbered,
  )

const layOutSections = (layout: Layout, content: SummaryContent): string[] =>
  content.sections.flatMap((section) => [
    foldText(section.heading) === '' ? '' : layout.syntax.heading({ level: layout.level, text: section.heading }),
    layOutItems(layout, section.points, false),
  ])

/** Returns the points in the order of their earliest known time. A point without a time stays after the one before it. */
const orderByTime = (points: SummaryPoint[], target: CitationTarget) => {
  let rank = Number.NEGATIVE_INFINITY
  const timed = points.map((point) => {
    const [moment] = findMoments(point, target)
    rank = moment?.startMs ?? rank
    return { text: point.text, moment, rank }
  })
  // Subtraction would give NaN for two leading points without a time.
  return timed.sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -1 : 1))
}

/** Chapters, as which an outline can be pasted, have to begin at 0:00. The first line mostly follows some seconds of music. */
const FIRST_LINE = 1
const MAX_OPENING_MS = 30_000

const layOutTimeline = (layout: Layout, content: SummaryContent): string[] => {
  const { syntax, target } = layout
  const outline = content.sections.flatMap((section) => section.points).filter(hasText)
  const points = outline.length > 0 ? outline : content.overview.filter(hasText)
  const items = orderByTime(points, target).map(({ text, moment }, index) => {
    if (!moment) return syntax.item(text)
    const isStart = index === 0 && moment.segmentId === FIRST_LINE && moment.startMs <= MAX_OPENING_MS
    return syntax.moment(isStart ? { ...moment, startMs: 0 } : moment, text)
  })
  return [outline.length > 0 ? layOutParagraph(layout, content.overview) : '', syntax.list(items)]
}

const layOutBlocks = (layout: Layout, mode: SummaryMode, content: SummaryContent): string[] => {
  switch (mode) {
    case 'tldr':
      return [layOutParagraph(layout, listPoints(content))]
    case 'detailed':
    case 'study_notes':
      return [layOutParagraph(layout, content.overview), ...layOutSections(layout, content)]
    case 'timestamped':
      return layOutTimeline(layout, content)
    case 'key_insights':
      return [layOutItems(layout, content.overview, true), ...layOutSections(layout, content)]
    default:
      return mode satisfies never
  }
}

/** Writes a summary in any syntax, with its headings at `level`. */
export const layOutSummary = (layout: Layout, mode: SummaryMode, content: SummaryContent): string =>
  layout.syntax.join(layOutBlocks(layout, mode, content))

/** Returns a summary as Markdown, with headings of level 2. The times after its claims are links to the video. */
export const renderSummaryMarkdown = (mode: SummaryMode, content: SummaryContent, target: CitationTarget): string =>
  layOutSummary({ syntax: markdownSyntax, target, level: 2 }, mode, content)

/** Returns a summary as plain text, with headings on separate lines and lists with `-` or numbers. */
export const renderSummaryText = (mode: SummaryMode, content: SummaryContent, target: CitationTarget): string =>
  layOutSummary({ syntax: plainSyntax, target, level: 3 }, mode, content)
