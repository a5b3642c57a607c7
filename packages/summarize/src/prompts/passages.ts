import { escapeLine } from './escape-line.ts'
import type { PromptLine } from './transcript-document.ts'

/** Maximum length of a passage. Lines of captions are short, and each one of its own would cost a number and brackets. */
const MAX_LENGTH = 220
/** Scripts whose characters carry about as much meaning as two letters. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu
/** Between the starts of two lines. A longer pause mostly separates subjects. */
const MAX_PAUSE_MS = 20_000
/** Lines without words, such as sounds, are not in the document. More of them in a row separate what is around them. */
const MAX_SKIPPED = 3

const measure = (text: string): number => text.length + (text.match(DENSE)?.length ?? 0)

const continues = (before: PromptLine, line: PromptLine): boolean =>
  line.chapters.length === 0 && line.id - before.id <= MAX_SKIPPED && line.startMs - before.startMs <= MAX_PAUSE_MS

/** Returns the lines of the passage that begins with the line at this index. It depends on nothing before that line. */
export function takePassage(lines: readonly PromptLine[], from: number): PromptLine[] {
  const passage: PromptLine[] = []
  let length = 0
  for (let index = from; index < lines.length; index++) {
    const line = lines[index]
    const before = passage.at(-1)
    if (!line) break
    length += measure(line.text) + 1
    if (before && (length > MAX_LENGTH || !continues(before, line))) break
    passage.push(line)
  }
  return passage
}

/** Joins lines to passages, each with the number of its first line. */
export function joinPassages(lines: readonly PromptLine[]): PromptLine[] {
  const passages: PromptLine[] = []
  for (let from = 0; from < lines.length; ) {
    const passage = takePassage(lines, from)
    const [first] = passage
    if (!first) break
    // What the lines escape one by one, they could write together.
    const text = escapeLine(passage.map((line) => line.text).join(' '))
    passages.push({ ...first, text, lastId: passage.at(-1)?.id })
    from += passage.length
  }
  return passages
}
