import type { Cue, SummaryContent } from '@subtext/contracts'
import { selectCitedSegments } from '@subtext/render'

const WINDOW_MS = 5 * 60_000

const windowOf = (cue: Cue): number => Math.floor(cue.startMs / WINDOW_MS)

/** Returns the share, 0 to 1, of the five-minute windows with speech that the summary cites. */
export function computeCoverage(content: SummaryContent, cues: Cue[]): number {
  const spoken = new Set(cues.map(windowOf))
  const cited = new Set(
    selectCitedSegments([content])
      .flatMap((id) => cues[id - 1] ?? [])
      .map(windowOf),
  )
  return spoken.size === 0 ? 0 : cited.size / spoken.size
}
