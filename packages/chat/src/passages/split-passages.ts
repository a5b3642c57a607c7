import type { Cue } from '@subtext/contracts'

/** Consecutive segments of a transcript. Positions count from 1. */
export interface Passage {
  first: number
  last: number
  text: string
}

const WORDS_PER_PASSAGE = 120
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
const LETTERS_PER_WORD = 2

/** Counts words; in scripts without spaces, two letters count as one word. */
function countWords(text: string): number {
  const letters = text.match(UNSPACED)?.length ?? 0
  return letters > 0 ? Math.ceil(letters / LETTERS_PER_WORD) : text.split(' ').length
}

/** Splits a transcript at the borders of its segments into passages of about `words` words. */
export function splitPassages(cues: Cue[], words = WORDS_PER_PASSAGE): Passage[] {
  const passages: Passage[] = []
  let texts: string[] = []
  let length = 0
  const close = (last: number): void => {
    if (texts.length > 0) passages.push({ first: last - texts.length + 1, last, text: texts.join(' ') })
    texts = []
    length = 0
  }
  for (const [index, { text }] of cues.entries()) {
    texts.push(text)
    length += countWords(text)
    if (length >= words) close(index + 1)
  }
  close(cues.length)
  return passages
}
