// No video of the platform is longer; a larger time is damage, and would not survive being written as a timestamp.
const LONGEST_VIDEO_MS = 7 * 24 * 60 * 60 * 1000

/** Whole milliseconds, or `null` for what is no time within a video. */
export const cueMilliseconds = (value: number): number | null =>
  value >= 0 && value <= LONGEST_VIDEO_MS ? Math.round(value) : null
