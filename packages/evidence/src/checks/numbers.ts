import { isSameLanguage } from '@subtext/captions'
import type { Amount } from '../numbers/amount.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import { isUnit, nameUnits } from '../numbers/units.ts'
import type { Check } from './check.ts'

/** A number of a text. */
export interface NumberToSay {
  /** The values that it may have, as `1.234` is 1234 or 1.234. */
  values: number[]
  /** Its units: two in `5 dollars an hour`. */
  units: readonly string[]
  /** The unit of time that it is said of: a day, in `5 dollars a day`. */
  rate: string | null
  /** The beginning of the word after it: what it counts. Null if that is a unit, too short, or not separated by spaces. */
  counted: string | null
  /** In scripts without spaces: the unit or the character after it, which says what it counts. */
  counter: string | null
  /** The words after it. */
  after: string
  /** Whether it is a temperature below zero. Elsewhere, other words may say the same: a loss, a fall. */
  isBelowZero: boolean
}

/** Checks that the numbers of a text are said in its lines. */
export interface NumberCheck extends Check {
  /** Returns the numbers of a text that have to be said. */
  listNumbers(text: string): NumberToSay[]
  /** Returns those of the numbers that the evidence does not say. */
  selectUnsaid(numbers: readonly NumberToSay[], evidence: string): NumberToSay[]
}

const WORD = /[\p{L}\p{M}]+/gu
/** Words between a number and the unit that belongs to it: `five more minutes`, `2 to 3 percent`. */
const MAX_BETWEEN = 2

/** Returns the units that stand beside a number. */
function unitsOf({ before, after }: Amount): string[] {
  // In scripts without spaces, only the name of the unit is in Latin letters.
  const following = UNSPACED.test(after)
    ? (/^[a-z]{1,20}/.exec(after)?.filter(isUnit) ?? [])
    : (after.match(WORD) ?? []).slice(0, MAX_BETWEEN).filter(isUnit)
  const word = (before.match(WORD) ?? []).at(-1) ?? ''
  const last = UNSPACED.test(word) ? (/[a-z]{1,20}$/.exec(word)?.[0] ?? '') : word
  // Other units before a number belong to the number before it: `two hours 30 minutes`.
  return isUnit(last) && before.trimEnd().endsWith(last) && CURRENCIES.has(last) ? [last, ...following] : following
}
const CURRENCIES = new Set([
  'euro',
  'dollar',
  'pound',
  'yen',
  'yuan',
  'won',
  'rupee',
  'ruble',
  'franc',
  'peso',
  'krona',
  'percent',
])

/** Inflection mostly leaves as many letters unchanged; a shorter word is a conjunction or a preposition. */
const STEM = 5
const MIN_COUNTED = 4
const COUNTED = /^\s*([\p{L}\p{M}]+)/u
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** `1,250 passengers a day`: the number is another one in an hour. */
const RATE =
  /(?<![\p{L}\p{M}])(?:an?|per|each|every|pro|je|am|in der|im|al|por|par|à l) ?(hour|minute|second|day|week|month|year)(?![\p{L}\p{M}])/u
