import type { Evidence } from './evidence.ts'

/** Lines that a document joins, named by the first and the last of them. */
export interface EvidencePassage {
  id: number
  lastId?: number | undefined
}

/** Returns the lines of the passage that a line is in: the line alone, if it is in none. */
export type FindPassage = (id: number) => number[]

export function createPassageFinder(passages: readonly EvidencePassage[]): FindPassage {
  const passageOf = new Map<number, number[]>()
  for (const { id, lastId = id } of passages) {
    const ids = Array.from({ length: lastId - id + 1 }, (_, index) => id + index)
    for (const each of ids) passageOf.set(each, ids)
  }
  return (id) => passageOf.get(id) ?? [id]
}

/**
 * Returns the evidence of a document of passages: whatever line of a passage a claim is shown with, the model cited all of it, so
 * that its numbers and names may be said anywhere in it.
 */
export function buildPassageEvidence(lines: Evidence, findPassage: FindPassage): Evidence {
  const widen = (segmentIds: number[]): number[] => [...new Set(segmentIds.flatMap(findPassage))]
  return {
    ...lines,
    textOf: (ids, segmentIds) => lines.textOf(ids, widen(segmentIds)),
    linesOf(segmentIds, ids) {
      const { near, sentences } = lines.linesOf(widen(segmentIds), ids)
      return { ...lines.linesOf(segmentIds, ids), near, sentences }
    },
  }
}
