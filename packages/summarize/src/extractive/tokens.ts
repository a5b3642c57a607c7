import { STOP_WORDS } from '@subtext/evidence'
import type { Speech, TableLanguage } from './speech.ts'

/** A word of a sentence. Words without a topic have an empty stem, so that it stays visible which words are neighbors. */
export interface Token {
  stem: string
  surface: string
  /** Where `surface` begins in the text. */
  from: number
  /** Whether a particle that marks nouns was attached to it and has been removed. */
  isMarked?: boolean
}

type Tokenizer = (text: string) => Token[]

const STEM_CHARS = 7
const MAX_TOKENS = 120

const HAN = /^\p{sc=Han}$/u
const KOREAN_PARTICLES =
  /(?:에서는|으로는|에게서|이라는|이라고|에서|에게|한테|으로|부터|까지|처럼|보다|이나|라는|라고|들은|들이|들을|에는|과의|와의|들|은|는|이|가|을|를|에|의|와|과|로|도|만)$/u

/** Korean appends particles to the noun. Keeps at least two syllables, or one before the unmistakable object marker. */
function stripParticle(word: string): string {
  const bare = word.replace(KOREAN_PARTICLES, '')
  return bare.length >= 2 || /^.[을를]$/u.test(word) ? bare : word
}

/** The Korean particles, and the French preposition that is attached to the next word. */
const NOUN_MARK = /^d['’]|\p{sc=Hangul}$/u

const baseForm = (word: string, language: TableLanguage | null): string => {
  if (/\p{sc=Hangul}$/u.test(word)) return stripParticle(word)
  return language === 'en' ? word.replace(/['’]s$/u, '') : word.replace(/^[a-zà-ÿ]{1,2}['’]/u, '')
}

/**
 * Inflected forms are recognized by a common beginning (n-truncation, McNamee & Mayfield 2004): crude, but the same for
 * every language written with an alphabet.
 */
function stemOf(base: string): string {
  if (!/^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{M}'’-]+$/u.test(base)) return base
  const singular = base.length > 3 && /[^s]s$/u.test(base) ? base.slice(0, -1) : base
  return singular.slice(0, STEM_CHARS)
}

const isTopicless = (word: string, base: string, stopWords: ReadonlySet<string> | null): boolean =>
  stopWords?.has(word) ||
  stopWords?.has(base) ||
  /^[\p{N}.,:]+$/u.test(base) ||
  /^\p{sc=Hiragana}{1,2}$/u.test(base) ||
  (word.length === 1 && !HAN.test(base))

const join = (run: Token[]): Token => ({
  from: run[0]?.from ?? 0,
  stem: run.map((token) => token.stem).join(''),
  surface: run.map((token) => token.surface).join(''),
})

const MAX_NAME_CHARS = 4
const GAP: Token = { stem: '', surface: '', from: 0 }

/** The segmenter splits unknown names into single characters. Joins short runs into names again, and long ones in pairs. */
function joinSingles(tokens: Token[]): Token[] {
  const result: Token[] = []
  let run: Token[] = []
  const flush = () => {
    if (run.length === 1) result.push(GAP)
    else if (run.length <= MAX_NAME_CHARS && run.length > 1) result.push(join(run))
    else run.slice(1).forEach((_, i) => void result.push(join(run.slice(i, i + 2)), GAP))
    run = []
  }
  for (const token of tokens) {
    if (HAN.test(token.stem)) {
      run.push(token)
      continue
    }
    flush()
    result.push(token)
  }
  flush()
  return result
}

export function createTokenizer(speech: Speech): Tokenizer {
  const segmenter = new Intl.Segmenter(speech.tag, { granularity: 'word' })
  const { language } = speech
  const stopWords = language ? STOP_WORDS[language] : null
  return (text) => {
    const tokens: Token[] = []
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      if (!isWordLike) {
        // Punctuation separates phrases; spaces do not.
        if (segment.trim() !== '') tokens.push({ stem: '', surface: segment, from: index })
        continue
      }
      if (tokens.length >= MAX_TOKENS) break
      const word = segment.normalize('NFKC').toLowerCase().replaceAll('’', "'")
      const base = baseForm(word, language)
      const offset = Math.max(0, word.startsWith(base) ? 0 : word.length - base.length)
      const surface = segment.slice(offset, offset + base.length)
      const from = index + offset
      if (isTopicless(word, base, stopWords)) tokens.push({ stem: '', surface, from })
      else tokens.push({ stem: stemOf(base), surface, from, isMarked: base !== word && NOUN_MARK.test(word) })
    }
    return speech.isUnspaced ? joinSingles(tokens) : tokens
  }
}
