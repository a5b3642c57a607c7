import type { NumberWords } from './number-words.ts'

/** Units within words, the larger ones first: `fünfundvierzigtausend`, `neunzehnhundert`. */
const UNITS_IN_WORDS: [string, number][] = [
  ...(['tausend', 'mille', 'mila', 'duizend'] as const).map((unit): [string, number] => [unit, 1_000]),
  ...(['hundert', 'honderd'] as const).map((unit): [string, number] => [unit, 100]),
]
const MAX_WORD_LENGTH = 80
const MAX_DEPTH = 3

/** `Zweieinhalb` and `anderthalb`. */
const WITH_HALF = /^(\p{L}{1,20})einhalb$|^anderthalb$/u

function readHalf(word: string, words: NumberWords): number | undefined {
  if (!word.endsWith('halb')) return undefined
  const [, whole] = WITH_HALF.exec(word) ?? [null, null]
  if (whole === null) return undefined
  const value = whole === undefined || whole === 'ein' ? 1 : words.valueOf(whole)
  return value === undefined ? undefined : value + 0.5
}

/** Reads a number that is one word. */
export function readWord(word: string, words: NumberWords, depth = 0): number | undefined {
  const value = words.valueOf(word) ?? readHalf(word, words)
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
