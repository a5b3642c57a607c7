/** A piece of a passage, and whether it is what was searched for. */
export interface Piece {
  text: string
  isMarked: boolean
}

const BEFORE = 90
const LENGTH = 300
const SPACE = /\s/

/** Moves a place to the beginning of a word, unless the text has no spaces near it. */
function toWord(text: string, place: number): number {
  for (let at = place; at < Math.min(text.length, place + 25); at++) if (SPACE.test(text[at - 1] ?? ' ')) return at
  // Never between the halves of one character.
  return /[\udc00-\udfff]/.test(text[place] ?? '') ? place + 1 : place
}

/** Returns the part of a passage around what was searched for, as pieces. `highlights`: in UTF-16 code units, in their order. */
export function buildSnippet(text: string, highlights: readonly (readonly number[])[]): Piece[] {
  const [first = 0, firstEnd = 0] = highlights[0] ?? []
  const start = first <= BEFORE ? 0 : Math.min(first, toWord(text, first - BEFORE))
  const end = text.length <= start + LENGTH ? text.length : Math.max(firstEnd, toWord(text, start + LENGTH))
  const pieces: Piece[] = []
  const add = (from: number, to: number, isMarked: boolean): void => {
    if (from < to) pieces.push({ text: text.slice(from, to), isMarked })
  }
  let at = start
  for (const [from = 0, to = 0] of highlights) {
    if (to > end) break
    add(at, from, false)
    add(from, to, true)
    at = to
  }
  add(at, end, false)
  if (start > 0) pieces.unshift({ text: '… ', isMarked: false })
  if (end < text.length) pieces.push({ text: ' …', isMarked: false })
  return pieces
}
