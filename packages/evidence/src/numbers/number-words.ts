import { languageOf } from '@subtext/captions'
import { toCardinal as arabic } from 'n2words/ar-SA'
import { toCardinal as german } from 'n2words/de-DE'
import { toCardinal as english } from 'n2words/en-US'
import { toCardinal as spanish } from 'n2words/es-ES'
import { toCardinal as french } from 'n2words/fr-FR'
import { toCardinal as hindi } from 'n2words/hi-IN'
import { toCardinal as italian } from 'n2words/it-IT'
import { toCardinal as japanese } from 'n2words/ja-JP'
import { toCardinal as korean } from 'n2words/ko-KR'
import { toCardinal as dutch } from 'n2words/nl-NL'
import { toCardinal as portuguese } from 'n2words/pt-PT'
import { toCardinal as russian } from 'n2words/ru-RU'
import { toCardinal as turkish } from 'n2words/tr-TR'
import { toCardinal as formalChinese } from 'n2words/zh-Hans-CN'
import { UNSPACED } from '../language/unspaced.ts'
import { listOrdinals } from './ordinals.ts'

/** The numbers of a language, as they are spoken. Texts are folded: see `foldNumberText`. */
export interface NumberWords {
  /** Whether words are written without spaces, so that numerals are also parts of other words. */
  isUnspaced: boolean
  /** Returns the ways in which a whole number is said. */
  readingsOf(value: number): string[]
  /** Returns the value of words for a number up to 1,000, or for an ordinal up to 100. */
  valueOf(phrase: string): number | undefined
  /** Tells whether such words may begin with this one. Most words do not, and need not be looked at with those after them. */
  mayBegin(word: string): boolean
}

type Spell = (value: number) => string

const CHINESE_DIGITS: Record<string, string> = {
  壹: '一',
  贰: '二',
  叁: '三',
  肆: '四',
  伍: '五',
  陆: '六',
  柒: '七',
  捌: '八',
  玖: '九',
  拾: '十',
  佰: '百',
  仟: '千',
}
const chinese: Spell = (value) => formalChinese(value).replace(/./gu, (digit) => CHINESE_DIGITS[digit] ?? digit)

const SPELLINGS: Partial<Record<string, Spell>> = {
  ar: arabic,
  en: english,
  es: spanish,
  fr: french,
  de: german,
  pt: portuguese,
  hi: hindi,
  it: italian,
  nl: dutch,
  ru: russian,
  tr: turkish,
  ja: japanese,
  ko: korean,
  zh: chinese,
}
/** Korean has spaces, but numerals and the words after them are often written without. */

const inYearStyle = (value: number): { hundreds: number; rest: number } | null =>
  value >= 1_100 && value < 10_000 && value % 1_000 >= 100
    ? { hundreds: Math.floor(value / 100), rest: value % 100 }
    : null

const LARGEST_UNIT = 1_000

/** Returns further readings of a number: `fifteen hundred`, `nineteen fifty two`, and `hundred` for `one hundred`. */
const VARIANTS: Partial<Record<string, (value: number, reading: string) => string[]>> = {
  en(value, reading) {
    const style = inYearStyle(value)
    if (!style) return [reading.replace(/^one (?=hundred|thousand|million|billion)/, '')]
    const { hundreds, rest } = style
    if (rest === 0) return [`${english(hundreds)} hundred`]
    return [
      `${english(hundreds)} hundred ${english(rest)}`,
      `${english(hundreds)} ${rest < 10 ? 'oh ' : ''}${english(rest)}`,
    ]
  },
  de(value, reading) {
    const style = inYearStyle(value)
    const short = reading.replace(/^ein(?=hundert|tausend)/, '')
    return style ? [short, `${german(style.hundreds)}hundert${style.rest === 0 ? '' : german(style.rest)}`] : [short]
  },
  ar(value, reading) {
    const spoken = [reading, arabic(value, { gender: 'feminine' })].flatMap((form) => [
      form,
      form.replace(/ون(?!\p{L})/gu, 'ين').replace(/ان(?!\p{L})/gu, 'ين'),
    ])
    // `Thousand` without a number before it is a unit, which more may follow.
    if (value === LARGEST_UNIT) return []
    const spelled = [...spoken, ...spoken.map((form) => form.replace(/مئتين$/u, 'مئتي'))].flatMap((form) => [
      form,
      form.replaceAll('مائة', 'مئة'),
    ])
    // `And` is written together with the number after it.
    return [...spelled, ...spelled.map((form) => `و${form}`)]
  },
  zh: (_value, reading) => [reading.replace(/^一(?=十)/, ''), reading.replace(/二(?=[百千万亿])/g, '两')],
}

/** Conjunctions within numbers, which some speakers leave out. */
const CONJUNCTIONS = new Set(['and', 'und', 'y', 'e', 'et', 'en'])

/** Vowel signs and forms of a letter that Arabic writers leave out or exchange. */
const ARABIC_SIGNS = /[\u064B-\u0652]/g
const ARABIC_ALEF = /[أإآ]/g

/** Most words are like that, and the same when they are folded. */
const PLAIN_WORD = /^[a-z]+$/
/** Returns lower-case words with single spaces between them, without conjunctions: `one hundred and two` is `one hundred two`. */
export function foldNumberText(text: string): string {
  if (PLAIN_WORD.test(text)) return CONJUNCTIONS.has(text) ? '' : text
  const folded = text.normalize('NFKC').toLowerCase().replace(ARABIC_SIGNS, '').replace(ARABIC_ALEF, 'ا')
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.filter((word) => !CONJUNCTIONS.has(word)).join(' ')
}

const MAX_READ = 1e15
const MAX_VALUE = 1_000
function createNumberWords(language: string, spell: Spell): NumberWords {
  const fold = UNSPACED.has(language) ? (text: string) => text.normalize('NFKC').replace(/\s/g, '') : foldNumberText
  const readingsOf = (value: number): string[] => {
    if (!Number.isSafeInteger(value) || value < 0 || value > MAX_READ) return []
    const reading = spell(value)
    return [...new Set([reading, ...(VARIANTS[language]?.(value, reading) ?? [])].map(fold))]
  }
  const values = new Map<string, number>()
  for (let value = MAX_VALUE; value >= 0; value--) for (const reading of readingsOf(value)) values.set(reading, value)
  if (language === 'ar') values.delete(fold(spell(LARGEST_UNIT)))
  for (const [reading, value] of listOrdinals(language)) {
    const ordinal = fold(reading)
    if (!values.has(ordinal)) values.set(ordinal, value)
  }
  const beginnings = new Set([...values.keys()].map((phrase) => phrase.split(' ', 1)[0] ?? ''))
  return {
    isUnspaced: UNSPACED.has(language),
    readingsOf,
    valueOf: (phrase) => values.get(phrase),
    mayBegin: (word) => beginnings.has(word),
  }
}

const known = new Map<string, NumberWords | null>()

/** Returns the numbers of a language, or null if they are not known. `tag`: BCP-47. */
export function findNumberWords(tag: string): NumberWords | null {
  const language = languageOf(tag)
  const spell = SPELLINGS[language]
  if (!spell) return null
  const found = known.get(language) ?? createNumberWords(language, spell)
  known.set(language, found)
  return found
}
