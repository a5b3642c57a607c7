import type { Evidence } from '@subtext/evidence'
import type { PromptLine } from '../prompts/transcript-document.ts'

/**
 * Returns the evidence of a document of passages. What the cited lines have to say themselves is read from them alone, but what
 * may stand nearby from their whole passages: that is all that the model could name.
 */
export function buildPassageEvidence(lines: Evidence, passages: readonly PromptLine[]): Evidence {
  const passageOf = new Map<number, number[]>()
  for (const { id, lastId = id } of passages) {
    const ids = Array.from({ length: lastId - id + 1 }, (_, index) => id + index)
    for (const each of ids) passageOf.set(each, ids)
  }
  const widen = (segmentIds: number[]): number[] => [...new Set(segmentIds.flatMap((id) => passageOf.get(id) ?? [id]))]
  return {
    ...lines,
    textOf: (ids, segmentIds) => lines.textOf(ids, widen(segmentIds)),
    linesOf: (segmentIds, ids) => ({
      ...lines.linesOf(segmentIds, ids),
      near: lines.linesOf(widen(segmentIds), ids).near,
    }),
  }
}
