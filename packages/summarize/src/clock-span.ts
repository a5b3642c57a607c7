const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return [Math.floor(seconds / 3600), ...parts].join(':')
}

/** A stretch of a video by its times, `0:12:05 – 0:14:30`: the heading of what nothing else can be said of. */
export const describeSpan = (startMs: number, endMs: number): string => `${clockOf(startMs)} – ${clockOf(endMs)}`
