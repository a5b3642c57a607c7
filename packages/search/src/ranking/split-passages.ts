import type { Cue } from '@subtext/contracts'

/** Consecutive segments of a transcript. Positions count from 1. */
export interface Passage {
  first: number
  last: number
  text: string
}

const WORDS_PER_PASSAGE = 120
/** Far more than as many words have. Text without spaces may count as few words, however long it is. */
const MAX_CHARACTERS = 4_000
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
const LETTERS_PER_WORD = 2

/** Counts words; in scripts without spaces, two letters count as one word. */
function countWords(text: string): number {
  const letters = text.match(UNSPACED)?.length ?? 0
  return letters > 0 ? Math.ceil(letters / LETTERS_PER_WORD) : text.split(' ').length
}

/**
 * Splits a transcript at the borders of its segments into passages of about `words` words. Each passage is a small step of
 * work, since callers pause between them.
 */
export function* splitPassages(cues: readonly Pick<Cue, 'text'>[], words = WORDS_PER_PASSAGE): Generator<Passage> {
  let texts: string[] = []
  let length = 0
  let characters = 0
  const take = (last: number): Passage => {
    const passage = { first: last - texts.length + 1, last, text: texts.join(' ') }
    texts = []
    length = 0
    characters = 0
    return passage
  }
  for (const [index, { text }] of cues.entries()) {
    texts.push(text)
    length += countWords(text)
    characters += text.length
    if (length >= words || characters >= MAX_CHARACTERS) yield take(index + 1)
  }
  if (texts.length > 0) yield take(cues.length)
}
