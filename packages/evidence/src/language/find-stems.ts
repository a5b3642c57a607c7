import { languageOf } from '@subtext/captions'
import { LRUCache } from 'lru-cache'
import { STOP_WORDS } from './stop-words.ts'
import { createWordFinder, pairLetters } from './words.ts'

const STOP_WORDS_OF: Partial<Record<string, ReadonlySet<string>>> = STOP_WORDS

/** The number of letters that inflection mostly leaves unchanged. */
const STEM_LATIN = 5
const STEM_OTHER = 4

const LATIN = /^[\p{sc=Latin}\p{M}\p{N}'’]+$/u
const HANGUL = /^\p{sc=Hangul}+$/u
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}]+$/u
const PARTICLE = /^\p{sc=Hiragana}{1,2}$/u

/** Returns a word without its ending, in several pieces if it is a compound. */
function stemsOf(word: string): string[] {
  // Korean appends particles to its words; pairs of syllables find the word before them.
  if (HANGUL.test(word)) return pairLetters(word)
  if (UNSPACED.test(word)) return PARTICLE.test(word) ? [] : [word]
  return [word.slice(0, LATIN.test(word) ? STEM_LATIN : STEM_OTHER)]
}

/** Returns the stems of the words of a text that are not stop words. */
export type FindStems = (text: string) => ReadonlySet<string>

/** A dozen checks read the same claim and the same lines, one after another, and some of them word by word. */
const KEPT = 512

/** Creates a function that finds stems. `language`: BCP-47. */
export function createStemFinder(language: string): FindStems {
  const findWords = createWordFinder(language)
  const stopWords = STOP_WORDS_OF[languageOf(language)]
  const findStems = (text: string): ReadonlySet<string> => {
    const stems = new Set<string>()
    for (const { word } of findWords(text.normalize('NFKC').toLowerCase())) {
      if (stopWords?.has(word)) continue
      for (const stem of stemsOf(word)) stems.add(stem)
    }
    return stems
  }
  const kept = new LRUCache<string, ReadonlySet<string>>({ max: KEPT, memoMethod: findStems })
  return (text) => kept.memo(text)
}
