import { STOP_WORDS } from './stop-words.ts'

const STOP_WORDS_OF: Partial<Record<string, ReadonlySet<string>>> = STOP_WORDS

/** The number of letters that inflection mostly leaves unchanged. */
const STEM_LATIN = 5
const STEM_OTHER = 4

const LATIN = /^[\p{sc=Latin}\p{M}\p{N}'’]+$/u
const HANGUL = /^\p{sc=Hangul}+$/u
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}]+$/u
const PARTICLE = /^\p{sc=Hiragana}{1,2}$/u

const pairsOf = (word: string): string[] => {
  const letters = [...word]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Returns a word without its ending, in several pieces if it is a compound. */
function stemsOf(word: string): string[] {
  // Korean appends particles to its words; pairs of syllables find the word before them.
  if (HANGUL.test(word)) return pairsOf(word)
  if (UNSPACED.test(word)) return PARTICLE.test(word) ? [] : [word]
  return [word.slice(0, LATIN.test(word) ? STEM_LATIN : STEM_OTHER)]
}

const UNSPACED_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu

/** Returns the stems of the words of a text that are not stop words. */
export type FindStems = (text: string) => Set<string>

const createSegmenter = (language: string): Intl.Segmenter => {
  try {
    return new Intl.Segmenter(language, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter('en', { granularity: 'word' })
  }
}

/** `language`: BCP-47. Words are separated by the rules of the language, even if it writes no spaces. */
export function createStemFinder(language: string): FindStems {
  const segmenter = createSegmenter(language)
  const stopWords = STOP_WORDS_OF[language.split('-')[0]?.toLowerCase() ?? '']
  /** Ten times faster for text with spaces than the segmenter would be. */
  const splitWords = (text: string): string[] =>
    UNSPACED_LETTER.test(text)
      ? [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
      : (text.match(WORD) ?? [])
  return (text) => {
    const stems = new Set<string>()
    for (const word of splitWords(text.normalize('NFKC').toLowerCase())) {
      if (stopWords?.has(word)) continue
      for (const stem of stemsOf(word)) stems.add(stem)
    }
    return stems
  }
}
