import { withPlainDigits } from './numbers/plain-digits.ts'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Letters of scripts that do not separate words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** Marks that belong to the end of a quotation. */
const ENDING = /^[.!?…。！？।؟]+/u

interface Token {
  word: string
  start: number
  end: number
}

function listTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: run, index } of text.matchAll(WORD)) {
    const pieces = UNSPACED.test(run) ? [...run] : [run]
    let start = index
    for (const piece of pieces) {
      const word = withPlainDigits(piece).normalize('NFKC').toLowerCase()
      tokens.push({ word, start, end: start + piece.length })
      start += piece.length
    }
  }
  return tokens
}

/**
 * Returns the part of a text that a quotation repeats, as it stands in the text: a model changes case and punctuation. Null if the
 * text does not have these words in a row.
 */
export function cutQuotation(text: string, quote: string): string | null {
  const spoken = listTokens(text)
  const wanted = listTokens(quote).map(({ word }) => word)
  if (wanted.length === 0) return null
  const at = spoken.findIndex((_, from) => wanted.every((word, index) => spoken[from + index]?.word === word))
  const [first, last] = [spoken[at], spoken[at + wanted.length - 1]]
  if (at < 0 || !first || !last) return null
  const ending = ENDING.exec(text.slice(last.end))?.[0] ?? ''
  return text.slice(first.start, last.end) + ending
}
