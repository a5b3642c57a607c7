import { createSegmenter } from './words.ts'

/** Shorter pieces are abbreviations, initials or exclamations rather than sentences. */
const MIN_LETTERS = 12
const LETTER = /[\p{L}\p{N}]/gu

export type SplitSentences = (text: string) => string[]

/**
 * Creates a function that splits text into sentences. A piece that is too short to be a sentence (`Dr.`) stays with the text
 * that follows. `language`: BCP-47.
 */
export function createSentenceSplitter(language: string): SplitSentences {
  const segmenter = createSegmenter(language, 'sentence')
  return (text) => {
    const sentences: string[] = []
    let begun = ''
    for (const { segment } of segmenter.segment(text)) {
      begun += segment
      if ((begun.match(LETTER)?.length ?? 0) < MIN_LETTERS) continue
      sentences.push(begun.trim())
      begun = ''
    }
    if (begun.trim() === '') return sentences
    const last = sentences.pop()
    return [...sentences, last === undefined ? begun.trim() : `${last} ${begun.trim()}`]
  }
}
