// No video on the platform is longer. A larger time is corrupt and could not be written as a timestamp.
const MAX_VIDEO_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Returns whole milliseconds, or `null` for a value that cannot be a time within a video. Small negative times, as in a
 * track that was shifted, become 0.
 */
export const cueMilliseconds = (value: number): number | null =>
  value >= -MAX_VIDEO_MS && value <= MAX_VIDEO_MS ? Math.max(0, Math.round(value)) : null
