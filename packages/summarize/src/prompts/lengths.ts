import type { Cue, VideoInfo } from '@subtext/contracts'

/** How long summaries of a video should be. */
export interface Lengths {
  /** Sentences of `tldr`. */
  sentences: string
  /** Words of `detailed`. */
  words: number
  /** Entries of `study_notes`. */
  terms: number
  questions: number
  /** Entries of `timestamped`. */
  moments: number
  /** Takeaways of `key_insights`. */
  takeaways: string
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, Math.round(value)))
const roundTo = (value: number, step: number): number => Math.round(value / step) * step

const SHORT_MINUTES = 10
const LONG_MINUTES = 45

/** Returns the lengths of summaries. A longer video has more to say, but not in proportion. */
export const selectLengths = (minutes: number): Lengths => ({
  sentences: minutes < SHORT_MINUTES ? 'two' : minutes < LONG_MINUTES ? 'two or three' : 'three or four',
  words: roundTo(clamp(300 * minutes ** 0.33, 150, 2_000), 50),
  terms: clamp(3 + minutes / 6, 3, 15),
  questions: clamp(3 + minutes / 8, 3, 12),
  moments: clamp(3 + minutes / 3, 4, 30),
  takeaways: minutes < SHORT_MINUTES ? 'three or four' : minutes < LONG_MINUTES ? 'four to six' : 'six to eight',
})

/** Returns the length of a video in minutes: as the platform states it, otherwise until its last line. */
export function measureMinutes({ video, cues }: { video: Pick<VideoInfo, 'duration_seconds'>; cues: Cue[] }): number {
  const last = cues.at(-1)
  const ms =
    video.duration_seconds > 0 ? video.duration_seconds * 1_000 : (last?.startMs ?? 0) + (last?.durationMs ?? 0)
  return ms / 60_000
}