const MINUS = /(?:minus|menos|moins|meno|минус|マイナス|氷点下|零下|영하|माइनस|ناقص)\s?$/u
const BELOW_ZERO = /below zero|unter null|bajo cero|(?:au-dessous|en dessous) de zéro|abaixo de zero/u
/** Elsewhere, a hyphen before a number joins it to a word or to another number. */
const SIGN = /(?<=^|[\s(])[-−](?=\d)/gu

const isTemperatureBelowZero = ({ before, after }: Amount, units: readonly string[]): boolean =>
  units.includes('degree') && (MINUS.test(before) || BELOW_ZERO.test(after))

/** The rest of a range, as in `5~6일`, and words such as `about`, between a number and what it counts. */
const BEFORE_COUNTER =
  /^(?:\s*[~〜～\-–−・·、,或至到와과]\s*(?:\d[\d.,]*|[〇一二三四五六七八九十百千万]+))*\s*(?:여|餘|余|多|几|幾)?\s*/u
const COUNTER = /^(?:[a-z]+|[\p{sc=Han}\p{sc=Hangul}])/u
/** Characters that follow a number without being counted. */
const PARTICLES = new Set('에의은는이가을를와과도로으부까보및的和或至到比在是与與')

const counterOf = ({ after }: Amount): string | null => {
  const [counter = ''] = COUNTER.exec(after.replace(BEFORE_COUNTER, '')) ?? []
  return counter === '' || PARTICLES.has(counter) || (/[a-z]/.test(counter) && !isUnit(counter)) ? null : counter
}

function describe(amount: Amount): NumberToSay {
  const units = unitsOf(amount)
  const word = COUNTED.exec(amount.after)?.[1] ?? ''
  const isCounted = word.length >= MIN_COUNTED && !isUnit(word) && !UNSPACED.test(word)
  return {
    values: amount.values,
    units,
    rate: RATE.exec(amount.after)?.[1] ?? null,
    counted: isCounted ? word.slice(0, STEM) : null,
    counter: UNSPACED.test(amount.after) ? counterOf(amount) : null,
    after: amount.after,
    isBelowZero: isTemperatureBelowZero(amount, units),
  }
}

/** `$5m` is five million dollars. */
const SHORT_SCALE = /([$€£¥₹]\s?\d[\d.,]*)\s?(k|m|b|t)(?!\p{L})/giu
const SCALE_NAMES: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion', t: 'trillion' }
/** The plural of a decade is no unit: `the 1970s`. */
const DECADE = /(?<=\d0)['’]?s(?![\p{L}\p{M}])/gu
const spellScales = (text: string): string =>
  text
    .replace(DECADE, '')
    .replace(SIGN, 'minus ')
    .replace(SHORT_SCALE, (_, amount: string, scale: string) => `${amount} ${SCALE_NAMES[scale.toLowerCase()] ?? ''}`)

/** What English calls one without saying so: `an hour`, `per month`. */
const SINGLE = /\b(?:a|an|per|each|every|another)\s+(?:full\s+|single\s+|whole\s+)?(?=\p{L})/iu
const WEAK_UNITS = new Set(['day', 'second', 'minute'])

/** Tells whether the lines say a number of a text with a unit and a sign that they do not contradict. */
const isOfUnit = (wanted: NumberToSay, said: NumberToSay): boolean =>
  (wanted.rate === null || said.rate === null || wanted.rate === said.rate) && isOfSameUnit(wanted, said)

const isOfSameUnit = (wanted: NumberToSay, said: NumberToSay): boolean =>
  wanted.units.length === 0 ||
  said.units.length === 0 ||
  (wanted.units.some((unit) => said.units.includes(unit)) && wanted.isBelowZero === said.isBelowZero)

/**
 * Creates the function that tells whether a number is said. Where the lines count what it counts, it has to be one of these
 * numbers: `two dollars` and `sixty cars` do not say `two cars`. `Two or three cars` does.
 */
function createSaidCheck(said: readonly NumberToSay[]): (wanted: NumberToSay) => boolean {
  const byValue = new Map<number, NumberToSay[]>()
  for (const number of said) {
    for (const value of number.values) {
      const same = byValue.get(value)
      if (same) same.push(number)
      else byValue.set(value, [number])
    }
  }
  const countedWords = new Set(said.map(({ counted }) => counted))
  const counters = new Set(said.map(({ counter }) => counter))
  const isSaid = (wanted: NumberToSay): boolean => {
    const { counted, counter } = wanted
    const isCounted = counted !== null && countedWords.has(counted)
    const hasCounter = counter !== null && counters.has(counter)
    return wanted.values
      .flatMap((value) => byValue.get(value) ?? [])
      .some(
        (number) =>
          isOfUnit(wanted, number) &&
          (!isCounted || number.after.includes(counted)) &&
          (!hasCounter || number.counter === counter),
      )
  }
  // Without this, a hostile text that repeats a number would take quadratic time.
  const known = new Map<string, boolean>()
  return (wanted) => {
    const key = JSON.stringify([
      wanted.values,
      wanted.units,
      wanted.rate,
      wanted.counted,
      wanted.counter,
      wanted.isBelowZero,
    ])
    const result = known.get(key) ?? isSaid(wanted)
    known.set(key, result)
    return result
  }
}

/**
 * Creates the check whether the numbers of a text are said, in digits or in words, and with their units: one that is said with
 * another unit is another one. The languages are BCP-47 tags. For a language whose number words are not known, only digits are
 * compared. A number that was rounded, converted, summed or counted is not said. Words that may not be numbers, such as `one`,
 * need not be said, and neither need numbers in words below `minWord`.
 */
export function createNumberCheck(textLanguage: string, evidenceLanguage: string, minWord = 0): NumberCheck {
  const [inText, inEvidence] = [createAmountFinder(textLanguage), createAmountFinder(evidenceLanguage)]
  const isEnglish = isSameLanguage(textLanguage, 'en')
  const listNumbers = (text: string): NumberToSay[] =>
    inText(nameUnits(spellScales(text))).flatMap((amount) => {
      if (!amount.isDigits && ((amount.values[0] ?? 0) < minWord || (minWord > 0 && amount.isBare))) return []
      const units = unitsOf(amount)
      const isOneOfUnit = isEnglish && amount.values[0] === 1 && units.some((unit) => !WEAK_UNITS.has(unit))
      return amount.isWeak && !isOneOfUnit ? [] : [describe(amount)]
    })
  const selectUnsaid = (numbers: readonly NumberToSay[], evidence: string): NumberToSay[] => {
    if (numbers.length === 0) return []
    const said = inEvidence(nameUnits(spellScales(evidence))).map(describe)
    if (isSameLanguage(evidenceLanguage, 'en') && SINGLE.test(evidence))
      said.push({ values: [1], units: [], rate: null, counted: null, counter: null, after: '', isBelowZero: false })
    const isSaid = createSaidCheck(said)
    return numbers.filter((number) => !isSaid(number))
  }
  return {
    reason: 'unsaid_number',
    isPassed: (text, { sentences }) => selectUnsaid(listNumbers(text), sentences).length === 0,
    listNumbers,
    selectUnsaid,
  }
}
