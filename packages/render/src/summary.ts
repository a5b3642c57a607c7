import type { SummaryContent, SummaryMode, SummaryPoint } from '@subtext/contracts'
import { type CitationTarget, listPoints } from './citations.ts'
import { foldText, joinTexts } from './fold-text.ts'
import { markdownSyntax, plainSyntax, type Syntax } from './syntax.ts'

interface Layout {
  syntax: Syntax
  target: CitationTarget
  /** Level of the summary's own headings. */
  level: number
}

const hasText = (point: SummaryPoint): boolean => foldText(point.text) !== ''

const layOutParagraph = (syntax: Syntax, points: SummaryPoint[]): string =>
  syntax.paragraph(joinTexts(points.map((point) => point.text)))

const layOutItems = (syntax: Syntax, points: SummaryPoint[], numbered: boolean): string =>
  syntax.list(
    points.filter(hasText).map((point) => syntax.item(point.text)),
    numbered,
  )

const layOutSections = ({ syntax, level }: Layout, content: SummaryContent): string[] =>
  content.sections.flatMap((section) => [
    foldText(section.heading) === '' ? '' : syntax.heading(level, section.heading),
    layOutItems(syntax, section.points, false),
  ])

/** Returns the points in the order of their earliest known time. A point without a time stays after the one before it. */
const orderByTime = (points: SummaryPoint[], target: CitationTarget) => {
  let rank = Number.NEGATIVE_INFINITY
  const timed = points.map((point) => {
    const starts = point.segmentIds.flatMap((id) => target.startOf(id) ?? [])
    const startMs = starts.length > 0 ? Math.min(...starts) : undefined
    rank = startMs ?? rank
    return { text: point.text, startMs, rank }
  })
  // Subtraction would give NaN for two leading points without a time.
  return timed.sort((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -1 : 1))
}

const layOutTimeline = ({ syntax, target }: Layout, content: SummaryContent): string[] => {
  const outline = content.sections.flatMap((section) => section.points).filter(hasText)
  const points = outline.length > 0 ? outline : content.overview.filter(hasText)
  const items = orderByTime(points, target).map(({ text, startMs }) =>
    startMs === undefined ? syntax.item(text) : syntax.moment(target.videoId, startMs, text),
  )
  return [outline.length > 0 ? layOutParagraph(syntax, content.overview) : '', syntax.list(items)]
}

const layOutBlocks = (layout: Layout, mode: SummaryMode, content: SummaryContent): string[] => {
  const { syntax } = layout
  switch (mode) {
    case 'tldr':
      return [layOutParagraph(syntax, listPoints(content))]
    case 'detailed':
    case 'study_notes':
      return [layOutParagraph(syntax, content.overview), ...layOutSections(layout, content)]
    case 'timestamped':
      return layOutTimeline(layout, content)
    case 'key_insights':
      return [layOutItems(syntax, content.overview, true), ...layOutSections(layout, content)]
    default:
      return mode satisfies never
  }
}

/** Writes a summary in any syntax, with its headings at `level`. */
export const layOutSummary = (layout: Layout, mode: SummaryMode, content: SummaryContent): string =>
  layout.syntax.join(layOutBlocks(layout, mode, content))

/** Returns a summary as Markdown, with headings of level 2. Only the times of `timestamped` are links. */
export const renderSummaryMarkdown = (mode: SummaryMode, content: SummaryContent, target: CitationTarget): string =>
  layOutSummary({ syntax: markdownSyntax, target, level: 2 }, mode, content)

/** Returns a summary as plain text, with headings on separate lines and lists with `-` or numbers. */
export const renderSummaryText = (mode: SummaryMode, content: SummaryContent, target: CitationTarget): string =>
  layOutSummary({ syntax: plainSyntax, target, level: 3 }, mode, content)
