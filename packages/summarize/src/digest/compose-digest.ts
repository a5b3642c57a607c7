import type { ComposedDigest, DigestGroups, SummarizedPoint } from './types.ts'

/** Puts the points of a digest in their groups. Any points will do: of a batch, or of what is new in some subscriptions. */
export function composeDigest<P extends SummarizedPoint>(
  points: readonly P[],
  groups: DigestGroups,
): ComposedDigest<P> {
  const pick = (places: readonly number[]): P[] => places.flatMap((place) => points[place] ?? [])
  const used = new Set([
    ...groups.themes.flatMap((theme) => theme.points),
    ...groups.disagreements.flatMap(({ positions }) => positions.flat()),
  ])
  return {
    themes: groups.themes.map(({ title, points: places }) => ({ title, points: pick(places) })),
    disagreements: groups.disagreements.map(({ question, positions }) => ({
      question,
      positions: positions.flatMap(pick),
    })),
    pointsUsed: [...used].filter((place) => points[place] !== undefined).length,
  }
}
