import type { Segment } from '@subtext/sdk'

/** Returns the index of the last line that begins at or before this second; null before the first one. */
export function findSegment(segments: readonly Segment[], seconds: number): number | null {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : low - 1
}

/** Returns where a text contains the search term, as pairs of start and end, ignoring case. An empty term occurs nowhere. */
export function findTextMatches(text: string, query: string): [number, number][] {
  const wanted = query.trim().toLowerCase()
  const content = text.toLowerCase()
  // The lower case of some letters is longer, which would shift every position after them.
  if (wanted === '' || content.length !== text.length) return []
  const matches: [number, number][] = []
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) {
    matches.push([at, at + wanted.length])
  }
  return matches
}
