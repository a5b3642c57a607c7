const formatClock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return [Math.floor(seconds / 3600), ...parts].join(':')
}

/** Formats a span of a video as `0:12:05 – 0:14:30`, the heading of sections for which there is no better one. */
export const describeSpan = (startMs: number, endMs: number): string =>
  `${formatClock(startMs)} – ${formatClock(endMs)}`
