import type { FoldedWord, TextFolder } from '../folding/fold-text.ts'
import { GAP } from '../folding/fold-transcript.ts'

/** A word of a pattern, and whether it has to follow the one before it without a gap. */
interface PatternWord extends FoldedWord {
  isJoined: boolean
}

/** Words that have to follow each other. */
export type Pattern = readonly PatternWord[]

const SPACES = /^\s+$/u

/** Returns the words of a part of a query, as a language folds them. */
function foldQuery(text: string, folder: TextFolder): (PatternWord & { gap: number })[] {
  const words: (PatternWord & { gap: number })[] = []
  let lastEnd = 0
  folder.fold(text, (word, start, end) => {
    const gap = start <= lastEnd ? GAP.none : SPACES.test(text.slice(lastEnd, start)) ? GAP.space : GAP.other
    words.push({ ...word, isJoined: words.length > 0 && gap === GAP.none, gap })
    lastEnd = end
  })
  return words
}

/** Returns the pattern of a word or phrase of a query. It is empty if nothing of it can be said. */
export const buildPattern = (text: string, folder: TextFolder): Pattern => foldQuery(text, folder)

const keyOf = (pattern: Pattern): string =>
  pattern.map(({ forms, isJoined }) => `${isJoined ? '' : ' '}${forms.join('|')}`).join('')

/** Returns the places of the first of equal patterns. */
export function findDistinct(patterns: readonly Pattern[]): number[] {
  const seen = new Set<string>()
  const places: number[] = []
  for (const [place, pattern] of patterns.entries()) {
    const key = keyOf(pattern)
    if (pattern.length === 0 || seen.has(key)) continue
    seen.add(key)
    places.push(place)
  }
  return places
}

/** Whether two letters that follow each other in a text may belong to one word. */
export const mayJoin = (before: FoldedWord, after: FoldedWord, gap: number): boolean =>
  gap === GAP.none || (gap === GAP.space && before.kind === 'letter' && after.kind === 'letter')

/**
 * Returns the patterns of a question: its words, and overlapping pairs of letters where words are not separated. Equal ones are
 * not left out, so that the patterns of several languages have the same places.
 */
export function buildTerms(question: string, folder: TextFolder): Pattern[] {
  const words = foldQuery(question, folder)
  const terms: Pattern[] = []
  for (const [place, word] of words.entries()) {
    const next = words[place + 1]
    const first = { ...word, isJoined: false }
    if (word.kind === 'word') terms.push([first])
    else if (next && next.kind !== 'word' && next.gap === GAP.none) terms.push([first, { ...next, isJoined: true }])
    else if (!word.isJoined || words[place - 1]?.kind === 'word') terms.push([first])
  }
  return terms
}
