import type { Pace } from '../pacer.ts'
import { LANGUAGE_CUES } from './language-cues.ts'
import type { Speech } from './speech.ts'
import type { Token } from './tokens.ts'
import type { VectorSpace } from './vectors.ts'

/** One word, or two neighboring ones. */
export interface Phrase {
  stems: string[]
  /** The most frequent spelling. */
  text: string
  score: number
}

interface Tally {
  stems: string[]
  count: number
  surfaces: Map<string, number>
}

/** Tallies by the stems, joined with a space. */
export type PhraseTallies = Map<string, Tally>

const MAX_PHRASE_CHARS = 40
const PAIR_GAIN = 1.5

/** Counts the words that carry a topic, and adjacent pairs of such words. */
export async function tallyPhrases(sentences: Token[][], isUnspaced: boolean, pace: Pace): Promise<PhraseTallies> {
  const tallies: PhraseTallies = new Map()
  const count = (stems: string[], surface: string) => {
    if (surface.length > MAX_PHRASE_CHARS) return
    const key = stems.join(' ')
    const tally = tallies.get(key) ?? { stems, count: 0, surfaces: new Map() }
    tally.count++
    tally.surfaces.set(surface, (tally.surfaces.get(surface) ?? 0) + 1)
    tallies.set(key, tally)
  }
  for (const tokens of sentences) {
    await pace()
    let previous: Token | null = null
    for (const token of tokens) {
      if (token.stem === '') {
        previous = null
        continue
      }
      count([token.stem], token.surface)
      if (previous && previous.stem !== token.stem) {
        count([previous.stem, token.stem], previous.surface + (isUnspaced ? '' : ' ') + token.surface)
      }
      previous = token
    }
  }
  return tallies
}

function mostFrequentSpelling({ surfaces }: Tally): string {
  let best = ''
  let bestCount = 0
  for (const [surface, count] of surfaces) {
    if (count > bestCount) {
      best = surface
      bestCount = count
    }
  }
  return best
}

export interface PhraseContext {
  space: VectorSpace
  speech: Speech
  /** Tallies of the whole transcript: what is said everywhere does not characterize a part of it. */
  everywhere: PhraseTallies
}

function weightOf(spelling: string, speech: Speech): number {
  const weak = speech.language ? LANGUAGE_CUES[speech.language].weakWords : null
  const isTooShort = !speech.isUnspaced && spelling.length <= 3 && spelling !== spelling.toUpperCase()
  return spelling.split(' ').some((word) => weak?.test(word)) ? 0.3 : isTooShort ? 0.4 : 1
}

/** Returns the most characteristic phrases of a part, or of the whole, best first. No two share a word. */
export function selectPhrases(part: PhraseTallies, context: PhraseContext, limit: number): Phrase[] {
  const { space, speech, everywhere } = context
  const total = space.vectors.length
  const rarity = (stem: string) => Math.log(1 + total / Math.max(1, space.sentencesWith(stem)))
  const phrases: Phrase[] = []
  // Most words of a long transcript are said once. They matter only if hardly any word is said twice.
  let repeated = 0
  for (const { count } of part.values()) if (count > 1) repeated++
  const minCount = repeated > 4 * limit ? 2 : 1
  for (const [key, tally] of part) {
    const isPair = tally.stems.length === 2
    if (tally.count < (isPair ? 2 : minCount) || tally.stems.some((stem) => space.isCommon(stem))) continue
    const text = mostFrequentSpelling(tally)
    const rare = tally.stems.reduce((sum, stem) => sum + rarity(stem), 0) / tally.stems.length
    const share = tally.count / Math.max(tally.count, everywhere.get(key)?.count ?? 0)
    const score = (tally.count - 0.5) * rare * Math.sqrt(share) * (isPair ? PAIR_GAIN : 1) * weightOf(text, speech)
    phrases.push({ stems: tally.stems, text, score })
  }
  phrases.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
  const taken = new Set<string>()
  const selected: Phrase[] = []
  for (const phrase of phrases) {
    if (selected.length >= limit) break
    if (phrase.stems.some((stem) => taken.has(stem))) continue
    for (const stem of phrase.stems) taken.add(stem)
    selected.push(phrase)
  }
  return selected
}
