// No video of the platform is longer; a larger time is damage, and would not survive being written as a timestamp.
const LONGEST_VIDEO_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Whole milliseconds, or `null` for what is no time within a video. What begins before the video, as a track that was shifted
 * does, is there from its start.
 */
export const cueMilliseconds = (value: number): number | null =>
  value >= -LONGEST_VIDEO_MS && value <= LONGEST_VIDEO_MS ? Math.max(0, Math.round(value)) : null
