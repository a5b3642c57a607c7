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

/** Separates whole numbers from decimals that are said in words. */
const POINT = new Set(['point', 'komma', 'coma', 'virgule', 'vírgula', 'virgola'])
const MAX_DECIMAL = 100

/** Reads a number with the decimals that follow it in words: `two point five`. */
function readDecimal(tokens: string[], from: number, text: SpacedText): Found | null {
  const whole = readPart(tokens, from, text)
  if (!whole || !POINT.has(tokens[whole.to] ?? '') || whole.values.length !== 1) return whole
  let [decimals, to] = ['', whole.to + 1]
  for (let next = readPart(tokens, to, text); next; next = readPart(tokens, to, text)) {
    const [value = MAX_DECIMAL] = next.values
    if (value >= MAX_DECIMAL || (decimals !== '' && value > 9)) break
    decimals += String(value)
    to = next.to
    if (value > 9) break
  }
  return decimals === '' ? whole : { values: [Number(`${whole.values[0]}.${decimals}`)], to, isWeak: false }
}

/** Reads a number below the smallest larger unit. */
function readPart(tokens: string[], from: number, { words, folded, groupMark }: SpacedText): Found | null {
  const first = tokens[from] ?? ''
  if (DIGITS.test(first)) return { values: readDigits(first, groupMark), to: from + 1, isWeak: false }
  // A conjunction at either end belongs to the sentence.
  const begin = folded[from]
  if (!words || first === '' || !begin) return null
  if (!words.mayBegin(begin) && !words.mayBegin(`${begin}s`) && !begin.includes(' ')) {
    const value = readWord(begin, words)
    return value === undefined ? null : { values: [value], to: from + 1, isWeak: value <= 1 }
  }
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
  const part = readDecimal(tokens, from, text)
  const bare = part ? undefined : scaleAt(from)
  // `Mil doscientos`: a larger unit that more follows, which is a number by itself, too.
  const isUnit = part?.to === from + 1 && part.values[0] === scaleAt(from) && readPart(tokens, part.to, text) !== null
  const first = isUnit || bare !== undefined ? { values: [1], to: from, isWeak: false } : part
  let found: Found | null = first
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
    const next = text.folded[to] === '' && text.words && /^\p{L}/u.test(tokens[to] ?? '') ? to + 1 : to
    const rest = readPart(tokens, next, text)
    current = rest?.values.every((value) => value < scale) ? rest : null
  }
  return found
}

/** `nineteen fifty two`: two numbers that are also one. */
function joinYears(tokens: string[], amounts: { found: Found; from: number }[]): { year: number; index: number }[] {
  return amounts.flatMap(({ found, from }, index) => {
    if (DIGITS.test(tokens[from] ?? '')) return []
    const before = amounts[index - 1]
    const [hundreds, rest] = [before?.found.values[0] ?? 0, found.values[0] ?? 0]
    const isYear = before?.found.to === from && hundreds > 10 && hundreds < 100 && rest > 9 && rest < 100
    return isYear ? [{ year: hundreds * 100 + rest, index }] : []
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
  const years = joinYears(tokens, found)
  const partsOfYears = new Set(years.flatMap(({ index }) => [index - 1, index]))
  const amounts = found.map(({ found: { values, to, isWeak, isBare }, from }, index) => ({
    values,
    isWeak: isWeak || partsOfYears.has(index),
    isBare: isBare === true,
    isDigits: DIGITS.test(tokens[from] ?? ''),
    before: tokens.slice(Math.max(0, from - CONTEXT_TOKENS), from).join(' '),
    after: tokens.slice(to, to + CONTEXT_TOKENS).join(' '),
  }))
  return [
    ...amounts,
    ...years.map(({ year }) => ({
      values: [year],
      isWeak: false,
      isDigits: false,
      before: '',
      after: '',
    })),
  ]
}
