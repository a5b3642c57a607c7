import { inPieces } from './in-pieces.ts'
import { layOutOpening } from './outline.ts'
import type { RenderableResult } from './renderable-result.ts'
import { markdownSyntax, plainSyntax, type Syntax } from './syntax.ts'
import { writeTranscript } from './transcript.ts'

async function* writeDocument(syntax: Syntax, result: RenderableResult): AsyncGenerator<string> {
  yield `${layOutOpening(syntax, result)}\n\n`
  yield* writeTranscript(result.cues(), { write: ({ text }) => syntax.paragraph(text), separator: '\n\n' })
  yield '\n'
}

/** Yields the result as a Markdown document, in pieces. */
export const renderMarkdownDocument = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeDocument(markdownSyntax, result))

/** Yields the result as a plain text document, in pieces. */
export const renderTextDocument = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeDocument(plainSyntax, result))
