import { findNumberWords, foldNumberText } from './number-words.ts'

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)
/** Hours, or round minutes before seconds. */
const HOURS = [...range(1, 12), 20, 30, 40, 50]
const MINUTES = range(10, 59)
/** Said after `oh`, as in `seven oh five`. */
const MINUTES_AFTER_OH = range(1, 9)

/** Matches the words for any of the numbers, the longest ones first. */
const anyOf = (values: readonly number[]): string =>
  values
    .flatMap((value) => findNumberWords('en')?.readingsOf(value) ?? [])
    .sort((a, b) => b.length - a.length)
    .map((reading) => reading.replaceAll(' ', '[\\s-]'))
    .join('|')

let clockInWords: RegExp | undefined

const readNumber = (words: string): number =>
  findNumberWords('en')?.valueOf(foldNumberText(words.replace(/^oh?[\s-]/i, ''))) ?? 0

/** Returns the spoken times such as `seven thirty`, as most are in English, in digits. */
export function readSpokenClocks(said: string): string {
  clockInWords ??= new RegExp(
    String.raw`\b(${anyOf(HOURS)})[\s-]((?:oh?[\s-](?:${anyOf(MINUTES_AFTER_OH)}))|${anyOf(MINUTES)})\b`,
    'gi',
  )
  return Array.from(
    said.matchAll(clockInWords),
    ([, hour = '', minute = '']) => `${readNumber(hour)}:${readNumber(minute)}`,
  ).join(' ')
}
