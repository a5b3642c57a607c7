import { languageOf } from '@subtext/captions'
import { UNSPACED } from '../language/unspaced.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import type { Check } from './check.ts'

/** A part or a multiple, and the numbers that say the same: `half` and 50 percent. */
interface Multiple {
  /** How a text says it. */
  said: RegExp
  /** How lines may say it, besides that. */
  otherwise?: RegExp
  numbers: readonly number[]
}

type MultipleName = 'half' | 'third' | 'quarter' | 'fifth' | 'double' | 'triple' | 'quadruple'

const NUMBERS: Record<MultipleName, readonly number[]> = {
  half: [0.5, 50],
  third: [3, 33, 33.3, 66, 66.7, 67],
  quarter: [0.25, 4, 25, 75],
  fifth: [0.2, 5, 20, 40, 60, 80],
  double: [2, 100, 200],
  triple: [3, 200, 300],
  quadruple: [4, 300, 400],
}

/**
 * The words of a language, as patterns for texts in lower case. Those of ordinals are numbers already, and so is half of a larger
 * unit.
 */
const WORDS: Partial<Record<string, Partial<Record<MultipleName, string>>>> = {
  en: {
    half: '(?<!and a |and-a-|\\p{N} )(?:half(?! an? (?:million|billion|trillion|thousand))|halve[ds]?|halving)',
    third: '(?:one|two|a)[ -]thirds?',
    quarter: '(?:one|three|a)[ -]quarters? of',
    fifth: '(?:one|two|three|four|a)[ -]fifths?',
    double: 'doubled|doubles|doubling|twofold|twice',
    triple: 'tripled|triples|tripling|threefold',
    quadruple: 'quadrupled|quadruples|quadrupling|fourfold',
  },
  de: {
    half: 'hälften?|halbier\\p{L}*',
    third: 'drittel[ns]?',
    quarter: 'viertel[ns]?(?! (?:vor|nach))',
    fifth: 'fünftel[ns]?',
    double: '(?:ver)?doppel\\p{L}*',
    triple: 'verdreifach\\p{L}*',
    quadruple: 'vervierfach\\p{L}*',
  },
  es: {
    half: 'mitad',
    third: 'tercios?',
    quarter: '(?:un|tres) cuartos?(?= de)',
    double: 'duplic\\p{L}+|doble',
    triple: 'triplic\\p{L}+|triple',
    quadruple: 'cuadruplic\\p{L}+',
  },
  fr: {
    half: 'moitié',
    third: '(?:un|deux|le) tiers',
    quarter: '(?:un|trois|le) quarts?(?= d)',
    double: 'doubl\\p{L}+',
    triple: 'tripl\\p{L}+',
    quadruple: 'quadrupl\\p{L}+',
  },
  pt: {
    half: 'metade',
    third: 'terços?',
    quarter: '(?:um|três) quartos?(?= d)',
    double: 'duplic\\p{L}+|dobr[ao]\\p{L}*',
    triple: 'triplic\\p{L}+',
    quadruple: 'quadruplic\\p{L}+',
  },
  ja: { half: '半分|半減', double: '(?<=[^一-九十百千\\d]|^)倍(?:に|増)|倍増' },
  ko: { half: '절반|반으로' },
  zh: { half: '一半|减半', double: '翻倍|翻番|翻了一番|加倍' },
}
/** What lines may say instead. */
const OTHERWISE: Partial<Record<string, Partial<Record<MultipleName, string>>>> = {
  en: { half: 'half|halv|50|fifty|semi|\\.5|½', quarter: 'quarter|¼', double: 'doubl|two times|twofold|twice' },
  de: { half: 'halb|½', double: 'doppel|zweimal|zweifach', triple: 'dreimal|dreifach', quarter: 'viertel' },
  es: { half: 'medi[oa]|½', double: 'dobl|dupl|dos veces', triple: 'tripl' },
  fr: { half: 'demi|½' },
  pt: { half: 'mei[oa]|½' },
  ja: { half: '半', double: '倍' },
  ko: { half: '반' },
  zh: { half: '半', double: '倍' },
}

function listMultiples(language: string): Multiple[] {
  const whole = (words: string): string =>
    UNSPACED.has(language) ? words : `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`
  return Object.entries(WORDS[language] ?? {}).map(([key, words]) => {
    const name = key as MultipleName
    const otherwise = OTHERWISE[language]?.[name]
    return {
      said: new RegExp(whole(words), 'u'),
      ...(otherwise && { otherwise: new RegExp(otherwise, 'u') }),
      numbers: NUMBERS[name],
    }
  })
}

const MULTIPLES = new Map(Object.keys(WORDS).map((language) => [language, listMultiples(language)]))

/**
 * Creates the check that the lines say the parts and the multiples of a text: `half` of something, and that it `tripled`. Words
 * of a language that is not known are not compared. `language`: of both, BCP-47.
 */
export function createMultipleCheck(language: string): Check {
  const multiples = MULTIPLES.get(languageOf(language)) ?? []
  const findAmounts = createAmountFinder(language)
  return {
    reason: 'unsaid_number',
    isPassed(text, { sentences }) {
      const stated = text.normalize('NFKC').toLowerCase()
      const named = multiples.filter(({ said }) => said.test(stated))
      if (named.length === 0) return true
      const lines = sentences.normalize('NFKC').toLowerCase()
      const unsaid = named.filter(({ said, otherwise }) => !said.test(lines) && !otherwise?.test(lines))
      if (unsaid.length === 0) return true
      const values = new Set(findAmounts(lines).flatMap((amount) => amount.values))
      return unsaid.every(({ numbers }) => numbers.some((number) => values.has(number)))
    },
  }
}
