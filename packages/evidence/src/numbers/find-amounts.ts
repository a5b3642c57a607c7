import { languageOf } from '@subtext/captions'
import { findNumberWords, foldNumberText, type NumberWords } from './number-words.ts'
import { withPlainDigits } from './plain-digits.ts'

/** A number in a text, in digits or in words. */
export interface Amount {
  /** Its possible values: `1.234` is 1234 or 1.234. */
  values: number[]
  /** Whether it may not be a number, such as `one`, or a character that numerals share with other words. */
  isWeak: boolean
  /** The folded text right before and after it. */
  before: string
  after: string
}

/** Returns the numbers of a text, in its order. */
export type FindAmounts = (text: string) => Amount[]

const MAX_VALUE = 1e15
const CONTEXT_TOKENS = 5
const CONTEXT_CHARS = 12
/** Longer runs of words are not numbers. */
const MAX_WORDS = 8

/** Larger units as they are abbreviated, and forms that the tables of number words lack. */
const SHORT_SCALES: Partial<Record<string, Record<string, number>>> = {
  en: { hundred: 100, k: 1e3, mn: 1e6, bn: 1e9, tn: 1e12, millions: 1e6, billions: 1e9 },
  de: { tsd: 1e3, mio: 1e6, mrd: 1e9 },
  fr: { md: 1e9, mds: 1e9 },
  it: { mln: 1e6, mld: 1e9 },
  pt: { bilhão: 1e9, bilhões: 1e9, trilhão: 1e12, trilhões: 1e12 },
  ru: { тыс: 1e3, млн: 1e6, млрд: 1e9, трлн: 1e12 },
}
const SCALES = [1e3, 1e5, 1e6, 1e7, 1e9, 1e12]

/** Returns the words for thousand, million and so on, in all their forms. */
function listScales(words: NumberWords, language: string): Map<string, number> {
  const scales = new Map(Object.entries(SHORT_SCALES[language] ?? {}))
  for (const scale of SCALES) {
    for (const reading of [1, 2, 5].flatMap((count) => words.readingsOf(scale * count))) {
      const parts = reading.split(' ')
      const last = parts.at(-1) ?? ''
      // `zweitausend` is a number, not a unit.
      if (parts.length === 1 && words.valueOf(last) !== scale) continue
      const value = words.valueOf(last)
      if (!scales.has(last) && (value === undefined || value === scale)) scales.set(last, scale)
    }
  }
  return scales
}

const DIGITS = /^\d/
const GROUPS = /^\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+$/
const TOKEN =
  /\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+(?![\d])(?:[.,]\d{1,9}(?!\d))?|\d{1,15}(?:[.,]\d{1,9}(?!\d))?|\d+|[\p{L}\p{M}]+|[-−](?=\d)|[,;:.!?](?!\S)/gu

