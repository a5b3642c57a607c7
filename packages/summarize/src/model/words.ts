import { STOP_WORDS } from '../extractive/stop-words.ts'

const STOP_WORDS_OF: Partial<Record<string, ReadonlySet<string>>> = STOP_WORDS

/** Letters that inflection leaves alone, by and large. */
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

/** What is left of a word when its endings are: several pieces where one word holds several. */
function stemsOf(word: string): string[] {
  // Korean puts particles behind its words; pairs of syllables find the word before them.
  if (HANGUL.test(word)) return pairsOf(word)
  if (UNSPACED.test(word)) return PARTICLE.test(word) ? [] : [word]
  return [word.slice(0, LATIN.test(word) ? STEM_LATIN : STEM_OTHER)]
}

const UNSPACED_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu

/** Finds the words of a text that have a topic, as stems. */
export type FindStems = (text: string) => Set<string>

const segmenterOf = (language: string): Intl.Segmenter => {
  try {
    return new Intl.Segmenter(language, { granularity: 'word' })
  } catch {
    return new Intl.Segmenter('en', { granularity: 'word' })
  }
}

/** `language`: BCP-47. Words are parted as the language does it, also where it writes no spaces. */
export function createStemFinder(language: string): FindStems {
  const segmenter = segmenterOf(language)
  const common = STOP_WORDS_OF[language.split('-')[0]?.toLowerCase() ?? '']
  /** Where spaces part the words, looking for them is ten times faster. */
  const wordsOf = (text: string): string[] =>
    UNSPACED_LETTER.test(text)
      ? [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
      : (text.match(WORD) ?? [])
  return (text) => {
    const stems = new Set<string>()
    for (const word of wordsOf(text.normalize('NFKC').toLowerCase())) {
      if (common?.has(word)) continue
      for (const stem of stemsOf(word)) stems.add(stem)
    }
    return stems
  }
}
