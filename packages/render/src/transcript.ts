import type { Cue } from '@subtext/contracts'
import { inBatches } from './in-pieces.ts'
import { createParagraphs } from './paragraphs.ts'

/** The transcript in paragraphs, each written by `write`, with an empty line between them. */
export async function* writeTranscript(
  cues: AsyncIterable<Cue[]>,
  write: (paragraph: string) => string,
): AsyncGenerator<string, void, undefined> {
  const paragraphs = createParagraphs()
  let separator = ''
  const writeAll = (texts: string[]): string => {
    if (texts.length === 0) return ''
    const written = separator + texts.map(write).join('\n\n')
    separator = '\n\n'
    return written
  }
  for await (const batch of inBatches(cues)) yield writeAll(paragraphs.add(batch))
  yield writeAll(paragraphs.end())
}
