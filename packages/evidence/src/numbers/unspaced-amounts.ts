import type { Amount } from './amount.ts'
import { withPlainDigits } from './plain-digits.ts'
import { DIGITS, readDigits } from './read-digits.ts'

const CONTEXT_CHARS = 12

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

/** Finds the numbers of a text in a language whose numerals are parts of longer words: Chinese, Japanese, Korean. */
export function findUnspaced(text: string, language: string): Amount[] {
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
