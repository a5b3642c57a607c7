import { selectStemmer } from './stemmers.ts'
import { stripMarks } from './strip-marks.ts'

/** A word as it is compared, or a single letter of a script whose words are not separated. */
export interface FoldedWord {
  /** What the word is found by. Two words are the same if they share one. */
  forms: readonly string[]
  /** `letter`: of a script without spaces. `syllable`: of Hangul, which has spaces but appends particles to words. */
  kind: 'word' | 'letter' | 'syllable'
}

/** Called with each word of a text and its place in UTF-16 code units. */
export type TakeWord = (word: FoldedWord, start: number, end: number) => void

export interface TextFolder {
  fold(text: string, take: TakeWord): void
}

/** Letters, with signs that no one sees, and symbols that NFKC turns into letters, as in 5㎏. */
const TOKEN = /[\p{L}\p{M}\p{N}\u00ad\u200c-\u200d\u2100-\u214f\u3200-\u33ff]+/gu
const PLAIN = /^[A-Za-z0-9]+$/
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const UNSEEN = /[\u00ad\u200c\u200d]/g
const HANGUL = /\p{sc=Hangul}/u
/** Scripts whose words are not separated, or that append particles to them (Hangul). */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\uff66-\uff9f]/u
/** A letter with its marks; a syllable of Hangul may be written in three parts. */
const UNIT =
  /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]?[\u11a8-\u11ff\ud7cb-\ud7fb]?|.[\p{M}\uff9e\uff9f]*/gsu
/** Maximum length of a word for stemming. Longer ones are not words. */
const MAX_STEMMED = 40
/** Maximum length of a word that is compared as a whole, below the limit of the index. */
const MAX_WORD = 200
/** Words that a folder keeps: about 10 MB. */
const MAX_KNOWN = 50_000

/** Languages with their own rules of upper and lower case. */
const LOCALES = new Set(['tr', 'az', 'lt'])

/**
 * Creates a folder of text for ranking and search: NFKC, lower case by the rules of the language (Turkish has its own), words
 * without endings and accents, and single letters where words are not separated. `language`: BCP-47.
 */
export function createTextFolder(language: string): TextFolder {
  const stem = selectStemmer(language)
  const lower = selectLower(language)
  const foldOnce = keepKnown((word): FoldedWord => ({ forms: findForms(word, stem), kind: 'word' }))
  const foldUnit = keepKnown((unit) => (UNSPACED.test(unit) ? foldLetters(lower(unit.normalize('NFKC'))) : null))
  return { fold: (text, take) => foldText(text, { lower, foldOnce, foldUnit, take }) }
}

/** Keeps what a function returns, as far as it fits. */
function keepKnown<T>(fold: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= MAX_KNOWN) known.clear()
    const folded = fold(text)
    known.set(text, folded)
    return folded
  }
}

/** Returns the letters of a text in a script without spaces. */
const foldLetters = (text: string): FoldedWord[] =>
  [...text.matchAll(UNIT)].flatMap(([letter]) =>
    /^[\p{L}\p{M}\p{N}]/u.test(letter)
      ? [{ forms: [letter], kind: HANGUL.test(letter) ? ('syllable' as const) : ('letter' as const) }]
      : [],
  )

/** A word that is written without its accents may lose another ending than with them, so it is found by both. */
function findForms(word: string, stem: (word: string) => string): string[] {
  if (word.length > MAX_STEMMED) return [stripMarks(word.slice(0, MAX_WORD))]
  const form = stripMarks(stemOf(word, stem))
  const plain = stripMarks(word)
  const other = plain === word ? form : stripMarks(stemOf(plain, stem))
  return other === form ? [form] : [form, other]
}

/** Returns the stem of a word, or the word if nothing but a letter would be left, as of the Hindi words कि and की. */
function stemOf(word: string, stem: (word: string) => string): string {
  const found = stem(word)
  return found.length < 2 ? word : found
}

/** A malformed tag has no rules of its own. */
function selectLower(tag: string): (text: string) => string {
  const [language = ''] = tag.toLowerCase().split('-')
  return LOCALES.has(language) ? (text) => text.toLocaleLowerCase(language) : (text) => text.toLowerCase()
}

interface Folding {
  lower: (text: string) => string
  foldOnce: (word: string) => FoldedWord
  /** Null for a letter of a script with spaces. */
  foldUnit: (unit: string) => FoldedWord[] | null
  take: TakeWord
}

function foldText(text: string, folding: Folding): void {
  const { lower, foldOnce, take } = folding
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match
    const start = match.index
    if (PLAIN.test(token)) take(foldOnce(lower(token)), start, start + token.length)
    else if (UNSPACED.test(token)) foldUnits(token, start, folding)
    else foldWords(token, start, start + token.length, folding)
  }
}

/** Folds a token to its words: NFKC may separate some. */
function foldWords(token: string, start: number, end: number, { lower, foldOnce, take }: Folding): void {
  const words = lower(token.normalize('NFKC')).replace(UNSEEN, '').match(WORD) ?? []
  for (const word of words) take(foldOnce(word), start, end)
}

/** Folds a token that has letters of a script without spaces, one letter at a time. */
function foldUnits(token: string, offset: number, folding: Folding): void {
  const { foldUnit, take } = folding
  /** Where the letters of other scripts before this one begin. */
  let begin = -1
  const flush = (end: number): void => {
    if (begin >= 0) foldWords(token.slice(begin, end), offset + begin, offset + end, folding)
    begin = -1
  }
  for (const match of token.matchAll(UNIT)) {
    const [unit] = match
    const place = match.index
    const letters = foldUnit(unit)
    if (!letters) {
      if (begin < 0) begin = place
      continue
    }
    flush(place)
    for (const letter of letters) take(letter, offset + place, offset + place + unit.length)
  }
  flush(token.length)
}
