import type { Evidence } from '@subtext/evidence'
import type { PromptLine } from '../prompts/transcript-document.ts'

/**
 * Returns the evidence of a document of passages: whatever line of a passage a claim is shown with, the model cited all of it, so
 * that its numbers and names may be said anywhere in it.
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
    linesOf(segmentIds, ids) {
      const { near, sentences } = lines.linesOf(widen(segmentIds), ids)
      return { ...lines.linesOf(segmentIds, ids), near, sentences }
    },
  }
}
