export { selectCitedSegments } from './citations.ts'
export { renderMarkdownData, renderStructuredData } from './data.ts'
export { renderMarkdownDocument, renderTextDocument } from './documents.ts'
export type { RenderableResult } from './renderable-result.ts'
