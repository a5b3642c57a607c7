import type { Context } from '@subtext/core/context'
import type { LibraryCandidate } from '@subtext/core/library'
import {
  type CountedPassage,
  countPassages,
  type FoldedTranscript,
  findMatches,
  measureTranscript,
  type ScoredPassage,
  scorePassages,
  type TextFolder,
} from '@subtext/search'
import type { SearchPlan } from './plan-search.ts'
import type { ReadTranscript } from './read-transcripts.ts'

/** Folded text that one request holds in memory; with it, a block may end early. */
const MAX_BYTES = 64 * 1024 ** 2

/** What the search of one request works with. */
export interface SearchTools {
  db: Context['db']
  readTranscript: ReadTranscript
  folderOf: (language: string) => TextFolder
  pace: () => Promise<void>
}

export interface RankOptions extends Omit<SearchTools, 'db' | 'folderOf'> {
  plan: SearchPlan
  /** Whether everything that is looked for has to be said. */
  all: boolean
  /** What each of the wanted patterns counts. Default: 1. */
  weights?: readonly number[]
}

/** A video in which something is said that is looked for, with its passages in their order. */
export interface RankedCandidate {
  candidate: LibraryCandidate
  transcript: FoldedTranscript
  passages: ScoredPassage[]
}

interface Said {
  candidate: LibraryCandidate
  transcript: FoldedTranscript
  passages: CountedPassage[]
}

/**
 * Looks into the text of candidates and returns those in which is said what is looked for. Their passages are compared with each
 * other. `looked`: how many it has looked into.
 */
export async function rankCandidates(
  { plan, all, weights, readTranscript, pace }: RankOptions,
  candidates: readonly LibraryCandidate[],
): Promise<{ ranked: RankedCandidate[]; looked: number }> {
  const said: Said[] = []
  let bytes = 0
  let looked = 0
  let patterns = 0
  for (const candidate of candidates) {
    const { folder, wanted, excluded } = plan.planFor(candidate.language)
    const transcript = await readTranscript(candidate, folder, pace)
    looked++
    if (!transcript) continue
    patterns = wanted.length
    const matches = await findMatches(transcript, [...wanted, ...excluded], pace)
    const present = new Set(matches.map(({ pattern }) => pattern))
    const isExcluded = excluded.some((_, nth) => present.has(wanted.length + nth))
    if (isExcluded || (all ? present.size < wanted.length : present.size === 0)) continue
    said.push({ candidate, transcript, passages: await countPassages(transcript, matches, pace) })
    bytes += measureTranscript(transcript)
    if (bytes > MAX_BYTES) break
  }
  const scored = await scorePassages(
    said.map(({ passages }) => passages),
    weights ?? Array.from({ length: patterns }, () => 1),
    pace,
  )
  return {
    ranked: said.map(({ candidate, transcript }, nth) => ({ candidate, transcript, passages: scored[nth] ?? [] })),
    looked,
  }
}
