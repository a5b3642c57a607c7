import { toCardinal as english } from 'n2words/en-US'
import { foldNumberText } from './number-words.ts'

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const VALUES = new Map(range(1, 59).map((value) => [foldNumberText(english(value)), value]))

/** Matches the words for any of the numbers, the longest ones first. */
const anyOf = (numbers: readonly number[]): string =>
  [...VALUES]
    .flatMap(([words, value]) => (numbers.includes(value) ? words.replaceAll(' ', '[\\s-]') : []))
    .sort((a, b) => b.length - a.length)
    .join('|')

/** Hours, or round minutes before seconds. */
const HOUR = anyOf([...range(1, 12), 20, 30, 40, 50])
/** The smaller ones are said after `oh`, as in `seven oh five`. */
const MINUTE = String.raw`(?:oh?[\s-](?:${anyOf(range(1, 9))}))|${anyOf(range(10, 59))}`
const CLOCK = new RegExp(String.raw`\b(${HOUR})[\s-](${MINUTE})\b`, 'gi')

const readNumber = (words: string): number => VALUES.get(foldNumberText(words.replace(/^oh?[\s-]/i, ''))) ?? 0

/** Returns the spoken times such as `seven thirty`, as most are in English, in digits. */
export const readSpokenClocks = (said: string): string =>
  Array.from(said.matchAll(CLOCK), ([, hour = '', minute = '']) => `${readNumber(hour)}:${readNumber(minute)}`).join(
    ' ',
  )
