import type { Cue } from '@subtext/contracts'
import { inBatches } from './in-pieces.ts'
import { createParagraphs, type Paragraph } from './paragraphs.ts'

interface TranscriptOptions {
  write: (paragraph: Paragraph) => string
  /** Written between two paragraphs. */
  separator: string
  /** Times at which a new paragraph starts, in milliseconds, ascending. */
  breaks?: number[]
  /** Whether a paragraph starts with a segment, by its position from 1. */
  isBreak?: (segmentId: number) => boolean
}

/** Yields the text of the transcript in paragraphs. */
export async function* writeTranscript(
  cues: AsyncIterable<Cue[]>,
  { write, separator, breaks, isBreak }: TranscriptOptions,
): AsyncGenerator<string, void, undefined> {
  const paragraphs = createParagraphs(breaks, isBreak)
  let before = ''
  const writeAll = (completed: Paragraph[]): string => {
    if (completed.length === 0) return ''
    const written = before + completed.map(write).join(separator)
    before = separator
    return written
  }
  for await (const batch of inBatches(cues)) yield writeAll(paragraphs.add(batch))
  yield writeAll(paragraphs.end())
}
