import { findNames } from '../checks/names.ts'
import { findNumberWords } from '../numbers/number-words.ts'
import { FLIPS, TURNS } from './flips.ts'

/** A claim that its lines do not carry: what was altered, and how. */
export interface AlteredClaim {
  kind: 'number' | 'reversal' | 'name'
  text: string
}

const NEAR_VALUES = [
  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100,
]
const STEP = 5
const UNSPACED = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}]/u

/** Replaces a word by itself, where words have spaces around them. */
function replaceWord(text: string, word: string, other: string): string {
  const isSpaced = !UNSPACED.test(word)
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const border = isSpaced ? String.raw`[\p{L}\p{M}\p{N}]` : '(?!)'
  return text.replace(new RegExp(`(?<!${border})${escaped}(?!${border})`, 'iu'), (found) =>
    /^\p{Lu}/u.test(found) ? other.replace(/^./u, (letter) => letter.toUpperCase()) : other,
  )
}

/** Returns a text with its numbers altered, one at a time: other digits, ten times as many, other words. */
function alterNumbers(text: string, language: string): string[] {
  const altered: string[] = []
  for (const { 0: digits, index } of text.matchAll(/\d+(?:[.,]\d+)*/g)) {
    const [before, after] = [text.slice(0, index), text.slice(index + digits.length)]
    const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(digits)
    const value = Number(digits.replace(/[.,]/g, ''))
    altered.push(`${before}${value * 3 + 17}${after}`)
    // `2.5` becomes `25`, and `5,000` becomes `50,000`.
    altered.push(
      `${before}${isGrouped ? digits.replace(/[.,]/, '0$&') : /[.,]/.test(digits) ? value : `${digits}0`}${after}`,
    )
  }
  const words = findNumberWords(language)
  if (!words || words.isUnspaced) return altered
  for (const [place, value] of NEAR_VALUES.entries()) {
    const other = NEAR_VALUES[(place + STEP) % NEAR_VALUES.length] ?? 2
    const [word = '', replacement = ''] = [words.readingsOf(value)[0], words.readingsOf(other)[0]]
    if (word.includes(' ') || replacement.includes(' ')) continue
    altered.push(replaceWord(text, word, replacement))
  }
  return altered
}

/** Returns a text that says the opposite: with a negation put in or taken out, or a word turned round. */
function reverse(text: string, language: string): string[] {
  const flipped = (FLIPS[language] ?? []).map(([pattern, replacement]) => text.replace(pattern, replacement))
  const turned = (TURNS[language] ?? '').split(/\s*,\s*/u).flatMap((pair) => {
    const [one = '', other = ''] = pair.trim().split('/')
    return one === '' ? [] : [replaceWord(text, one, other), replaceWord(text, other, one)]
  })
  return [...flipped, ...turned]
}

/** Names that none of the texts has. */
const OTHER_NAMES = ['Benson', 'Okafor', 'Lindqvist', 'Toledo', 'Brisbane', 'Nakamura', 'Ferrara', 'Dunlop', 'Wexford']

/** Returns a text with each of its names replaced by one that nobody says. */
const swapNames = (text: string, names: readonly string[]): string[] =>
  names.map((name, index) => replaceWord(text, name, OTHER_NAMES[(text.length + index) % OTHER_NAMES.length] ?? ''))

/**
 * Returns claims that say something else than a sentence, by rules that apply to every text. `names`: of the sentence; by default
 * its words with a capital letter.
 */
export function alterClaim(text: string, language: string, names = findNames(text)): AlteredClaim[] {
  const kinds = {
    number: alterNumbers(text, language),
    reversal: reverse(text, language),
    name: swapNames(text, [...new Set(names)]),
  } as const
  return (['number', 'reversal', 'name'] as const).flatMap((kind) =>
    [...new Set(kinds[kind])].filter((altered) => altered !== text).map((altered) => ({ kind, text: altered })),
  )
}
