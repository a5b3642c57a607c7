import type { Amount } from './amount.ts'
import { foldNumberText, type NumberWords } from './number-words.ts'
import { withPlainDigits } from './plain-digits.ts'
import { DIGITS, type GroupMark, readDigits } from './read-digits.ts'
import { readWord } from './read-word.ts'

const CONTEXT_TOKENS = 5
/** Longer runs of words are not numbers. */
const MAX_WORDS = 8
const TOKEN =
  /\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+(?![\d])(?:[.,]\d{1,9}(?!\d))?|\d{1,15}(?:[.,]\d{1,9}(?!\d))?|\d+|[\p{L}\p{M}]+|[-−](?=\d)|[,;:.!?](?!\S)/gu

/** A number that begins at a token. */
interface Found {
  values: number[]
  to: number
  isWeak: boolean
  isBare?: boolean
}

interface SpacedText {
  words: NumberWords | null
  scales: ReadonlyMap<string, number>
  groupMark: GroupMark
  /** Its tokens as number words are written. Conjunctions and punctuation marks are empty. */
  folded: string[]
}

/** Reads a number below the smallest larger unit. */
function readPart(tokens: string[], from: number, { words, folded, groupMark }: SpacedText): Found | null {
  const first = tokens[from] ?? ''
  if (DIGITS.test(first)) return { values: readDigits(first, groupMark), to: from + 1, isWeak: false }
  // A conjunction at either end belongs to the sentence.
  if (!words || first === '' || folded[from] === '') return null
  for (let to = Math.min(from + MAX_WORDS, tokens.length); to > from; to--) {
    if (folded[to - 1] === '') continue
    const phrase = folded
      .slice(from, to)
      .filter((word) => word !== '')
      .join(' ')
    // French drops the last letter before another number: `cinq cents`, `cinq cent mille`.
    const value =
      words.valueOf(phrase) ?? words.valueOf(`${phrase}s`) ?? (to === from + 1 ? readWord(phrase, words) : undefined)
    if (value !== undefined) return { values: [value], to, isWeak: value <= 1 }
  }
  return null
}

/** `Half a million`, and in other languages `half million`. */
const HALF_OF = ['half a', 'demi', 'medio', 'meio', 'halbe', 'halben', 'mezzo', 'आधा', 'نصف'].map((half) =>
  half.split(' '),
)

const HALVES = [
  'and a half',
  'et demi',
  'et demie',
  'y medio',
  'y media',
  'e meio',
  'e meia',
  'e mezzo',
  'с половиной',
].map((half) => half.split(' '))

/** Returns how many tokens are one of the phrases. */
const countPhrase = (phrases: readonly string[][], tokens: string[], from: number): number =>
  phrases.find((phrase) => phrase.every((word, index) => tokens[from + index] === word))?.length ?? 0
/** Returns how many tokens say that a half is added. */
const countHalf = (tokens: string[], from: number): number => countPhrase(HALVES, tokens, from)

/** Reads a number with its larger units: `two million three hundred thousand`, `3.5 million`. */
function readNumber(tokens: string[], from: number, text: SpacedText): Found | null {
  const scaleAt = (index: number): number | undefined => text.scales.get(tokens[index] ?? '')
  const halfOf = countPhrase(HALF_OF, tokens, from)
  const halved = halfOf > 0 ? scaleAt(from + halfOf) : undefined
  if (halved !== undefined) return { values: [halved / 2], to: from + halfOf + 1, isWeak: false }
  const first = readPart(tokens, from, text)
  const bare = first ? undefined : scaleAt(from)
  let found: Found | null = first ?? (bare === undefined ? null : { values: [1], to: from, isWeak: false })
  let sums = [0]
  for (let current = found, limit = Number.POSITIVE_INFINITY; current; ) {
    let to = current.to + countHalf(tokens, current.to)
    let half = to > current.to ? 0.5 : 0
    let scale = 1
    for (let next = scaleAt(to); next !== undefined; next = scaleAt(to)) {
      scale *= next
      to++
    }
    if (scale > limit) break
    // `three and a half million`, and in other languages `three million and a half`.
    if (scale > 1 && countHalf(tokens, to) > 0) {
      half = 0.5
      to += countHalf(tokens, to)
    }
    const values = current.values.flatMap((value) => sums.map((sum) => sum + (value + half) * scale))
    found = { values, to, isWeak: current.isWeak && scale === 1 && half === 0, isBare: bare !== undefined }
    if (scale === 1) break
    sums = values
    limit = scale / 10
    current = readPart(tokens, to, text)
  }
  return found
}

/** `nineteen fifty two`: two numbers that are also one. */
function joinYears(tokens: string[], amounts: { found: Found; from: number }[]): number[] {
  return amounts.flatMap(({ found, from }, index) => {
    if (DIGITS.test(tokens[from] ?? '')) return []
    const before = amounts[index - 1]
    const [hundreds, rest] = [before?.found.values[0] ?? 0, found.values[0] ?? 0]
    const isYear = before?.found.to === from && hundreds > 10 && hundreds < 100 && rest > 9 && rest < 100
    return isYear ? [hundreds * 100 + rest] : []
  })
}

/** Finds the numbers of a text whose words are separated by spaces. */
export function findSpaced(text: string, language: Omit<SpacedText, 'folded'>): Amount[] {
  const tokens = withPlainDigits(text).toLowerCase().match(TOKEN) ?? []
  // Each token is looked at several times, and folding it takes most of the work.
  const spaced = { ...language, folded: language.words ? tokens.map(foldNumberText) : [] }
  const found: { found: Found; from: number }[] = []
  for (let from = 0; from < tokens.length; ) {
    const number = readNumber(tokens, from, spaced)
    if (number) found.push({ found: number, from })
    from = number?.to ?? from + 1
  }
  const amounts = found.map(({ found: { values, to, isWeak, isBare }, from }) => ({
    values,
    isWeak,
    isBare: isBare === true,
    isDigits: DIGITS.test(tokens[from] ?? ''),
    before: tokens.slice(Math.max(0, from - CONTEXT_TOKENS), from).join(' '),
    after: tokens.slice(to, to + CONTEXT_TOKENS).join(' '),
  }))
  return [
    ...amounts,
    ...joinYears(tokens, found).map((value) => ({
      values: [value],
      isWeak: true,
      isDigits: false,
      before: '',
      after: '',
    })),
  ]
}
