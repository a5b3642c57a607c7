export { selectCitedSegments } from './citations.ts'
export { BYTE_ORDER_MARK, guardCell, writeCsvRows } from './csv-table.ts'
export {
  layOutDigest,
  type RenderableDigest,
  renderDigestHtml,
  renderDigestMarkdown,
  titleOfDigest,
} from './digest-document.ts'
export { escapeCell } from './escape-markdown.ts'
export { layOutExtractions, renderCards } from './extractions.ts'
export { foldText } from './fold-text.ts'
export { createSlugger } from './heading-slug.ts'
export { HTML_POLICY } from './html-document.ts'
export { escapeMarkup } from './html-syntax.ts'
export { inBatches } from './in-pieces.ts'
export { streamArray, streamJson, writeJson } from './json-stream.ts'
export type { Labels } from './labels/labels.ts'
export { findLabels, selectLabels } from './labels/select.ts'
export { parseLanguage } from './language.ts'
export { labelsOf, languageOf, layOutChapters, layOutSummaries, titleOf } from './outline.ts'
export { createParagraphs, type Paragraph } from './paragraphs.ts'
export { PLAIN_PAGE_POLICY, renderPlainPage } from './plain-page.ts'
export { renderReceiptsCsv, renderReceiptsNdjson } from './receipts-csv.ts'
export type { RenderableResult } from './renderable-result.ts'
export { RENDERERS } from './renderers.ts'
export { renderSummaryMarkdown } from './summary.ts'
export { type Heading, type Moment, mergeClaims, type Syntax, type TimedClaim } from './syntax.ts'
export { truncateTranscript } from './truncate-transcript.ts'
export { buildWatchUrl, formatClock, isElsewhere, placeOf } from './video-times.ts'
