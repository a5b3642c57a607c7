import type { Cue, InfographicContent, Summary, VideoInfo } from '@subtext/contracts'

const BINS = 84
/** Height of silent parts, which are drawn as well. */
const MIN_DENSITY = 0.12
/** The share of parts that stay below full height. The densest parts would otherwise dwarf all others. */
const TOP_SHARE = 0.9
const MAX_PARTS = 40
const MAX_TITLE = 60
const MIN_PART_MS = 5_000

/** Returns the length of a video: as the platform says, and at least to the end of its last cue. Milliseconds. */
export const measureDuration = ({ duration_seconds }: VideoInfo, cues: readonly Cue[]): number =>
  cues.reduce((end, cue) => Math.max(end, cue.startMs + cue.durationMs), Math.max(1, duration_seconds * 1_000))

/** Returns how much is said in each equal part of a video, 0 to 1. */
export function measureDensity(cues: readonly Cue[], durationMs: number): number[] {
  const letters = new Array<number>(BINS).fill(0)
  for (const { startMs, durationMs: length, text } of cues) {
    // Rolling captions stay on screen for longer than they are spoken.
    const [first, last] = [startMs, startMs + Math.max(1, length)].map((ms) =>
      Math.min(BINS - 1, Math.floor((ms / durationMs) * BINS)),
    )
    for (let bin = first ?? 0; bin <= (last ?? 0); bin++)
      letters[bin] = (letters[bin] ?? 0) + text.length / ((last ?? 0) - (first ?? 0) + 1)
  }
  const sorted = letters.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor(BINS * (1 - TOP_SHARE))] ?? 0, sorted[Math.floor(BINS * TOP_SHARE)] ?? 1]
  const span = Math.max(1, high - low)
  return letters.map((count) =>
    Number(Math.min(1, Math.max(MIN_DENSITY, MIN_DENSITY + ((1 - MIN_DENSITY) * (count - low)) / span)).toFixed(2)),
  )
}

type Parts = InfographicContent['parts']

/** Returns the parts in order, without those that are too short to see. Returns none if only one is left. */
function arrange(parts: Parts, durationMs: number): Parts {
  const ordered = parts
    .map(({ title, startMs }) => ({
      title: title.slice(0, MAX_TITLE).toWellFormed().trim(),
      startMs: Math.max(0, startMs),
    }))
    .filter(({ title, startMs }) => title !== '' && startMs < durationMs - MIN_PART_MS)
    .sort((a, b) => a.startMs - b.startMs)
    .filter(({ startMs }, index, all) => index === 0 || startMs - (all[index - 1]?.startMs ?? 0) >= MIN_PART_MS)
  return ordered.length > 1 && ordered.length <= MAX_PARTS
    ? ordered.map((part, index) => (index === 0 ? { ...part, startMs: 0 } : part))
    : []
}

/** `0:04:40 – 0:04:47`, in place of a heading. */
const SPAN = /^\d+:\d\d:\d\d – /

/** Returns the sections of a summary as parts of the video: each begins where its first citation is. */
function listSections({ content }: Pick<Summary, 'content'>, cues: readonly Cue[]): Parts {
  let after = -1
  return content.sections.flatMap(({ heading, points }) => {
    const first = Math.min(...points.flatMap(({ segmentIds }) => segmentIds))
    const cue = cues[first - 1]
    if (!cue || heading === '' || SPAN.test(heading) || cue.startMs <= after) return []
    after = cue.startMs
    return [{ title: heading, startMs: cue.startMs }]
  })
}

/** Returns the parts of a video: its chapters, or else the sections of the first summary that follows its course. */
export function findParts(
  video: VideoInfo,
  summaries: readonly Pick<Summary, 'content'>[],
  cues: readonly Cue[],
  durationMs: number,
): Parts {
  const chapters = arrange(
    video.chapters.map(({ title, start }) => ({ title, startMs: start * 1_000 })),
    durationMs,
  )
  if (chapters.length > 0) return chapters
  for (const summary of summaries) {
    const parts = arrange(listSections(summary, cues), durationMs)
    if (parts.length > 0) return parts
  }
  return []
}
