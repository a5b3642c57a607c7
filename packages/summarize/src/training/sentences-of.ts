import { listWords } from '../extractive/borders/words.ts'

/** The words of a text without its punctuation, and whether a sentence ends after each. */
export interface Labeled {
  words: { text: string }[]
  ends: Uint8Array
}

const END = /[.!?…।؟۔|。！？]["'”’»)\]）」』]*$/u

/** Returns the words of a punctuated document, as automatic captions would have them, and where its sentences end. */
export function labelWords(paragraphs: string[], language: string): Labeled {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  const words: { text: string }[] = []
  const ends: number[] = []
  for (const paragraph of paragraphs) {
    for (const { segment } of segmenter.segment(paragraph.replaceAll('|', '।'))) {
      const spoken = listWords(
        segment.replace(/[\p{Pd}/]+/gu, (dash) => (dash === '-' ? '-' : ' ')),
        0,
        segment.length,
      )
      for (const [i, { text }] of spoken.entries()) {
        words.push({ text })
        ends.push(i === spoken.length - 1 && END.test(segment.trim()) ? 1 : 0)
      }
    }
  }
  return { words, ends: Uint8Array.from(ends) }
}
