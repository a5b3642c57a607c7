import { type CitedSegment, type Claim, type FindQuoted, type FindStems, listCitations } from '@subtext/evidence'
import { takePassage } from './passages.ts'
import type { PromptLine } from './transcript-document.ts'

/** Returns the claim with the lines that it rests on instead of the passages that it cites. */
export type ResolveLines = (claim: Claim) => Claim

interface LineResolverOptions {
  /** The lines that were joined to passages. */
  lines: readonly PromptLine[]
  /** Null if claims are in another language than the lines. */
  findStems: FindStems | null
  findQuoted: FindQuoted
  /** Whether a number begins a passage of the document. Any other number names a single line. */
  isStart: (id: number) => boolean
}

const MAX_LINES = 4
/** A further line has to share more than a stray word, with which it might turn the claim round. */
const MIN_FURTHER = 2
/** Stems of a line take several kilobytes, and claims follow the course of the video. */
const MAX_KNOWN_LINES = 500
/** A number is looked for where it is said. */
const weigh = (stems: string[]): number => stems.length + stems.filter((stem) => /\p{N}/u.test(stem)).length

/**
 * Creates the function that resolves citations of passages. A passage stands for those of its lines that contain what the claim
 * quotes or, without a quotation, for the few that together share the most words with it.
 */
export function createLineResolver({ lines, findStems, findQuoted, isStart }: LineResolverOptions): ResolveLines {
  const positions = new Map(lines.map(({ id }, index) => [id, index]))
  const known = new Map<number, ReadonlySet<string>>()
  const stemsOf = (find: FindStems, { id, text }: PromptLine): ReadonlySet<string> => {
    const stems = known.get(id) ?? find(text)
    if (known.size >= MAX_KNOWN_LINES) known.clear()
    known.set(id, stems)
    return stems
  }

  /** Takes the line that says most of what is left of the claim, until no line says more of it. */
  const selectLines = (find: FindStems, wanted: ReadonlySet<string>, passage: PromptLine[]): number[] => {
    const left = new Set(wanted)
    const chosen: number[] = []
    while (chosen.length < MAX_LINES) {
      const shared = passage.map((line) => [...stemsOf(find, line)].filter((stem) => left.has(stem)))
      const most = Math.max(...shared.map(weigh))
      const best = shared.findIndex((stems) => weigh(stems) === most)
      const line = passage[best]
      if (most < (chosen.length === 0 ? 1 : MIN_FURTHER) || !line) break
      chosen.push(line.id)
      for (const stem of shared[best] ?? []) left.delete(stem)
    }
    return chosen.sort((a, b) => a - b)
  }

  const resolve = ({ id, quote }: CitedSegment, stems: ReadonlySet<string> | null): CitedSegment[] => {
    const position = positions.get(id)
    if (position === undefined || !isStart(id)) return [{ id, quote }]
    const passage = takePassage(lines, position)
    if (quote !== null) {
      return [{ id: passage.find((line) => findQuoted(line.id, quote).length > 0)?.id ?? id, quote }]
    }
    const selected = findStems && stems ? selectLines(findStems, stems, passage) : []
    return (selected.length > 0 ? selected : [id]).map((line) => ({ id: line, quote: null }))
  }

  return (claim) => {
    const stems = findStems?.(claim.text) ?? null
    const resolved = listCitations(claim).flatMap((citation) => resolve(citation, stems))
    return {
      text: claim.text,
      segmentIds: resolved.map(({ id }) => id),
      ...(claim.quotes && { quotes: resolved.map(({ quote }) => quote) }),
    }
  }
}
