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
/** What is counted, also with the names of units in place of their own, or the mark of an ordinal: a single numeral beside it is a number, and no part of another word. */
const COUNTED =
  /^(?:人|年|月|日|週|周|個|个|回|次|度|倍|つ|本|枚|台|頭|匹|種|种|名|位|歳|岁|階|層|层|カ|か|ヶ|項|项|條|条|座|隻|只|块|元|円|分|時|时|点|點|小時|小时|百万|割|成|级|級|章|hour|minute|second|day|week|month|year|percent|yen|yuan|won|dollar|euro|metre|kilometre|kilogram|tonne|degree)/
const ORDINAL = /第$/
/** Korean and Japanese have further numbers for counting. */
const COUNTING: Record<'ko' | 'ja', { pattern: RegExp; values: Record<string, number> }> = {
  ko: {
    pattern:
      /(?<!\p{L})(열|스물|서른|마흔|쉰|예순|일흔|여든|아흔)?(하나|한|두|둘|세|셋|석|네|넷|넉|다섯|여섯|일곱|여덟|아홉|열|스무)?(?=\s{0,2}(?:hour|minute|second|day|week|month|year|percent|won|명|개|번|가지|시|살|마리|달|사람|권|대|곳|주|배|차례|척|채|그루|해|쪽|편|팀|분의|분이|분은|단계|종류|나라))/gu,
    values: {
      하나: 1,
      한: 1,
      두: 2,
      둘: 2,
      세: 3,
      셋: 3,
      석: 3,
      네: 4,
      넷: 4,
      넉: 4,
      다섯: 5,
      여섯: 6,
      일곱: 7,
      여덟: 8,
      아홉: 9,
      열: 10,
      스무: 20,
      스물: 20,
      서른: 30,
      마흔: 40,
      쉰: 50,
      예순: 60,
      일흔: 70,
      여든: 80,
      아흔: 90,
    },
  },
  ja: {
    pattern: /(ひとり|ふたり|ひとつ|ふたつ|みっつ|よっつ|いつつ|むっつ|ななつ|やっつ|ここのつ)()/gu,
    values: {
      ひとり: 1,
      ひとつ: 1,
      ふたり: 2,
      ふたつ: 2,
      みっつ: 3,
      よっつ: 4,
      いつつ: 5,
      むっつ: 6,
      ななつ: 7,
      やっつ: 8,
      ここのつ: 9,
    },
  },
}

/** Returns the numbers that are said with words for counting: `두 명`, ふたつ. */
function findCounted(text: string, { pattern, values }: (typeof COUNTING)['ko']): Amount[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, 1: tens = '', 2: ones = '', index }) => {
    const value = (values[tens] ?? 0) + (values[ones] ?? 0)
    const end = index + found.length
    return {
      values: [value],
      isWeak: value <= 1,
      isDigits: false,
      before: text.slice(Math.max(0, index - CONTEXT_CHARS), index),
      after: text.slice(end, end + CONTEXT_CHARS),
    }
  }).filter(({ values: [value = 0] }) => value > 0)
}

const OTHER_NUMERALS: Record<string, string> = { 零: '〇', 两: '二', 兩: '二' }

/** Adds up a run of digits and numerals such as `3億5000万` or `二百五十`. */
function readNumerals(run: string, { ones, units, scales }: Numerals): number {
  let [total, section] = [0, 0]
  let number: number | null = null
  for (const part of run.match(/\d[\d.,]*|./gu) ?? []) {
    const one = ones.indexOf(part)
    if (DIGITS.test(part)) number = readDigits(part.replace(/[.,]$/, ''), ',')[0] ?? 0
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
  const system = language === 'ko' ? 'ko' : 'ja'
  const numerals = NUMERALS[system]
  const plain = withPlainDigits(text)
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/[零两兩]/g, (numeral) => OTHER_NUMERALS[numeral] ?? numeral)
  const written = joinParts(plain, numerals.part).map(({ run, index }) => {
    const end = index + run.length
    const isDigits = /^[\d.,]+$/.test(run)
    const values = isDigits ? readDigits(run.replace(/[.,]$/, ''), ',') : [readNumerals(run, numerals)]
    const before = plain.slice(Math.max(0, index - CONTEXT_CHARS), index)
    const after = plain.slice(end, end + CONTEXT_CHARS)
    const isCounted = system === 'ja' && values[0] !== 1 && (COUNTED.test(after) || ORDINAL.test(before))
    return {
      values,
      // In Korean, numerals without a unit are syllables of other words, too.
      isWeak: !/\d/.test(run) && ((run.length === 1 && !isCounted) || (language === 'ko' && !numerals.large.test(run))),
      isDigits: /\d/.test(run),
      before,
      after,
    }
  })
  return language === 'zh' ? written : [...written, ...findCounted(text.normalize('NFKC'), COUNTING[system])]
}
