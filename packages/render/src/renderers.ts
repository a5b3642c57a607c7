import type { Format } from '@subtext/contracts'
import { renderChunks } from './chunks.ts'
import { renderCsvDocument } from './csv-document.ts'
import { renderDefaultData, renderStructuredData } from './data.ts'
import { renderMarkdownDocument, renderTextDocument } from './documents.ts'
import { HTML_POLICY, renderHtmlDocument } from './html-document.ts'
import { renderObsidianNote } from './obsidian-note.ts'
import type { RenderableResult } from './renderable-result.ts'
import { renderSrt, renderVtt } from './subtitles.ts'

interface RenderOptions {
  /** Starts a table with a byte order mark, by which spreadsheets recognize UTF-8. */
  byteOrderMark?: boolean
}

interface Renderer {
  /** Raise it whenever the same result comes out different: copies in this format become stale, those in others stay. */
  version: number
  /** Yields the result in pieces: the document, or for an enveloped format the JSON text of the envelope's `data`. */
  render(result: RenderableResult, options?: RenderOptions): AsyncIterable<string>
  /** Content-Security-Policy of a document that browsers show as a page. */
  pagePolicy?: string
}

/** How each format of the table in `@subtext/contracts` is written. */
export const RENDERERS: Record<Format, Renderer> = {
  default: { version: 6, render: renderDefaultData },
  json: { version: 5, render: renderStructuredData },
  markdown: { version: 5, render: renderMarkdownDocument },
  text: { version: 5, render: renderTextDocument },
  html: { version: 6, render: renderHtmlDocument, pagePolicy: HTML_POLICY },
  csv: { version: 3, render: renderCsvDocument },
  srt: { version: 3, render: renderSrt },
  vtt: { version: 3, render: renderVtt },
  obsidian: { version: 1, render: renderObsidianNote },
  chunks: { version: 1, render: renderChunks },
}