/** Returns the possible values of digits. */
function readDigits(digits: string): number[] {
  const plain = digits.replace(/['’\u00A0\u202F ]/g, '')
  const decimal = plain.lastIndexOf('.') > plain.lastIndexOf(',') ? '.' : ','
  const [whole, fraction = ''] = plain.split(decimal)
  const grouped = Number(plain.replace(/[.,]/g, ''))
  const values = [
    ...(GROUPS.test(digits) ? [grouped] : []),
    ...(plain.split(decimal).length === 2 ? [Number(`${(whole ?? '').replace(/[.,]/g, '')}.${fraction}`)] : [grouped]),
  ]
  return [...new Set(values)].filter((value) => value <= MAX_VALUE)
}

/** A number that begins at a token. */
interface Found {
  values: number[]
  to: number
  isWeak: boolean
}

interface SpacedText {
  words: NumberWords | null
  scales: ReadonlyMap<string, number>
  /** Its tokens as number words are written. Conjunctions and punctuation marks are empty. */
  folded: string[]
}

/** Units within words, the larger ones first: `fünfundvierzigtausend`, `neunzehnhundert`. */
const UNITS_IN_WORDS: [string, number][] = [
  ...(['tausend', 'mille', 'mila', 'duizend'] as const).map((unit): [string, number] => [unit, 1_000]),
  ...(['hundert', 'honderd'] as const).map((unit): [string, number] => [unit, 100]),
]
const MAX_WORD_LENGTH = 80
const MAX_DEPTH = 3

/** Reads a number that is one word. */
function readWord(word: string, words: NumberWords, depth = 0): number | undefined {
  const value = words.valueOf(word)
  if (value !== undefined || depth === MAX_DEPTH || word.length > MAX_WORD_LENGTH) return value
  for (const [unit, factor] of UNITS_IN_WORDS) {
    const at = word.indexOf(unit)
    if (at < 0) continue
    const [left, right] = [word.slice(0, at), word.slice(at + unit.length)]
    const count = left === '' ? 1 : readWord(left, words, depth + 1)
    const rest = right === '' ? 0 : readWord(right, words, depth + 1)
    return count === undefined || rest === undefined ? undefined : count * factor + rest
  }
  return undefined
}

/** Reads a number below the smallest larger unit. */
function readPart(tokens: string[], from: number, { words, folded }: SpacedText): Found | null {
  const first = tokens[from] ?? ''
  if (DIGITS.test(first)) return { values: readDigits(first), to: from + 1, isWeak: false }
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

/** Returns how many tokens say that a half is added. */
const countHalf = (tokens: string[], from: number): number =>
  HALVES.find((half) => half.every((word, index) => tokens[from + index] === word))?.length ?? 0

/** Reads a number with its larger units: `two million three hundred thousand`, `3.5 million`. */
function readNumber(tokens: string[], from: number, text: SpacedText): Found | null {
  const scaleAt = (index: number): number | undefined => text.scales.get(tokens[index] ?? '')
  const first = readPart(tokens, from, text)
  const bare = first ? undefined : scaleAt(from)
  let found: Found | null = first ?? (bare === undefined ? null : { values: [bare], to: from + 1, isWeak: false })
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
    found = { values, to, isWeak: current.isWeak && scale === 1 && half === 0 }
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

function findSpaced(text: string, language: Omit<SpacedText, 'folded'>): Amount[] {
  const tokens = withPlainDigits(text).toLowerCase().match(TOKEN) ?? []
  // Each token is looked at several times, and folding it takes most of the work.
  const spaced = { ...language, folded: language.words ? tokens.map(foldNumberText) : [] }
  const found: { found: Found; from: number }[] = []
  for (let from = 0; from < tokens.length; ) {
    const number = readNumber(tokens, from, spaced)
    if (number) found.push({ found: number, from })
    from = number?.to ?? from + 1
  }
  const amounts = found.map(({ found: { values, to, isWeak }, from }) => ({
    values,
    isWeak,
    before: tokens.slice(Math.max(0, from - CONTEXT_TOKENS), from).join(' '),
    after: tokens.slice(to, to + CONTEXT_TOKENS).join(' '),
  }))
  return [
    ...amounts,
    ...joinYears(tokens, found).map((value) => ({ values: [value], isWeak: true, before: '', after: '' })),
  ]
}

interface Numerals {
  ones: string
  units: Record<string, number>
  scales: Record<string, number>
  /** One numeral, or digits. */
  part: RegExp
  /** A unit or a scale. */
  large: RegExp
}

const NUMERALS: Record<'ko' | 'ja', Numerals> = {
  ko: {
    ones: '영일이삼사오육칠팔구',
    units: { 십: 10, 백: 100, 천: 1e3 },
    scales: { 만: 1e4, 억: 1e8, 조: 1e12 },
    part: /\d[\d.,]*|[영일이삼사오육칠팔구십백천만억조]/g,
    large: /[십백천만억조]/,
  },
  ja: {
    ones: '〇一二三四五六七八九',
    units: { 十: 10, 百: 100, 千: 1e3 },
    scales: { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8, 兆: 1e12 },
    part: /\d[\d.,]*|[〇一二三四五六七八九十百千万萬億亿兆]/g,
    large: /[十百千万萬億亿兆]/,
  },
}
const OTHER_NUMERALS: Record<string, string> = { 零: '〇', 两: '二', 兩: '二' }

/** Adds up a run of digits and numerals such as `3億5000万` or `二百五十`. */
function readNumerals(run: string, { ones, units, scales }: Numerals): number {
  let [total, section] = [0, 0]
  let number: number | null = null
  for (const part of run.match(/\d[\d.,]*|./gu) ?? []) {
    const one = ones.indexOf(part)
    if (DIGITS.test(part)) number = readDigits(part.replace(/[.,]$/, ''))[0] ?? 0
    else if (one >= 0) number = (number ?? 0) * 10 + one
    else if (units[part] !== undefined) {
      section += (number ?? 1) * units[part]
      number = null
    } else {
      total += (section + (number ?? 0) || 1) * (scales[part] ?? 1)
      section = 0
      number = null
    }
  }
  return total + section + (number ?? 0)
}

/** Returns the parts that follow each other directly as one. */
function joinParts(text: string, part: RegExp): { run: string; index: number }[] {
  const runs: { run: string; index: number }[] = []
  for (const { 0: found, index } of text.matchAll(part)) {
    const last = runs.at(-1)
    if (last && last.index + last.run.length === index) last.run += found
    else runs.push({ run: found, index })
  }
  return runs
}

function findUnspaced(text: string, language: string): Amount[] {
  const numerals = NUMERALS[language === 'ko' ? 'ko' : 'ja']
  const plain = withPlainDigits(text)
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/[零两兩]/g, (numeral) => OTHER_NUMERALS[numeral] ?? numeral)
  return joinParts(plain, numerals.part).map(({ run, index }) => {
    const end = index + run.length
    const isDigits = /^[\d.,]+$/.test(run)
    const values = isDigits ? readDigits(run.replace(/[.,]$/, '')) : [readNumerals(run, numerals)]
    return {
      values,
      // In Korean, numerals without a unit are syllables of other words, too.
      isWeak: !/\d/.test(run) && (run.length === 1 || (language === 'ko' && !numerals.large.test(run))),
      before: plain.slice(Math.max(0, index - CONTEXT_CHARS), index),
      after: plain.slice(end, end + CONTEXT_CHARS),
    }
  })
}

const known = new Map<string, FindAmounts>()

/** Creates the search for the numbers of a language. Where its number words are not known, only digits are found. `tag`: BCP-47. */
export function createAmountFinder(tag: string): FindAmounts {
  const language = languageOf(tag)
  const found = known.get(language)
  if (found) return found
  const words = findNumberWords(tag)
  const scales = words && !words.isUnspaced ? listScales(words, language) : new Map<string, number>()
  const find: FindAmounts = (text) =>
    words?.isUnspaced ? findUnspaced(text, language) : findSpaced(text, { words, scales })
  if (words) known.set(language, find)
  return find
}
